// The dialog that is open; at most one.

import { signal } from "@preact/signals";
import type { Seat } from "./protocol";

export type DialogName = "menu" | "sheet" | "last" | "leave" | "rules" | "keys" | "level";

export const dialog = signal<DialogName | null>(null);
/** The seat whose bot's level is chosen; null for the bots that fill empty seats. */
export const levelSeat = signal<Seat | null>(null);

export function openLevelDialog(seat: Seat | null): void {
  levelSeat.value = seat;
  dialog.value = "level";
}
