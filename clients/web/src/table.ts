// The table this page is at, as signals: what the server said last, and what is shown of it.

import { computed, signal } from "@preact/signals";
import { codeIn, go, RULES_HASH } from "./address";
import { browser, newId, nudgeOnWaking } from "./browser";
import { forgetWhere } from "./motion";
import { tell, toast } from "./notices";
import type { Card, HandScored, Refusal, SeatView, Update } from "./protocol";
import { remember, session } from "./session";
import { type Scene, Stage } from "./stage";
import { type Answer, type Link, type Owner, Wire } from "./wire";

/** The code of the table the page is at or on its way to; null on the first screen. */
export const code = signal<string | null>(codeIn(location.pathname));
export const link = signal<Link>("idle");
export const live = signal<Update | null>(null);
export const scene = signal<Scene | null>(null);
export const sheet = signal<HandScored[]>([]);
export const present = signal<boolean[]>([true, true, true, true]);
/** When the table acts by itself, on the page's clock. */
export const actsAt = signal<number | null>(null);
/** Why the table of this address cannot be shown. */
export const shutOut = signal<Refusal | null>(null);
/** Why the table cannot be shown yet, while the page goes on trying. */
export const heldUp = signal<string | null>(null);
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
export const canAct = computed(() => link.value === "open");

const stage = new Stage((next) => {
  const before = scene.peek()?.view ?? null;
  scene.value = next;
  tell(next, before);
}, browser.after);

const owner: Owner = {
  linkChanged: (next) => {
    link.value = next;
  },
  introduction: () => ({ name: session.peek().name, token: session.peek().token }),
  welcomed: ({ token, name }) => remember({ token, name }),
  turnedAway: ({ text }) => {
    toast(text);
    remember({ name: "" });
  },
  received: (message) => {
    if (message.t === "update") take(message);
    else if (message.t === "presence" && message.code === code.peek()) present.value = message.present;
    else if (message.t === "refusal" && message.re === null) toast(message.text);
  },
  heldUp: ({ text }) => {
    heldUp.value = text;
  },
  resume: () => {
    const seen = live.peek();
    return code.peek() && seen ? { t: "join_table", id: newId(), code: seen.code, n: seen.n, e: seen.e } : null;
  },
  resumed: (answer) => {
    if (answer?.t === "refusal") turnOut(answer);
  },
};

export const wire = new Wire(browser, owner);

function take(update: Update): void {
  const known = live.peek();
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
  live.value = update;
  heldUp.value = null;
  if (code.peek() === null) arrive(update.code);
  remember({ table: update.code });
  stage.add(update);
}

function newDeal(): void {
  deals.value++;
  forgetWhere();
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
function arrive(at: string): void {
  code.value = at;
  go(at);
}

/** The table cannot be joined: its screen says why. */
export function turnOut(refusal: Refusal): void {
  shutOut.value = refusal;
  heldUp.value = null;
  if (session.peek().table === code.peek()) remember({ table: null });
  live.value = null;
  scene.value = null;
}

export function hurry(): void {
  stage.hurry();
}

/** Forgets the table on this page; the seat is not touched. */
export function clearTable(): void {
  stage.clear();
  live.value = scene.value = shutOut.value = heldUp.value = actsAt.value = null;
  sheet.value = [];
  rulesCard.value = [];
  received.value = [];
  changingSeats.value = false;
}

/** Toasts a refusal; true when the request was done. */
export function done(answer: Answer): boolean {
  if (answer) heldUp.value = null;
  if (answer?.t === "refusal") toast(answer.text);
  return answer !== null && answer.t !== "refusal";
}

nudgeOnWaking(wire);
