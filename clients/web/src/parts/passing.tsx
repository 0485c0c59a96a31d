// After a blind nil: two cards for the partner, chosen in the hand and passed with one button.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Card, SeatView } from "../protocol";
import { partnerOf } from "../seats";
import { useTable } from "../table";
import { nameOf, passingHint } from "../text/table";

const chosen = signal<readonly Card[]>([]);

/** The cards chosen to be passed, in the order of choice. */
export const cardsToPass = (view: SeatView): readonly Card[] =>
  view.to_pass ? chosen.value.filter((card) => view.hand.includes(card)) : [];

/** Chooses a card or takes it back; a third card replaces the first. */
export function toggleCardToPass(card: Card, view: SeatView): void {
  const now = cardsToPass(view);
  chosen.value = now.includes(card) ? now.filter((other) => other !== card) : [...now, card].slice(-view.to_pass);
}

export function Passing({ view }: { view: SeatView }) {
  const table = useTable();
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
        disabled={missing > 0 || !table.canAct.value}
        onClick={() => table.pass(cards)}
      >
        {missing > 1 ? "Choose two cards" : missing ? "Choose one more" : `Pass these two to ${name}`}
      </button>
    </section>
  );
}
