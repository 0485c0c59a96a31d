// The player's bid: a number, what it means in words, and a button to confirm it.

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { bidAfterKey, hasModifier, isForTable, TypedBid } from "../keys";
import type { SeatView } from "../protocol";
import { useTable } from "../table";
import { bidMeaning, bidRestrictions } from "../text/bids";
import { formatBid } from "../text/table";

export function Bidding({ view }: { view: SeatView }) {
  const table = useTable();
  const only = view.legal_bids.length === 1 ? view.legal_bids[0] : null;
  const chosen = useSignal<number | null>(only);
  const restrictions = bidRestrictions(view);
  const canConfirm = chosen.value !== null && table.canAct.value;
  const confirm = (): void => {
    if (chosen.value !== null && canConfirm) void table.bid(chosen.value);
  };
  return (
    <section class="bidding" aria-label="Your bid">
      <h2 class="bidding-title">Your bid</h2>
      {restrictions && <p class="muted bid-restrictions">{restrictions}</p>}
      <Numbers bids={view.legal_bids} chosen={chosen} confirm={confirm} />
      <p class="bid-sentence" aria-live="polite">
        {bidMeaning(view, chosen.value)}
      </p>
      <button type="button" class="button primary" data-testid="confirm-bid" disabled={!canConfirm} onClick={confirm}>
        {chosen.value === null ? "Choose a number" : `Bid ${formatBid(chosen.value)}`}
      </button>
    </section>
  );
}

interface NumbersProps {
  bids: readonly number[];
  chosen: Signal<number | null>;
  confirm(): void;
}

function Numbers({ bids, chosen, confirm }: NumbersProps) {
  const box = useRef<HTMLDivElement>(null);
  const choose = (number: number): void => {
    chosen.value = number;
    box.current?.querySelector<HTMLElement>(`[data-testid="bid-${number}"]`)?.focus();
  };
  useTyping(bids, choose);
  const tabStop = chosen.value ?? bids.find((number) => number > 0) ?? bids[0];
  return (
    <div
      class={`bids ${bids.length < 7 ? "few" : ""}`}
      role="group"
      aria-label="Tricks"
      ref={box}
      onKeyDown={(event) => onBidKey(event, bids, chosen.value, choose, confirm)}
    >
      {bids.map((number) => (
        <button
          key={number}
          type="button"
          class={`bid ${number === 0 ? "nil" : ""}`}
          data-testid={`bid-${number}`}
          aria-pressed={chosen.value === number}
          tabIndex={number === tabStop ? 0 : -1}
          onClick={() => (chosen.value = number)}
        >
          {number === 0 ? "Nil" : number}
        </button>
      ))}
    </div>
  );
}

/** Digits and N choose a bid, wherever the focus is. */
function useTyping(bids: readonly number[], choose: (number: number) => void): void {
  const typed = useRef(new TypedBid(() => performance.now()));
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const number = isForTable(event) ? typed.current.read(event.key, bids) : undefined;
      if (number !== undefined) choose(number);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [bids]);
}

/** Arrows move the choice; Enter confirms the focused bid if it is chosen. */
function onBidKey(
  event: KeyboardEvent,
  bids: readonly number[],
  chosen: number | null,
  choose: (number: number) => void,
  confirm: () => void,
): void {
  const at = bids.findIndex((number) => document.activeElement?.matches(`[data-testid="bid-${number}"]`));
  if (at < 0 || hasModifier(event)) return;
  const to = bidAfterKey(event.key, bids, at);
  if (event.key === "Enter" && chosen === bids[at]) confirm();
  else if (to !== undefined) choose(to);
  else return;
  event.preventDefault();
}
