// Between hands: where the points of the last one come from, and the way to the next.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { dialog, openLevelDialog } from "../dialogs";
import { ScoreLines } from "../parts/score";
import type { HandScored, SeatView } from "../protocol";
import { SEATS, sidesNearFirst } from "../seats";
import { useTable } from "../table";
import { isYou, nameOf } from "../text/table";

export function Scored({ view }: { view: SeatView }) {
  const hand = useTable().state.value.sheet.at(-1) as HandScored;
  return (
    <main class="scored">
      <div class="scored-panel">
        <header class="dialog-head">
          <h1>Hand {hand.number}</h1>
          <div class="tools">
            <button type="button" class="button" data-testid="open-sheet" onClick={() => (dialog.value = "sheet")}>
              All hands
            </button>
            <button type="button" class="button" data-testid="menu" onClick={() => (dialog.value = "menu")}>
              Menu
            </button>
          </div>
        </header>
        <div class="both-sides">
          {sidesNearFirst(view).map((side) => (
            <ScoreLines key={side} view={view} hand={hand} side={side} />
          ))}
        </div>
        <NextHandRow view={view} />
        {view.host !== null && view.host === view.you && <BotRow view={view} />}
      </div>
    </main>
  );
}

function NextHandRow({ view }: { view: SeatView }) {
  const table = useTable();
  const { present } = table.state.value;
  const isReady = view.you !== null && view.seats[view.you].ready;
  return (
    <footer class="next-row">
      {view.you !== null && (
        <button
          type="button"
          class="button primary wide"
          data-testid="next-hand"
          disabled={isReady || !table.canAct.value}
          onClick={table.nextHand}
        >
          {isReady ? "Ready" : "Next hand"}
        </button>
      )}
      <p class="muted">{isReady ? waitingText(view, present) : ""}</p>
      <Countdown />
    </footer>
  );
}

/** The host may change the level of a bot before the next hand. */
function BotRow({ view }: { view: SeatView }) {
  const bots = SEATS.filter((seat) => view.seats[seat].kind === "bot");
  return (
    bots.length > 0 && (
      <ul class="bot-row" aria-label="Levels of the bots">
        {bots.map((seat) => (
          <li key={seat}>
            <button
              type="button"
              class="inline-choice"
              data-testid={`change-bot-${seat}`}
              onClick={() => openLevelDialog(seat)}
            >
              {nameOf(view, seat)}: <b>{view.seats[seat].level}</b> · <span>change</span>
            </button>
          </li>
        ))}
      </ul>
    )
  );
}

/** Names the players that are present and not ready. */
function waitingText(view: SeatView, present: readonly boolean[]): string {
  const names = SEATS.filter((seat) => {
    const { kind, away, ready } = view.seats[seat];
    return kind === "person" && !away && !ready && present[seat] && !isYou(view, seat);
  }).map((seat) => nameOf(view, seat));
  return names.length ? `Waiting for ${names.join(" and ")}.` : "";
}

/** The time until the next hand begins by itself: "Next hand in 0:23". */
function Countdown() {
  const { actsAt } = useTable().state.value;
  const left = (): number | null =>
    actsAt === null ? null : Math.max(0, Math.ceil((actsAt - performance.now()) / 1000));
  const seconds = useSignal(left());
  useEffect(() => {
    seconds.value = left();
    const id = setInterval(() => (seconds.value = left()), 250);
    return () => clearInterval(id);
  }, [actsAt]);
  if (seconds.value === null) return null;
  return (
    <p class="countdown muted">
      Next hand in {Math.floor(seconds.value / 60)}:{String(seconds.value % 60).padStart(2, "0")}
    </p>
  );
}
