// Development only: `npx vite`, then /scenes/?scene=playing shows one screen with a canned view. The names are in views.ts.

import { render } from "preact";
import { App } from "../src/app";
import { dialog, type DialogName, levelSeat } from "../src/dialogs";
import { ruleError, selectedRules, selectRules, parseRules, startFrom } from "../src/house_rules";
import { replyToKey, flash, banner, toast } from "../src/notices";
import type { SeatView, Update } from "../src/protocol";
import { updateSession } from "../src/session";
import { applySettings, updateSettings } from "../src/settings";
import { ScenePlayer } from "../src/scene_player";
import "../src/styles/index.css";
import {
  actsAt,
  choosing,
  code,
  connectionState,
  present,
  received,
  rulesCard,
  scene,
  sheet,
  joinRefusal,
} from "../src/table";
import { card, hands, names, playing, views } from "./views";

const asked = new URLSearchParams(location.search);

function update(view: SeatView, n: number, events: Update["events"] = []): Update {
  return {
    code: view.code,
    n,
    e: String(n),
    events,
    view,
    present: [true, true, !asked.has("gone"), true],
    sheet: null,
    rules_card: null,
    ms_left: null,
    fresh: false,
    re: null,
    t: "update",
  };
}

applySettings();
updateSettings({
  theme: asked.get("theme") === "day" ? "day" : "night",
  deck: asked.get("deck") === "four" ? "four" : "two",
});
const name = asked.get("scene") ?? "playing";
updateSession({ name: name === "ask" ? "" : names[0], table: name === "home" && asked.has("back") ? "KQXZP" : null });
const view = views[name];
const first = ["home", "rules", "own", "blamed"].includes(name);
code.value = first ? null : "KQXZP";
choosing.value = name !== "home" && first;
if (name === "rules") selectRules(startFrom("classic"));
if (name === "rules") selectRules({ ...selectedRules.value, mode: "classic" });
if (name === "own" || name === "blamed")
  selectRules({ mode: "own", ...parseRules("casual,target=300,deck=jokers,nil_value=off,blind_nil=swap") });
if (name === "blamed")
  ruleError.value = { switch: "blind_nil", text: "These rules cannot be played: without nil there is no blind nil." };
rulesCard.value = card;
if (name === "toPassBack") received.value = ["5C", "TD"];
if (name === "shut")
  joinRefusal.value = { code: "no_table", text: "There is no table KQXZP.", field: null, re: "", t: "refusal" };
const stage = new ScenePlayer(
  (next) => (scene.value = next),
  (ms, act) => {
    const id = setTimeout(act, ms);
    return () => clearTimeout(id);
  },
);
if (view) {
  stage.add(update(view, 41));
  present.value = [true, true, !asked.has("gone"), true];
  if (["scored", "over", "playing"].includes(name)) sheet.value = hands;
  if (name === "scored") actsAt.value = performance.now() + 14_000;
}
connectionState.value = (asked.get("link") as typeof connectionState.value) ?? "open";
dialog.value = asked.get("dialog") as DialogName | null;
levelSeat.value = asked.has("seat") ? Number(asked.get("seat")) : null;
if (asked.has("toast")) toast("You must follow hearts.");
if (asked.has("news"))
  banner.value = {
    id: 1,
    text: "The end of this hand was lost, so it is dealt again. The score stays as it was.",
    tone: "neutral",
  };
if (asked.has("answer")) replyToKey("You and Mara: 6 of 7, 4 bags. Ilya and Otto: 4 of 5, 8 bags.");
if (asked.has("moment")) flash.value = { id: 1, text: "Nil by Mara made: 100", tone: "good" };
if (asked.has("rest")) {
  const tricks = [...playing.tricks, { leader: 1, cards: ["5H", "JH", "2H", "KH"], winner: 0 }];
  setTimeout(
    () =>
      stage.add(
        update({ ...playing, turn: 0, trick: null, tricks, hand: playing.hand.filter((card) => card !== "KH") }, 42, [
          { t: "card_played", seat: 0, card: "KH" },
          { t: "trick_taken", seat: 0 },
        ]),
      ),
    300,
  );
}
render(<App />, document.getElementById("app") as HTMLElement);
