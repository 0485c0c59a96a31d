// The table's code, large, and its link: shared by the device where it can, copied otherwise.

import { linkTo } from "../address";
import { toast } from "../notices";

async function share(code: string): Promise<void> {
  const url = linkTo(code);
  try {
    if (navigator.share) return await navigator.share({ title: "Fourth Seat", text: `Play Spades with me: table ${code}`, url });
    await navigator.clipboard.writeText(url);
    toast("The link is copied.");
  } catch (problem) {
    // Closing the share sheet is no problem; a page without a secure address has no clipboard.
    if ((problem as DOMException).name !== "AbortError") toast(`The link is ${url}`);
  }
}

export function ShareLink({ code }: { code: string }) {
  return (
    <div class="share">
      <div>
        <span class="soft">Code of this table</span>
        <output class="table-code" data-testid="table-code">{code}</output>
      </div>
      <button type="button" class="button" data-testid="share-link" onClick={() => share(code)}>
        {"share" in navigator ? "Share the link" : "Copy the link"}
      </button>
    </div>
  );
}
