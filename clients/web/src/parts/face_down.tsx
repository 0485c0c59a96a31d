// A hand that is face down because its side is far behind: bid blind nil, or look at the cards.

import { useSignal } from "@preact/signals";
import { rowsOf } from "../cards";
import { BLIND_NIL_POINTS, type SeatView } from "../protocol";
import { useTable } from "../table";
import { faceDownText } from "../text/bids";
import { CardBack } from "./card";

export function FaceDown({ view }: { view: SeatView }) {
  const table = useTable();
  const blindChosen = useSignal(false);
  const isConfirming = blindChosen.value && view.may_bid_blind;
  const disabled = !table.canAct.value;
  return (
    <section class="bidding face-down" aria-label="Your hand">
      <h2 class="bidding-title">{isConfirming ? "Blind nil?" : "Your cards lie face down"}</h2>
      <p class="bid-sentence" aria-live="polite">
        {faceDownText(view, isConfirming)}
      </p>
      {isConfirming ? (
        <div class="bid-choices">
          <button
            type="button"
            class="button primary"
            data-testid="confirm-blind"
            disabled={disabled}
            onClick={() => table.bid(0, true)}
          >
            Yes, bid blind nil
          </button>
          <button type="button" class="button" onClick={() => (blindChosen.value = false)}>
            Not yet
          </button>
        </div>
      ) : (
        <div class="bid-choices">
          {view.may_bid_blind && (
            <button type="button" class="button" data-testid="bid-blind" onClick={() => (blindChosen.value = true)}>
              Bid blind nil <small>{BLIND_NIL_POINTS} points either way</small>
            </button>
          )}
          <button type="button" class="button" data-testid="look" disabled={disabled} onClick={table.look}>
            Look at my cards
          </button>
        </div>
      )}
    </section>
  );
}

export function FaceDownHand({ view }: { view: SeatView }) {
  const held = Array.from({ length: view.seats[view.you ?? 0].cards_left }, (_, at) => at);
  return (
    <div class="hand dealt" data-testid="hand" role="img" aria-label={`Your ${held.length} cards, face down`}>
      {rowsOf(held).map((row) => (
        <div class="hand-row">
          {row.map((at) => (
            <div key={at} class="hand-slot">
              <div class="card back" data-testid="hand-back">
                <CardBack />
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
