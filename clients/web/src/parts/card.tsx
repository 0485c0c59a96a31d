// The face of a card: its index in the corner and one large sign or a court figure.

import { type Deck, cornerText, isJoker, printedSuit, suitOf } from "../cards";
import type { Card } from "../protocol";
import { CourtFigure } from "./court";
import { JokerFace } from "./joker";
import { SuitSymbol } from "./suit";

export function CardFace({ card, deck }: { card: Card; deck: Deck }) {
  if (isJoker(card)) return <JokerFace card={card} />;
  const suit = printedSuit(card);
  const court = "JQK".includes(card[0]);
  return (
    <span class="card-face" aria-hidden="true">
      <span class="card-index">
        <span class={card[0] === "T" ? "card-rank two-digits" : "card-rank"}>{cornerText(card)}</span>
        <SuitSymbol suit={suit} />
        {suitOf(card, deck) !== suit && <IsSpade />}
      </span>
      {court ? (
        <CourtFigure rank={card[0]} />
      ) : (
        <span class={card[0] === "A" ? "card-pip ace" : "card-pip"}>
          <SuitSymbol suit={suit} />
        </span>
      )}
    </span>
  );
}

/** A small spade on what is a spade and does not look like one. */
const IsSpade = () => (
  <span class="is-spade">
    <SuitSymbol suit="S" />
  </span>
);

/** The back of a card that nobody has looked at: the seats around the table. */
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

/** Everything about how a card looks hangs on its suit's class. */
export const cardClass = (card: Card, more = ""): string =>
  `card suit-${printedSuit(card)} ${isJoker(card) ? `joker-${card[0]}` : ""} ${more}`.trim();
