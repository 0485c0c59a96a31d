// The game by keyboard: what a key outside a text field does. The hand itself answers arrows and Enter where it has the focus.

import { dialog, type DialogName } from "./dialogs";
import { announcement } from "./notices";
import { scene } from "./table";
import { said, sideWords, sideName, turnWords } from "./words";
import { sidesFor } from "./seats";

const DIALOG_KEYS: Record<string, DialogName> = { p: "sheet", R: "last", z: "rules", "?": "keys" };

function spoken(key: string): string | null {
  const shown = scene.peek();
  if (!shown) return null;
  if (key === "t") return turnWords(shown.view);
  if (key === "r") return said(shown.view, shown.trick);
  if (key === "v")
    return sidesFor(shown.view)
      .map((side) => `${sideName(shown.view, side, " and ")}: ${sideWords(shown.view, side)}.`)
      .join(" ");
  return null;
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, dialog")) return;
  if (!scene.peek()) return;
  const name = DIALOG_KEYS[event.key];
  const words = spoken(event.key);
  if (name) dialog.value = name;
  else if (words) announcement.value = words;
  else if (event.key.startsWith("Arrow") && !target.closest(".hand, .bids")) focusHand(event);
}

/** An arrow anywhere on the table goes to the hand. */
function focusHand(event: KeyboardEvent): void {
  const card = document.querySelector<HTMLElement>('.hand [tabindex="0"]');
  if (!card) return;
  event.preventDefault();
  card.focus();
}

export function listenToKeys(): void {
  addEventListener("keydown", onKey);
}
