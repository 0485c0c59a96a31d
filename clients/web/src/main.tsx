// The page begins: settings onto the page, the address to a screen, the app into the document.

import { effect } from "@preact/signals";
import { render } from "preact";
import { followAddress, joinTable } from "./actions";
import { App } from "./app";
import { listenToKeys } from "./keys";
import { session } from "./session";
import { applySettings } from "./settings";
import "./styles/index.css";
import { code, scene } from "./table";

/** In another tab one still sees that the table waits. */
function nameThePage(): void {
  const view = scene.value?.view;
  const yours = view && view.turn !== null && view.turn === view.you;
  document.title = yours ? "Your turn · Fourth Seat" : "Fourth Seat";
}

applySettings();
effect(nameThePage);
listenToKeys();
addEventListener("popstate", followAddress);
if (code.value !== null && session.value.name) void joinTable(code.value);
render(<App />, document.getElementById("app") as HTMLElement);
