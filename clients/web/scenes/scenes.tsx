// A gallery of screens for development: `npx vite`, then /scenes/?scene=playing. The names are in views.ts.
//
// Parameters: theme=day, deck=four, dialog=sheet, seat=1, connection=waiting, long, back, gone, rest,
// toast, flash, banner, reply.

import { render } from "preact";
import { App } from "../src/app";
import { dialog, type DialogName, levelSeat } from "../src/dialogs";
import { parseRules, ruleError, rulesOpen, selectRules, startFrom } from "../src/house_rules";
import { banner, flash, replyToKey, toast } from "../src/notices";
import type { SeatView, Update } from "../src/protocol";
import { updateSession } from "../src/session";
import { applySettings, updateSettings } from "../src/settings";
import type { ConnectionState, SourceEvent, TableSource } from "../src/source";
import "../src/styles/index.css";
import { Table } from "../src/table";
import { update } from "../tests/samples";
import { hands, names, playing, rulesCard, views } from "./views";

const params = new URLSearchParams(location.search);
const name = params.get("scene") ?? "playing";
const isHome = ["home", "rules", "own", "invalid"].includes(name);

/** A source without a server: it shows what it is given and answers nothing. */
class GallerySource implements TableSource {
  private emit: (event: SourceEvent) => void = () => {};

  open(): void {}

  close(): void {}

  ask(): Promise<null> {
    return Promise.resolve(null);
  }

  onUpdate(listener: (event: SourceEvent) => void): void {
    this.emit = listener;
  }

  show(n: number, view: SeatView, more: Partial<Update> = {}): void {
    const present: Update["present"] = [true, true, !params.has("gone"), true];
    this.emit({ ...update(n, view), present, rules_card: rulesCard, ...more });
  }
}

applySettings();
updateSettings({
  theme: params.get("theme") === "day" ? "day" : "night",
  deck: params.get("deck") === "four" ? "four" : "two",
});
updateSession({ name: name === "ask" ? "" : names[0], table: null });

const source = new GallerySource();
const table = new Table(source, {
  code: isHome ? null : "KQXZP",
  connection: (params.get("connection") as ConnectionState) ?? "open",
  received: name === "toPassBack" ? ["5C", "TD"] : [],
  joinRefusal:
    name === "refused"
      ? { t: "refusal", code: "no_table", text: "There is no table KQXZP.", field: null, re: "" }
      : null,
});
const view = views[name];
if (view) {
  const sheet = ["scored", "over", "playing"].includes(name) ? hands : null;
  source.show(41, view, { sheet, ms_left: name === "scored" ? 14_000 : null });
}
if (params.has("rest")) {
  const tricks = [...playing.tricks, { leader: 1, cards: ["5H", "JH", "2H", "KH"], winner: 0 }];
  const hand = playing.hand.filter((card) => card !== "KH");
  const events: Update["events"] = [
    { t: "card_played", seat: 0, card: "KH" },
    { t: "trick_taken", seat: 0 },
  ];
  setTimeout(() => source.show(42, { ...playing, turn: 0, trick: null, tricks, hand }, { events }), 300);
}

if (params.has("back")) updateSession({ table: "KQXZP" });
rulesOpen.value = isHome && name !== "home";
if (name === "rules") selectRules({ ...startFrom("classic"), mode: "classic" });
if (name === "own" || name === "invalid")
  selectRules({ mode: "own", ...parseRules("casual,target=300,deck=jokers,nil_value=off,blind_nil=swap") });
if (name === "invalid")
  ruleError.value = { switch: "blind_nil", text: "These rules cannot be played: without nil there is no blind nil." };

dialog.value = params.get("dialog") as DialogName | null;
levelSeat.value = params.has("seat") ? Number(params.get("seat")) : null;
if (params.has("toast")) toast("You must follow hearts.");
if (params.has("reply")) replyToKey("You and Mara: 6 of 7, 4 bags. Ilya and Otto: 4 of 5, 8 bags.");
if (params.has("flash")) flash.value = { id: 1, text: "Nil by Mara made: 100", tone: "good" };
if (params.has("banner")) {
  const text = "The end of this hand was lost, so it is dealt again. The score stays as it was.";
  banner.value = { id: 1, text, tone: "neutral" };
}

render(<App table={table} />, document.getElementById("app") as HTMLElement);
