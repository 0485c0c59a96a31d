// The jokers, which are spades: the big one in two inks with a large star, the little one plain with a small one.

import type { Card } from "../protocol";
import { cornerText } from "../cards";
import { SuitSymbol } from "./suit";

const STAR = "M50 4 63 37 98 39 71 61 80 96 50 76 20 96 29 61 2 39 37 37Z";

export function JokerFace({ card }: { card: Card }) {
  return (
    <span class="card-face" aria-hidden="true">
      <span class="card-index">
        <span class="card-rank two-letters">{cornerText(card)}</span>
        <svg class="joker-star" viewBox="0 0 100 100">
          <path d={STAR} />
        </svg>
        <span class="is-spade">
          <SuitSymbol suit="S" />
        </span>
      </span>
      <svg class="court jester" viewBox="0 0 60 100">
        <Jester />
        <g transform="rotate(180 30 50)">
          <Jester />
        </g>
      </svg>
    </span>
  );
}

/** One half: a cap with three bells, a smile and a pointed collar. */
function Jester() {
  return (
    <g>
      <path class="court-ink" d="M6 51 10 37 19 44 23 35 30 44 37 35 41 44 50 37 54 51Z" />
      <path class="court-face" d="M21 15h18v11c0 6-4 11-9 11s-9-5-9-11Z" />
      <path class="court-ink" d="M20 18C18 8 12 5 7 14c4-1 7 1 8 10l6-1Z" />
      <path class="court-ink" d="M40 18c2-10 8-13 13-4-4-1-7 1-8 10l-6-1Z" />
      <path class="court-gilt" d="M18 19C20 11 27 9 30 2c3 7 10 9 12 17-8-3-16-3-24 0Z" />
      <circle class="court-gilt" cx="8" cy="16" r="3" />
      <circle class="court-gilt" cx="52" cy="16" r="3" />
      <circle class="court-gilt" cx="30" cy="3.5" r="3" />
      <circle class="court-ink" cx="26.5" cy="23" r="1.2" />
      <circle class="court-ink" cx="33.5" cy="23" r="1.2" />
      <path class="joker-smile" d="M25.5 29c2.5 3.5 6.5 3.5 9 0" />
    </g>
  );
}
