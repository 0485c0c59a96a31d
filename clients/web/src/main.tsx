// The page begins: settings onto the page, the address to a screen, the app into the document.

import { render } from "preact";
import { followAddress, joinTable } from "./actions";
import { App } from "./app";
import { listenToKeys } from "./keys";
import { session } from "./session";
import { applySettings } from "./settings";
import "./styles/index.css";
import { code } from "./table";

applySettings();
listenToKeys();
addEventListener("popstate", followAddress);
if (code.value !== null && session.value.name) void joinTable(code.value);
render(<App />, document.getElementById("app") as HTMLElement);
