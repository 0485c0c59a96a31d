// The game by keyboard: shortcuts at the table, and what keys do among the bids and in the hand.

import { type Deck, suitOf } from "./cards";
import { dialog, type DialogName } from "./dialogs";
import { replyToKey } from "./notices";
import type { Card } from "./protocol";
import type { Scene } from "./scene_player";
import { sidesNearFirst } from "./seats";
import type { Table } from "./table";
import { sideName, sideSummary, statusLine, turnText } from "./text/table";

const DIALOG_KEYS: Record<string, DialogName> = { p: "sheet", R: "last", z: "rules", "?": "keys" };

export function listenToKeys(table: Table): void {
  addEventListener("keydown", (event) => {
    const { scene } = table.state.peek();
    if (!scene || !isForTable(event)) return;
    const name = DIALOG_KEYS[event.key];
    const reply = replyFor(event.key, scene);
    if (name) dialog.value = name;
    else if (reply) replyToKey(reply);
    else if (event.key.startsWith("Arrow") && !(event.target as HTMLElement).closest(".hand, .bids"))
      focusChoice(event);
  });
}

/** Returns false for keys meant for the browser, a text field or a dialog. */
export function isForTable(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return !(hasModifier(event) || target.closest("input, textarea, select, dialog"));
}

export const hasModifier = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey || event.altKey;

function replyFor(key: string, { view, trick }: Scene): string | null {
  if (key === "t") return turnText(view);
  if (key === "r") return statusLine(view, trick);
  if (key === "v")
    return sidesNearFirst(view)
      .map((side) => `${sideName(view, side, " and ")}: ${sideSummary(view, side)}.`)
      .join(" ");
  return null;
}

/** Focuses the bids, or else the hand. */
function focusChoice(event: KeyboardEvent): void {
  const [bids, hand] = [".bids", ".hand"].map((box) => document.querySelector<HTMLElement>(`${box} [tabindex="0"]`));
  const choice = bids ?? hand;
  if (!choice) return;
  event.preventDefault();
  choice.focus();
}

const HAND_STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowDown: 1,
  l: 1,
  k: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  j: -1,
  i: -1,
};

/** Returns the card that a key moves the focus to; undefined for any other key. `cards` are sorted as in the hand. */
export function cardAfterKey(key: string, cards: readonly Card[], at: number, deck: Deck): Card | undefined {
  if (key in HAND_STEPS) return cards[(at + HAND_STEPS[key] + cards.length) % cards.length];
  const suit = cards.filter((card) => suitOf(card, deck) === suitOf(cards[at], deck));
  switch (key) {
    case "Home":
      return cards[0];
    case "End":
      return cards[cards.length - 1];
    case "u":
      return suit[suit.length - 1];
    case "o":
      return suit[0];
    default:
      return cards.find((card) => suitOf(card, deck).toLowerCase() === key);
  }
}

const TWO_DIGITS_MS = 1_000; // a digit this soon after a 1 makes 10 to 13
const ROW_LENGTH = 7;
const BID_STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: ROW_LENGTH,
  ArrowUp: -ROW_LENGTH,
};

/** Reads a bid from digits as they are typed. */
export class TypedBid {
  private oneTypedAt = -Infinity;

  constructor(private readonly now: () => number) {}

  /** Returns the bid typed so far; undefined for any other key, or if the bid is not allowed. */
  read(key: string, bids: readonly number[]): number | undefined {
    const bid = key.toLowerCase() === "n" ? 0 : /^\d$/.test(key) ? this.withDigit(Number(key), bids) : undefined;
    if (bid === undefined) return undefined;
    this.oneTypedAt = bid === 1 ? this.now() : -Infinity;
    return bids.includes(bid) ? bid : undefined;
  }

  private withDigit(digit: number, bids: readonly number[]): number {
    const isSecond = this.now() - this.oneTypedAt < TWO_DIGITS_MS;
    return isSecond && bids.includes(10 + digit) ? 10 + digit : digit;
  }
}

/** Returns the bid that a key moves the focus to, from the one with index `at`; undefined for any other key. */
export function bidAfterKey(key: string, bids: readonly number[], at: number): number | undefined {
  if (key === "Home") return bids[0];
  if (key === "End") return bids[bids.length - 1];
  if (!(key in BID_STEPS)) return undefined;
  const isOneRow = bids.length <= ROW_LENGTH;
  const step = isOneRow ? Math.sign(BID_STEPS[key]) : BID_STEPS[key];
  if (Math.abs(step) > 1) return bids[at + step] ?? bids[at];
  return bids[(at + step + bids.length) % bids.length];
}
