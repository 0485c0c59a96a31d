// Between hands: where the points of the last one come from, and on to the next.

import { asking, nextHand } from "../actions";
import { openLevelDialog, dialog } from "../dialogs";
import { Countdown } from "../parts/countdown";
import { ScoreLines } from "../parts/score_lines";
import type { HandScored, SeatView } from "../protocol";
import { SEATS, sidesNearFirst } from "../seats";
import { canAct, present, sheet } from "../table";
import { isYou, nameOf } from "../text/table";

export function Scored({ view }: { view: SeatView }) {
  const hand = sheet.value.at(-1) as HandScored;
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
  const asked = view.you !== null && view.seats[view.you].ready;
  return (
    <footer class="next-row">
      {view.you !== null && (
        <button
          type="button"
          class="button primary wide"
          data-testid="next-hand"
          disabled={asked || asking.value || !canAct.value}
          onClick={nextHand}
        >
          {asked ? "Ready" : "Next hand"}
        </button>
      )}
      <p class="soft">{asked ? waitingText(view) : ""}</p>
      <Countdown what="Next hand" />
    </footer>
  );
}

/** The host may make a bot stronger or weaker before the next hand. */
function BotRow({ view }: { view: SeatView }) {
  const bots = SEATS.filter((seat) => view.seats[seat].kind === "bot");
  return (
    bots.length > 0 && (
      <ul class="bot-row" aria-label="Levels of the bots">
        {bots.map((seat) => (
          <li key={seat}>
            <button
              type="button"
              class="chosen-line"
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

/** Only those who are there are waited for. */
function waitingText(view: SeatView): string {
  const names = SEATS.filter((seat) => {
    const { kind, away, ready } = view.seats[seat];
    return kind === "person" && !away && !ready && present.value[seat] && !isYou(view, seat);
  }).map((seat) => nameOf(view, seat));
  return names.length ? `Waiting for ${names.join(" and ")}.` : "";
}
