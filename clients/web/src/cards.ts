// Cards, written as "QS": their names, their order in the hand, and the rows of a hand.

import { type Card, type RuleSet, SPADES } from "./protocol";

export type Suit = "S" | "H" | "C" | "D";
export type Deck = RuleSet["deck"];

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
const JOKERS: Record<Card, string> = { BS: "big joker", LS: "little joker" };
/** Black and red alternate. */
const SUIT_ORDER = "SHCD";
const RANK_ORDER = "AKQJT98765432";

export const isJoker = (card: Card): boolean => card in JOKERS;
export const printedSuit = (card: Card): Suit => card[1] as Suit;
/** The suit a card belongs to, which is not the printed one for some spades of the decks with jokers. */
export const suitOf = (card: Card, deck: Deck): Suit => (SPADES[deck].includes(card) ? "S" : printedSuit(card));
export const suitName = (suit: Suit): string => SUIT_NAMES[suit];
export const rankName = (card: Card): string => JOKERS[card] ?? RANK_NAMES[card[0]] ?? card[0];
/** The index in the corner of a card. */
export const cornerText = (card: Card): string => (isJoker(card) ? "Jo" : card[0] === "T" ? "10" : card[0]);
/** "queen of spades", "big joker" */
export const cardName = (card: Card): string => JOKERS[card] ?? `${rankName(card)} of ${suitName(printedSuit(card))}`;

function sortKey(card: Card, deck: Deck): number {
  const suit = suitOf(card, deck);
  const rank = suit === "S" ? -SPADES[deck].indexOf(card) : RANK_ORDER.indexOf(card[0]);
  return SUIT_ORDER.indexOf(suit) * 100 + rank;
}

/** Spades, hearts, clubs, diamonds; in each, high to low. */
export const sorted = (hand: readonly Card[], deck: Deck): Card[] =>
  [...hand].sort((a, b) => sortKey(a, deck) - sortKey(b, deck));

/** One row of up to seven cards, which fit on a phone, or two nearly equal rows. */
export function rowsOf<Card>(hand: readonly Card[]): Card[][] {
  if (hand.length <= 7) return [[...hand]];
  const first = Math.ceil(hand.length / 2);
  return [hand.slice(0, first), hand.slice(first)];
}

/** For screen readers: "ace, queen of spades; ten of hearts". */
export function handText(hand: readonly Card[], deck: Deck): string {
  const suits = [...SUIT_ORDER] as Suit[];
  const parts = suits.map((suit) => {
    const cards = sorted(hand, deck).filter((card) => suitOf(card, deck) === suit);
    const regular = cards.filter((card) => printedSuit(card) === suit && !isJoker(card)).map(rankName);
    const others = cards.filter((card) => printedSuit(card) !== suit || isJoker(card)).map(cardName);
    const ranks = regular.length ? [`${regular.join(", ")} of ${suitName(suit)}`] : [];
    return [...others, ...ranks].join(", ");
  });
  return parts.filter(Boolean).join("; ");
}
