// Starts the page: connects a table to the server and renders the app.

import { effect } from "@preact/signals";
import { render } from "preact";
import { codeFromPath, isRulesAddress, pushAddress } from "./address";
import { App } from "./app";
import { browser, reconnectOnWake } from "./browser";
import { Connection } from "./connection";
import { rulesOpen } from "./house_rules";
import { listenToKeys } from "./keys";
import { session, updateSession } from "./session";
import { applySettings } from "./settings";
import "./styles/index.css";
import { Table } from "./table";

const connection: Connection = new Connection(browser, {
  credentials: () => session.peek(),
  welcomed: ({ token, name }) => updateSession({ token, name }),
  rejoinRequest: () => table.rejoinRequest(),
});
const code = codeFromPath(location.pathname);
const table = new Table(connection, { code });

/** The title says when it is the player's turn, for a page in another tab. */
function updateTitle(): void {
  const view = table.state.value.scene?.view;
  const isYourTurn = view && view.turn !== null && view.turn === view.you;
  document.title = isYourTurn ? "Your turn · Fourth Seat" : "Fourth Seat";
}

function followAddress(): void {
  rulesOpen.value = isRulesAddress();
  table.goTo(codeFromPath(location.pathname));
}

applySettings();
reconnectOnWake(connection);
listenToKeys(table);
effect(updateTitle);
effect(() => pushAddress(table.code.value));
addEventListener("popstate", followAddress);
rulesOpen.value = isRulesAddress();
if (code !== null && session.value.name) void table.join(code);
render(<App table={table} />, document.getElementById("app") as HTMLElement);
