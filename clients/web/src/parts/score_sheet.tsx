// The whole game, a row a hand; a tap on a row says where its numbers come from.

import { useSignal } from "@preact/signals";
import type { HandScored, SeatView } from "../protocol";
import { sidesNearFirst } from "../seats";
import { sheet } from "../table";
import { formatPoints, sideName, formatSigned } from "../text/table";
import { ScoreLines } from "./score_lines";

export function ScoreSheet({ view }: { view: SeatView }) {
  const open = useSignal<number | null>(null);
  const sides = sidesNearFirst(view);
  if (!sheet.value.length)
    return (
      <p class="soft" data-testid="score-sheet">
        No hand has been scored yet.
      </p>
    );
  return (
    <div class="sheet" data-testid="score-sheet">
      <div class="sheet-row sheet-head">
        <span>Hand</span>
        {sides.map((side) => (
          <span key={side}>{sideName(view, side)}</span>
        ))}
      </div>
      {sheet.value.map((hand) => (
        <SheetRow
          key={hand.number}
          view={view}
          hand={hand}
          open={open.value === hand.number}
          toggle={() => (open.value = open.value === hand.number ? null : hand.number)}
        />
      ))}
      <p class="soft">Tap a hand to see where its points come from.</p>
    </div>
  );
}

interface SheetRowProps {
  view: SeatView;
  hand: HandScored;
  open: boolean;
  toggle(): void;
}

function SheetRow({ view, hand, open, toggle }: SheetRowProps) {
  const sides = sidesNearFirst(view);
  return (
    <>
      <button type="button" class="sheet-row" aria-expanded={open} onClick={toggle}>
        <span>{hand.number}</span>
        {sides.map((side) => (
          <span key={side}>
            <b>{formatPoints(hand.sides[side].score)}</b>
            <small class={hand.sides[side].points < 0 ? "loss" : "gain"}>{formatSigned(hand.sides[side].points)}</small>
          </span>
        ))}
        <i class="chevron" aria-hidden="true" />
      </button>
      {open && (
        <div class="sheet-detail">
          {sides.map((side) => (
            <ScoreLines key={side} view={view} hand={hand} side={side} />
          ))}
        </div>
      )}
    </>
  );
}
