// The table's code and link: shared by the device where possible, otherwise copied.

import { useSignal } from "@preact/signals";
import { linkTo } from "../address";

const COPIED_MS = 2_500;

/** Returns what the button says afterwards; empty if the share sheet of the device was used. */
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
    // Closing the share sheet is no error. Without HTTPS there is no clipboard, so the link is shown.
    return (problem as DOMException).name === "AbortError" ? "" : url;
  }
}

export function ShareLink({ code }: { code: string }) {
  const label = useSignal("");
  const shareLink = async (): Promise<void> => {
    label.value = await share(code);
    if (label.value === "Link copied") setTimeout(() => (label.value = ""), COPIED_MS);
  };
  return (
    <div class="share">
      <div>
        <span class="muted">Code of this table</span>
        <output class="table-code" data-testid="table-code">
          {code}
        </output>
      </div>
      <button type="button" class="button" data-testid="share-link" aria-live="polite" onClick={shareLink}>
        {label.value || ("share" in navigator ? "Share the link" : "Copy the link")}
      </button>
    </div>
  );
}
