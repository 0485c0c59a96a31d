// The table's code, large, and its link: shared by the device where it can, copied otherwise.

import { useSignal } from "@preact/signals";
import { linkTo } from "../address";

const COPIED_MS = 2_500;

/** What the button says afterwards: nothing when the device's own sheet was enough. */
async function share(code: string): Promise<string> {
  const url = linkTo(code);
  try {
    if (navigator.share) {
      await navigator.share({ title: "Fourth Seat", text: `Play Spades with me: table ${code}`, url });
      return "";
    }
    await navigator.clipboard.writeText(url);
    return "Link copied";
  } catch (problem) {
    // Closing the sheet is no problem; a page without a secure address has no clipboard.
    return (problem as DOMException).name === "AbortError" ? "" : url;
  }
}

export function ShareLink({ code }: { code: string }) {
  const said = useSignal("");
  const press = async (): Promise<void> => {
    said.value = await share(code);
    if (said.value === "Link copied") setTimeout(() => (said.value = ""), COPIED_MS);
  };
  return (
    <div class="share">
      <div>
        <span class="soft">Code of this table</span>
        <output class="table-code" data-testid="table-code">
          {code}
        </output>
      </div>
      <button type="button" class="button" data-testid="share-link" aria-live="polite" onClick={press}>
        {said.value || ("share" in navigator ? "Share the link" : "Copy the link")}
      </button>
    </div>
  );
}
