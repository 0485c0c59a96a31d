// The end of a game: the winner, another game, and the whole score sheet.

import { dialog } from "../dialogs";
import { ScoreSheet } from "../parts/score";
import type { SeatView } from "../protocol";
import { sidesNearFirst } from "../seats";
import { useTable } from "../table";
import { endReason, formatPoints, isOwnSide, sideName, winnerText } from "../text/table";
import { StartRow } from "./lobby";

export function Over({ view }: { view: SeatView }) {
  const table = useTable();
  const winner = view.outcome?.winner ?? null;
  return (
    <main class="over" data-testid="game-over">
      <div class="scored-panel">
        <header class="over-head">
          <h1 class={winner !== null && isOwnSide(view, winner) ? "won" : ""}>{winnerText(view)}</h1>
          <p class="muted">{endReason(view)}</p>
          <Finals view={view} />
        </header>
        <div class="next-row">
          <StartRow view={view} again />
          <div class="dialog-buttons">
            <button type="button" class="button" data-testid="change-seats" onClick={() => table.changeSeats(true)}>
              Change seats
            </button>
            <button type="button" class="button" data-testid="menu" onClick={() => (dialog.value = "menu")}>
              Menu
            </button>
            <button type="button" class="button" data-testid="leave-after" onClick={() => (dialog.value = "leave")}>
              Leave
            </button>
          </div>
        </div>
        <ScoreSheet view={view} />
      </div>
    </main>
  );
}

function Finals({ view }: { view: SeatView }) {
  const winner = view.outcome?.winner ?? null;
  return (
    <div class="finals">
      {sidesNearFirst(view).map((side) => (
        <div key={side} class={side === winner ? "final winner" : "final"}>
          <b>{formatPoints(view.sides[side].score)}</b>
          <span>{sideName(view, side)}</span>
        </div>
      ))}
    </div>
  );
}
