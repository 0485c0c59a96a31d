// Scores: one side's result of a hand line by line, and the score sheet of the game.

import { useSignal } from "@preact/signals";
import type { HandScored, SeatView, Side } from "../protocol";
import { sidesNearFirst } from "../seats";
import { useTable } from "../table";
import { handSummary, isNotable, scoreLineText, totalText } from "../text/scores";
import { formatPoints, formatSigned, sideName } from "../text/table";

interface ScoreLinesProps {
  view: SeatView;
  hand: HandScored;
  side: Side;
}

/** Every reason for points in words, and the sums. */
export function ScoreLines({ view, hand, side }: ScoreLinesProps) {
  const result = hand.sides[side];
  return (
    <section class="score-lines">
      <h3>{sideName(view, side)}</h3>
      <p class="muted">{handSummary(view, hand, side)}</p>
      <dl>
        {result.lines.map((line) => (
          <div
            key={line.kind + line.seat}
            class={`${line.points < 0 ? "loss" : "gain"} ${isNotable(line) ? "notable" : ""}`}
          >
            <dt>{scoreLineText(view, hand, side, line)}</dt>
            <dd>{formatSigned(line.points)}</dd>
          </div>
        ))}
        <div class="sum">
          <dt>This hand</dt>
          <dd>{formatSigned(result.points)}</dd>
        </div>
        <div class="total">
          <dt>{totalText(view, result.bags)}</dt>
          <dd>{formatPoints(result.score)}</dd>
        </div>
      </dl>
    </section>
  );
}

/** A row for each hand; a tap shows the score lines. */
export function ScoreSheet({ view }: { view: SeatView }) {
  const { sheet } = useTable().state.value;
  const open = useSignal<number | null>(null);
  const sides = sidesNearFirst(view);
  if (!sheet.length)
    return (
      <p class="muted" data-testid="score-sheet">
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
      {sheet.map((hand) => (
        <SheetRow
          key={hand.number}
          view={view}
          hand={hand}
          open={open.value === hand.number}
          toggle={() => (open.value = open.value === hand.number ? null : hand.number)}
        />
      ))}
      <p class="muted">Tap a hand to see where its points come from.</p>
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
