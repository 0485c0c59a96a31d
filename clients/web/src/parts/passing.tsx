// After a blind nil: two cards to the partner. They are chosen in the hand, and one button passes them.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { asking, pass } from "../actions";
import type { Card, SeatView } from "../protocol";
import { partnerOf } from "../seats";
import { canAct } from "../table";
import { nameOf, passingHint } from "../text/table";

const chosen = signal<readonly Card[]>([]);

/** The cards that are set aside to be passed, the first chosen first. */
export const cardsToPass = (view: SeatView): readonly Card[] =>
  view.to_pass ? chosen.value.filter((card) => view.hand.includes(card)) : [];

/** Sets a card aside or takes it back; one more than may be passed puts back the first. */
export function toggleCardToPass(card: Card, view: SeatView): void {
  const now = cardsToPass(view);
  chosen.value = now.includes(card) ? now.filter((other) => other !== card) : [...now, card].slice(-view.to_pass);
}

export function Passing({ view }: { view: SeatView }) {
  const name = nameOf(view, partnerOf(view.you ?? 0));
  const cards = cardsToPass(view);
  useEffect(() => () => void (chosen.value = []), []);
  const missing = view.to_pass - cards.length;
  return (
    <section class="bidding passing" aria-label={`Two cards for ${name}`}>
      <h2 class="bidding-title">Two cards for {name}</h2>
      <p class="bid-sentence">{passingHint(view)}</p>
      <button
        type="button"
        class="button primary"
        data-testid="pass-cards"
        disabled={missing > 0 || asking.value || !canAct.value}
        onClick={() => pass(cards)}
      >
        {missing > 1 ? "Choose two cards" : missing ? "Choose one more" : `Pass these two to ${name}`}
      </button>
    </section>
  );
}
