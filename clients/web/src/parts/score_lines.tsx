// One side's result of one hand: every reason for points in words, adding up.

import type { HandScored, SeatView, Side } from "../protocol";
import { handWords, isTelling, lineWords, totalWords } from "../score_words";
import { plain, sideName, signed } from "../words";

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
      <p class="soft">{handWords(view, hand, side)}</p>
      <dl>
        {result.lines.map((line) => (
          <div
            key={line.kind + line.seat}
            class={`${line.points < 0 ? "loss" : "gain"} ${isTelling(line) ? "telling" : ""}`}
          >
            <dt>{lineWords(view, hand, side, line)}</dt>
            <dd>{signed(line.points)}</dd>
          </div>
        ))}
        <div class="sum">
          <dt>This hand</dt>
          <dd>{signed(result.points)}</dd>
        </div>
        <div class="total">
          <dt>{totalWords(view, result.bags)}</dt>
          <dd>{plain(result.score)}</dd>
        </div>
      </dl>
    </section>
  );
}
