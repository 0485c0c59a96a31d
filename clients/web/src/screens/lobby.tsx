// Before a game: seats and partners, the link for friends, the rules, and Start.

import { dialog, openLevelDialog } from "../dialogs";
import { Rules } from "../parts/dialogs";
import { SeatRing } from "../parts/seat_ring";
import { ShareLink } from "../parts/share_link";
import type { SeatView } from "../protocol";
import { SEATS } from "../seats";
import { settings } from "../settings";
import { useTable } from "../table";
import { emptySeatsText } from "../text/levels";
import { nameOf } from "../text/table";

export function Lobby({ view }: { view: SeatView }) {
  const table = useTable();
  const isAfterGame = view.phase === "over";
  return (
    <main class="lobby">
      <header class="lobby-head">
        <button
          type="button"
          class="link-button"
          onClick={() => (isAfterGame ? table.changeSeats(false) : table.goHome())}
        >
          ‹ {isAfterGame ? "Result" : "Home"}
        </button>
        <button type="button" class="button" data-testid="menu" onClick={() => (dialog.value = "menu")}>
          Menu
        </button>
      </header>
      <section class="lobby-table">
        <h1 class="visually-hidden">Seats</h1>
        <SeatRing view={view} />
        <StartRow view={view} />
      </section>
      <aside class="lobby-side">
        <ShareLink code={view.code} />
        <section class="panel-card">
          <h2>Rules of this table</h2>
          <Rules />
        </section>
      </aside>
    </main>
  );
}

export function StartRow({ view, again = false }: { view: SeatView; again?: boolean }) {
  const table = useTable();
  const empty = SEATS.filter((seat) => view.seats[seat].kind === "empty").length;
  if (view.you === null) return <p class="start-note">Tap a seat to sit down.</p>;
  if (view.host !== view.you) {
    return <p class="start-note">{waitingForHost(view, again)}</p>;
  }
  return (
    <div class="start-row">
      <button
        type="button"
        class="button primary wide"
        data-testid={again ? "play-again" : "start-game"}
        disabled={!table.canAct.value}
        onClick={table.start}
      >
        {again ? "Play again" : "Start"}
      </button>
      {empty > 0 && (
        <button type="button" class="inline-choice" data-testid="bot-level" onClick={() => openLevelDialog(null)}>
          {emptySeatsText(empty, settings.value.botLevel)} <span>Change</span>
        </button>
      )}
    </div>
  );
}

/** "Waiting for Mara to start." */
function waitingForHost(view: SeatView, again: boolean): string {
  if (view.host === null) return "Waiting for a host to start.";
  const away = view.seats[view.host].away ? ", who is away," : "";
  return `Waiting for ${nameOf(view, view.host)}${away} to start${again ? " again" : ""}.`;
}
