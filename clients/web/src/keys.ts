// The game by keyboard: what a key outside a text field does. The hand and the bids answer arrows and Enter where they have the focus.

import { dialog, type DialogName } from "./dialogs";
import { replyToKey } from "./notices";
import { scene } from "./table";
import { statusLine, sideSummary, sideName, turnText } from "./text/table";
import { sidesNearFirst } from "./seats";

const DIALOG_KEYS: Record<string, DialogName> = { p: "sheet", R: "last", z: "rules", "?": "keys" };

function spoken(key: string): string | null {
  const shown = scene.peek();
  if (!shown) return null;
  if (key === "t") return turnText(shown.view);
  if (key === "r") return statusLine(shown.view, shown.trick);
  if (key === "v")
    return sidesNearFirst(shown.view)
      .map((side) => `${sideName(shown.view, side, " and ")}: ${sideSummary(shown.view, side)}.`)
      .join(" ");
  return null;
}

/** Not meant for the browser, a text field or a dialog. */
export function isForTable(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return !(event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog"));
}

function onKey(event: KeyboardEvent): void {
  if (!scene.peek() || !isForTable(event)) return;
  const name = DIALOG_KEYS[event.key];
  const words = spoken(event.key);
  if (name) dialog.value = name;
  else if (words) replyToKey(words);
  else if (event.key.startsWith("Arrow") && !(event.target as HTMLElement).closest(".hand, .bids")) focusChoices(event);
}

/** An arrow anywhere on the table goes to the numbers that may be bid, else to the hand. */
function focusChoices(event: KeyboardEvent): void {
  const [bids, hand] = ['.bids [tabindex="0"]', '.hand [tabindex="0"]'].map((at) =>
    document.querySelector<HTMLElement>(at),
  );
  const stop = bids ?? hand;
  if (!stop) return;
  event.preventDefault();
  stop.focus();
}

export function listenToKeys(): void {
  addEventListener("keydown", onKey);
}
