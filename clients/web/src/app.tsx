// The screen to show, and what lies over every screen.

import { rulesOpen } from "./house_rules";
import { Dialogs } from "./parts/dialogs";
import { ConnectionNotice, LiveRegion, Toasts } from "./parts/notices";
import { ChooseRules } from "./screens/choose_rules";
import { Home } from "./screens/home";
import { AskName, Joining, JoinRefused } from "./screens/join";
import { Lobby } from "./screens/lobby";
import { Over } from "./screens/over";
import { Scored } from "./screens/scored";
import { TableScreen } from "./screens/table";
import { session } from "./session";
import { type Table, TableContext } from "./table";
import type { TableState } from "./table_state";

export function App({ table }: { table: Table }) {
  const state = table.state.value;
  const { scene } = state;
  const view = scene?.view ?? null;
  return (
    <TableContext.Provider value={table}>
      <div
        class="app"
        data-phase={view?.phase ?? ""}
        data-n={scene?.n ?? ""}
        data-turn={view?.turn ?? ""}
        data-you={view?.you ?? ""}
      >
        {scene && isAtTable(state) ? (
          <TableScreen scene={scene} />
        ) : (
          <>
            <OtherScreen state={state} />
            <Toasts />
          </>
        )}
        <ConnectionNotice />
        <LiveRegion />
        <Dialogs view={view} />
      </div>
    </TableContext.Provider>
  );
}

function isAtTable({ code, scene, sheet, joinRefusal }: TableState): boolean {
  if (!scene || code === null || joinRefusal) return false;
  const { phase } = scene.view;
  // From the start of a game to its first deal there is no score to show yet.
  if (phase === "scored") return !sheet.length;
  return phase === "bidding" || phase === "passing" || phase === "playing";
}

function OtherScreen({ state: { code, scene, joinRefusal, changingSeats } }: { state: TableState }) {
  if (code === null) return rulesOpen.value ? <ChooseRules /> : <Home />;
  if (!session.value.name) return <AskName code={code} />;
  if (joinRefusal) return <JoinRefused code={code} refusal={joinRefusal} />;
  if (!scene) return <Joining code={code} />;
  const { view } = scene;
  if (view.phase === "lobby") return <Lobby view={view} />;
  if (view.phase === "over") return changingSeats ? <Lobby view={view} /> : <Over view={view} />;
  return <Scored view={view} />;
}
