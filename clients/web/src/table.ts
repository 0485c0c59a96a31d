// The table this page is at, as signals: what the server said last, and what is shown of it.

import { computed, signal } from "@preact/signals";
import { codeFromPath, go, RULES_HASH } from "./address";
import { browser, newId, reconnectOnWake } from "./browser";
import { forgetPositions } from "./motion";
import { announceScene, toast } from "./notices";
import type { Card, HandScored, Refusal, SeatView, Update } from "./protocol";
import { updateSession, session } from "./session";
import { type Scene, ScenePlayer } from "./scene_player";
import { type Answer, type ConnectionState, type Owner, Connection } from "./connection";

/** The code of the table the page is at or on its way to; null on the first screen. */
export const code = signal<string | null>(codeFromPath(location.pathname));
export const connectionState = signal<ConnectionState>("idle");
export const latest = signal<Update | null>(null);
export const scene = signal<Scene | null>(null);
export const sheet = signal<HandScored[]>([]);
export const present = signal<boolean[]>([true, true, true, true]);
/** When the table acts by itself, on the page's clock. */
export const actsAt = signal<number | null>(null);
/** Why the table of this address cannot be shown. */
export const joinRefusal = signal<Refusal | null>(null);
/** Why the table cannot be shown yet, while the page goes on trying. */
export const delayed = signal<string | null>(null);
/** After a game: the seats are shown instead of the result. */
export const changingSeats = signal(false);

/** The rules of this table in sentences, as the server told them. */
export const rulesCard = signal<string[]>([]);
/** Counts deals: what was begun with the cards of one hand, such as a bid half chosen, ends with it. */
export const deals = signal(0);
/** Cards that the partner has just passed; they are marked until the first trick is over. */
export const received = signal<readonly Card[]>([]);
/** On the first screen: the rules of the next table are being chosen. */
export const choosing = signal(location.hash === RULES_HASH);

/** Requests are kept while the connection is away, but nothing new is begun. */
export const canAct = computed(() => connectionState.value === "open");

const player = new ScenePlayer((next) => {
  const before = scene.peek()?.view ?? null;
  scene.value = next;
  announceScene(next, before);
}, browser.after);

const owner: Owner = {
  stateChanged: (next) => {
    connectionState.value = next;
  },
  introduction: () => ({ name: session.peek().name, token: session.peek().token }),
  welcomed: ({ token, name }) => updateSession({ token, name }),
  helloRejected: ({ text }) => {
    toast(text);
    updateSession({ name: "" });
  },
  received: (message) => {
    if (message.t === "update") applyUpdate(message);
    else if (message.t === "presence" && message.code === code.peek()) present.value = message.present;
    else if (message.t === "refusal" && message.re === null) toast(message.text);
  },
  delayed: ({ text }) => {
    delayed.value = text;
  },
  resume: () => {
    const seen = latest.peek();
    return code.peek() && seen ? { t: "join_table", id: newId(), code: seen.code, n: seen.n, e: seen.e } : null;
  },
  resumed: (answer) => {
    if (answer?.t === "refusal") rejectJoin(answer);
  },
};

export const connection = new Connection(browser, owner);

function applyUpdate(update: Update): void {
  const known = latest.peek();
  if (code.peek() !== null && code.peek() !== update.code) return; // a late word from a table we left
  if (known && !update.fresh && update.n < known.n) return; // an answer older than what we have seen
  if (update.events.some((event) => event.t === "game_started")) {
    sheet.value = [];
    changingSeats.value = false;
  }
  if (update.sheet) sheet.value = update.sheet;
  if (update.rules_card) rulesCard.value = update.rules_card;
  if (update.fresh || update.events.some((event) => event.t === "hand_received")) newDeal();
  received.value = receivedBy(update);
  present.value = update.present;
  actsAt.value = update.ms_left === null ? null : performance.now() + update.ms_left;
  latest.value = update;
  delayed.value = null;
  if (code.peek() === null) showTable(update.code);
  updateSession({ table: update.code });
  player.add(update);
}

function newDeal(): void {
  deals.value++;
  forgetPositions();
}

/** What was passed to the viewer, while it is new. */
function receivedBy({ events, view }: Update): readonly Card[] {
  if (!isFresh(view)) return [];
  const passed = events.find((event) => event.t === "cards_passed" && event.to === view.you);
  return passed?.t === "cards_passed" ? passed.cards : received.peek();
}

const isFresh = ({ phase, tricks }: SeatView): boolean =>
  phase === "passing" || (phase === "playing" && tricks.length === 0);

/** A table we made has told its code. */
function showTable(at: string): void {
  code.value = at;
  go(at);
}

/** The table cannot be joined: its screen says why. */
export function rejectJoin(refusal: Refusal): void {
  joinRefusal.value = refusal;
  delayed.value = null;
  if (session.peek().table === code.peek()) updateSession({ table: null });
  latest.value = null;
  scene.value = null;
}

export function hurry(): void {
  player.skipAnimation();
}

/** Forgets the table on this page; the seat is not touched. */
export function clearTable(): void {
  player.clear();
  latest.value = scene.value = joinRefusal.value = delayed.value = actsAt.value = null;
  sheet.value = [];
  rulesCard.value = [];
  received.value = [];
  changingSeats.value = false;
}

/** Toasts a refusal; true when the request was done. */
export function done(answer: Answer): boolean {
  if (answer) delayed.value = null;
  if (answer?.t === "refusal") toast(answer.text);
  return answer !== null && answer.t !== "refusal";
}

reconnectOnWake(connection);
