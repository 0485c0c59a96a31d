// What a person does: make a table, join one, sit, start, bid, play, go on, leave.

import { signal } from "@preact/signals";
import { codeFromPath, go, goToRules, RULES_HASH } from "./address";
import { newId } from "./browser";
import { ruleError, ruleErrorOf, selectedRules, formatRules } from "./house_rules";
import type { Level } from "./text/levels";
import type { Card, Seat } from "./protocol";
import { updateSession } from "./session";
import { settings } from "./settings";
import { choosing, clearTable, code, done, hurry, latest, rejectJoin, connection } from "./table";
import type { Answer, Request } from "./connection";

/** Something was asked and not answered yet; its button rests meanwhile. */
export const asking = signal(false);

async function answerTo(request: Request): Promise<Answer> {
  if (asking.peek()) return null;
  asking.value = true;
  const answer = await connection.ask(request);
  asking.value = false;
  return answer;
}

const ask = async (request: Request): Promise<boolean> => done(await answerTo(request));

/** A table with the chosen rules; when they contradict each other, on to where they can be mended. */
export async function makeTable(): Promise<void> {
  clearTable();
  code.value = null;
  connection.open();
  const answer = await answerTo({ t: "make_table", id: newId(), rules: formatRules(selectedRules.peek()) });
  if (answer?.t !== "refusal" || answer.code !== "bad_rules") return void done(answer);
  if (!choosing.peek()) changeRules();
  ruleError.value = ruleErrorOf(answer);
}

export async function playWithBots(): Promise<void> {
  await makeTable();
  if (latest.peek()) await start();
}

/** To the rules of the next table. */
export function changeRules(): void {
  goToRules(true);
  choosing.value = true;
}

export function closeRules(): void {
  goToRules(false);
  choosing.value = false;
  ruleError.value = null;
}

/** Goes to a table's address and joins it, for the first time or again. */
export async function joinTable(at: string): Promise<void> {
  clearTable();
  code.value = at;
  go(at);
  connection.open();
  const answer = await connection.ask({ t: "join_table", id: newId(), code: at, n: null, e: null });
  if (answer?.t === "refusal" && code.peek() === at) rejectJoin(answer);
}

/** Home again without giving up the seat. */
export function goHome(): void {
  connection.close();
  clearTable();
  code.value = null;
  choosing.value = false;
  go(null);
}

export const sit = (seat: Seat): Promise<boolean> => ask({ t: "sit", id: newId(), seat });
/** Seats a bot, or gives the one that sits there another level. */
export const addBot = (seat: Seat, level: Level): Promise<boolean> => ask({ t: "add_bot", id: newId(), seat, level });
export const dropBot = (seat: Seat): Promise<boolean> => ask({ t: "drop_bot", id: newId(), seat });
export const start = (): Promise<boolean> => ask({ t: "start", id: newId(), level: settings.peek().botLevel });

/** The id of the update that is answered. */
const seen = (): string => latest.peek()?.e ?? "";

export const look = (): Promise<boolean> => ask({ t: "look", id: newId() });
export const bid = (tricks: number, blind = false): Promise<boolean> =>
  ask({ t: "bid", id: newId(), on: seen(), bid: tricks, blind });
export const pass = (cards: readonly Card[]): Promise<boolean> =>
  ask({ t: "pass", id: newId(), on: seen(), cards: [...cards] });
export const play = (card: Card): Promise<boolean> => ask({ t: "play", id: newId(), on: seen(), card });
export const nextHand = (): Promise<boolean> => ask({ t: "next_hand", id: newId(), on: seen() });

/** A bot plays for me though I am here: joining again takes the hand back. */
export function takeBack(): Promise<boolean> {
  hurry();
  const { n = null, e = null } = latest.peek() ?? {};
  return ask({ t: "join_table", id: newId(), code: code.peek() ?? "", n, e });
}

export async function leave(): Promise<void> {
  const between = ["lobby", "over"].includes(latest.peek()?.view.phase ?? "");
  if (!(await ask({ t: "leave", id: newId() }))) return;
  if (between) updateSession({ table: null });
  goHome();
}

/** The evicted window takes the seat back. */
export const playHere = (): void => connection.open();

/** The browser's back and forward buttons. */
export function followAddress(): void {
  const at = codeFromPath(location.pathname);
  choosing.value = location.hash === RULES_HASH;
  if (at === code.peek()) return;
  if (at === null) goHome();
  else void joinTable(at);
}
