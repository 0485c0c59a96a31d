// A card: its index in the corner, and one large suit symbol or a figure.

import { cornerText, type Deck, isJoker, printedSuit, suitOf } from "../cards";
import type { Card } from "../protocol";
import { CourtFigure, JesterFigure, Star, SuitSymbol } from "./card_art";

export function CardFace({ card, deck }: { card: Card; deck: Deck }) {
  if (isJoker(card)) return <JokerFace card={card} />;
  const suit = printedSuit(card);
  const isCourt = "JQK".includes(card[0]);
  return (
    <span class="card-face" aria-hidden="true">
      <span class="card-index">
        <span class={card[0] === "T" ? "card-rank two-digits" : "card-rank"}>{cornerText(card)}</span>
        <SuitSymbol suit={suit} />
        {suitOf(card, deck) !== suit && <SpadeMark />}
      </span>
      {isCourt ? (
        <CourtFigure rank={card[0]} />
      ) : (
        <span class={card[0] === "A" ? "card-pip ace" : "card-pip"}>
          <SuitSymbol suit={suit} />
        </span>
      )}
    </span>
  );
}

function JokerFace({ card }: { card: Card }) {
  return (
    <span class="card-face" aria-hidden="true">
      <span class="card-index">
        <span class="card-rank two-letters">{cornerText(card)}</span>
        <Star />
        <SpadeMark />
      </span>
      <JesterFigure />
    </span>
  );
}

/** A small spade on a spade that looks like another suit. */
const SpadeMark = () => (
  <span class="spade-mark">
    <SuitSymbol suit="S" />
  </span>
);

/** The seats around a table. */
export function CardBack() {
  return (
    <svg class="card-back" viewBox="0 0 100 140" aria-hidden="true">
      <rect x="7" y="7" width="86" height="126" rx="6" />
      <path d="M50 24 77 70 50 116 23 70Z" />
      <circle cx="50" cy="24" r="6" />
      <circle cx="23" cy="70" r="6" />
      <circle cx="77" cy="70" r="6" />
      <circle class="fourth" cx="50" cy="116" r="6" />
      <g transform="translate(33 52) scale(.34)">
        <SuitSymbol suit="S" />
      </g>
    </svg>
  );
}

export const cardClass = (card: Card, more = ""): string =>
  `card suit-${printedSuit(card)} ${isJoker(card) ? `joker-${card[0]}` : ""} ${more}`.trim();
