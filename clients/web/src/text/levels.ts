// Texts about the levels of the bots.

import { LEVELS, type SeatView } from "../protocol";
import { nameOf } from "./table";

export type Level = (typeof LEVELS)[number];

export const LEVEL_DESCRIPTIONS: Record<Level, string> = {
  easy: "Bids low, looks at one trick. For a first game.",
  medium: "Bids nil, covers yours, ducks when it has enough.",
  hard: "Weighs every bid, sets the other side if it pays.",
  expert: "Imagines the hidden hands, tries out every card.",
};

/** "a hard bot", "an easy bot" */
export const botOfLevel = (level: Level): string => `${/^[aeiou]/.test(level) ? "an" : "a"} ${level} bot`;

/** "1 empty seat: a hard bot takes it." */
export function emptySeatsText(empty: number, level: Level): string {
  return empty === 1
    ? `1 empty seat: ${botOfLevel(level)} takes it.`
    : `${empty} empty seats: ${level} bots take them.`;
}

/** The level of a bot, of one to be added, or, for null, of the bots that fill empty seats is chosen. */
export function levelDialogTitle(view: SeatView | null, seat: number | null): string {
  if (view === null || seat === null) return "How strong are the bots?";
  return view.seats[seat].kind === "bot" ? `How strong is ${nameOf(view, seat)}?` : "Add a bot";
}
