// Which dialog is open; at most one.

import { signal } from "@preact/signals";
import type { Seat } from "./protocol";

export type DialogName = "menu" | "sheet" | "last" | "leave" | "rules" | "keys" | "level";

export const dialog = signal<DialogName | null>(null);
/** Whose level is chosen in that dialog: of the bot on this seat, or, for null, of those that fill the empty seats. */
export const levelSeat = signal<Seat | null>(null);

export function openLevelDialog(seat: Seat | null): void {
  levelSeat.value = seat;
  dialog.value = "level";
}
