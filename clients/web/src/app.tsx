// Which screen is shown, and what lies over every screen.

import { Dialogs } from "./parts/dialogs";
import { ConnectionNotice } from "./parts/link_notice";
import { LiveRegion, Toasts } from "./parts/notices";
import type { SeatView } from "./protocol";
import { AskName } from "./screens/ask_name";
import { ChooseRules } from "./screens/choose_rules";
import { Home } from "./screens/home";
import { Joining } from "./screens/joining";
import { Lobby } from "./screens/lobby";
import { Over } from "./screens/over";
import { Scored } from "./screens/scored";
import { JoinRefused } from "./screens/shut_out";
import { TableScreen } from "./screens/table";
import { session } from "./session";
import { changingSeats, choosing, code, scene, sheet, joinRefusal } from "./table";

export function App() {
  const shown = scene.value;
  const view = shown?.view;
  return (
    <div
      class="app"
      data-phase={view?.phase ?? ""}
      data-n={shown?.n ?? ""}
      data-turn={view?.turn ?? ""}
      data-you={view?.you ?? ""}
    >
      {atTable(view ?? null) ? <TableScreen view={view as SeatView} /> : <OtherScreen view={view ?? null} />}
      <ConnectionNotice />
      <LiveRegion />
      <Dialogs view={view ?? null} />
    </div>
  );
}

/** Between the start of a game and its first deal there is no score to show yet: the table is. */
function atTable(view: SeatView | null): boolean {
  if (!view || code.value === null || joinRefusal.value) return false;
  if (view.phase === "scored") return !sheet.value.length;
  return view.phase === "bidding" || view.phase === "passing" || view.phase === "playing";
}

function OtherScreen({ view }: { view: SeatView | null }) {
  return (
    <>
      <Screen view={view} />
      <Toasts />
    </>
  );
}

function Screen({ view }: { view: SeatView | null }) {
  if (code.value === null) return choosing.value ? <ChooseRules /> : <Home />;
  if (!session.value.name) return <AskName code={code.value} />;
  if (joinRefusal.value) return <JoinRefused code={code.value} refusal={joinRefusal.value} />;
  if (!view) return <Joining code={code.value} />;
  if (view.phase === "lobby") return <Lobby view={view} />;
  if (view.phase === "over") return changingSeats.value ? <Lobby view={view} /> : <Over view={view} />;
  return <Scored view={view} />;
}
