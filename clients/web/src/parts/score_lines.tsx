// One side's result of one hand: every reason for points in words, adding up.

import type { HandScored, SeatView, Side } from "../protocol";
import { handSummary, isNotable, scoreLineText, totalText } from "../text/scores";
import { formatPoints, sideName, formatSigned } from "../text/table";

interface ScoreLinesProps {
  view: SeatView;
  hand: HandScored;
  side: Side;
}

export function ScoreLines({ view, hand, side }: ScoreLinesProps) {
  const result = hand.sides[side];
  return (
    <section class="score-lines">
      <h3>{sideName(view, side)}</h3>
      <p class="soft">{handSummary(view, hand, side)}</p>
      <dl>
        {result.lines.map((line) => (
          <div
            key={line.kind + line.seat}
            class={`${line.points < 0 ? "loss" : "gain"} ${isNotable(line) ? "telling" : ""}`}
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
