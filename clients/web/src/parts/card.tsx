// The face of a card: its index in the corner and one large sign or a court figure.

import { index, suitOf } from "../cards";
import type { Card } from "../protocol";
import { Court } from "./court";
import { SuitSign } from "./suit";

export function CardFace({ card }: { card: Card }) {
  const suit = suitOf(card);
  const court = "JQK".includes(card[0]);
  return (
    <span class="card-face" aria-hidden="true">
      <span class="card-index">
        <span class={card[0] === "T" ? "card-rank two-digits" : "card-rank"}>{index(card)}</span>
        <SuitSign suit={suit} />
      </span>
      {court ? (
        <Court rank={card[0]} />
      ) : (
        <span class={card[0] === "A" ? "card-pip ace" : "card-pip"}>
          <SuitSign suit={suit} />
        </span>
      )}
    </span>
  );
}

/** Everything about how a card looks hangs on its suit's class. */
export const cardClass = (card: Card, more = ""): string => `card suit-${suitOf(card)} ${more}`.trim();
