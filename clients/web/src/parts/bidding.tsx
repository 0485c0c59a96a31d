// One's bid: a number, what it would mean in words, and one button that says it.

import { useSignal } from "@preact/signals";
import { asking, bid } from "../actions";
import type { SeatView } from "../protocol";
import { canAct } from "../table";
import { bidSentence, fewBidsWords } from "../bid_words";
import { bidWord } from "../words";

export function Bidding({ view }: { view: SeatView }) {
  const only = view.legal_bids.length === 1 ? view.legal_bids[0] : null;
  const chosen = useSignal<number | null>(only);
  const why = fewBidsWords(view);
  return (
    <section class="bidding" aria-label="Your bid">
      <h2 class="bidding-title">Your bid</h2>
      {why && <p class="soft bid-why">{why}</p>}
      <div class={`bids ${view.legal_bids.length < 7 ? "few" : ""}`} role="group" aria-label="Tricks">
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
