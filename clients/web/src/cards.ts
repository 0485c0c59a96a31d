// Cards as text ("QS"): their names, their order in the hand, and how a hand lies in rows.

import type { Card } from "./protocol";

export type Suit = "S" | "H" | "C" | "D";

const SUIT_NAMES: Record<Suit, string> = { S: "spades", H: "hearts", C: "clubs", D: "diamonds" };
const RANK_NAMES: Record<string, string> = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  "9": "nine",
  "8": "eight",
  "7": "seven",
  "6": "six",
  "5": "five",
  "4": "four",
  "3": "three",
  "2": "two",
};
/** Black and red alternate, so neighbouring suits never blur. */
const SUIT_ORDER = "SHCD";
const RANK_ORDER = "AKQJT98765432";

export const suitOf = (card: Card): Suit => card[1] as Suit;
export const suitName = (suit: Suit): string => SUIT_NAMES[suit];
export const rankName = (card: Card): string => RANK_NAMES[card[0]] ?? card[0];
/** What is printed in the corner. */
export const index = (card: Card): string => (card[0] === "T" ? "10" : card[0]);
/** "queen of spades" */
export const cardName = (card: Card): string => `${rankName(card)} of ${suitName(suitOf(card))}`;

const place = (card: Card): number => SUIT_ORDER.indexOf(card[1]) * 13 + RANK_ORDER.indexOf(card[0]);

/** Spades, hearts, clubs, diamonds; in each, high to low. */
export const sorted = (hand: readonly Card[]): Card[] => [...hand].sort((a, b) => place(a) - place(b));

/** One row while seven fit side by side on a phone, else two nearly equal ones. */
export function rowsOf(hand: readonly Card[]): Card[][] {
  if (hand.length <= 7) return [[...hand]];
  const first = Math.ceil(hand.length / 2);
  return [hand.slice(0, first), hand.slice(first)];
}

/** The hand in words, as a screen reader says it: "ace, queen of spades; ten of hearts". */
export function handInWords(hand: readonly Card[]): string {
  const suits = [...SUIT_ORDER] as Suit[];
  const parts = suits.map((suit) => {
    const ranks = sorted(hand)
      .filter((card) => suitOf(card) === suit)
      .map(rankName);
    return ranks.length ? `${ranks.join(", ")} of ${suitName(suit)}` : "";
  });
  return parts.filter(Boolean).join("; ");
}
