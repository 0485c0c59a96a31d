// One's bid: a number, what it would mean in words, and one button that says it.

import { useSignal } from "@preact/signals";
import { asking, bid } from "../actions";
import type { SeatView } from "../protocol";
import { canAct } from "../table";
import { bidSentence, bidWord } from "../words";

export function Bidding({ view }: { view: SeatView }) {
  const chosen = useSignal<number | null>(null);
  return (
    <section class="bidding" aria-label="Your bid">
      <h2 class="bidding-title">Your bid</h2>
      <div class="bids" role="group" aria-label="Tricks">
        {view.legal_bids.map((number) => (
          <button
            key={number}
            type="button"
            class={`bid ${number === 0 ? "nil" : ""}`}
            data-testid={`bid-${number}`}
            aria-pressed={chosen.value === number}
            aria-label={number === 0 ? "Nil" : String(number)}
            onClick={() => (chosen.value = number)}
          >
            {number === 0 ? "Nil" : number}
          </button>
        ))}
      </div>
      <p class="bid-sentence" aria-live="polite">
        {bidSentence(view, chosen.value)}
      </p>
      <button
        type="button"
        class="button primary"
        data-testid="confirm-bid"
        disabled={chosen.value === null || asking.value || !canAct.value}
        onClick={() => chosen.value !== null && bid(chosen.value)}
      >
        {chosen.value === null ? "Choose a number" : `Bid ${bidWord(chosen.value)}`}
      </button>
    </section>
  );
}
