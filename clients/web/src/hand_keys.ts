// Which card a key leads to, from the one that has the focus.

import { type Deck, suitOf } from "./cards";
import type { Card } from "./protocol";

const STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowDown: 1,
  l: 1,
  k: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  j: -1,
  i: -1,
};

/** `cards` lie as in the hand, each suit high to low; undefined for a key that does not walk. */
export function cardAfterKey(key: string, cards: readonly Card[], at: number, deck: Deck): Card | undefined {
  if (key in STEPS) return cards[(at + STEPS[key] + cards.length) % cards.length];
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
