import { effect } from "@preact/signals";
import { beforeEach, describe, expect, it } from "vitest";
import { ruleError, rulesOpen } from "../src/house_rules";
import { toasts } from "../src/notices";
import type { Refusal } from "../src/protocol";
import { session } from "../src/session";
import { Table } from "../src/table";
import type { TableState } from "../src/table_state";
import { FakeSource, FakeTime } from "./fakes";
import { lastCard, seat, update, viewOf } from "./samples";

const refusal = (code: string, re: string | null = "id1", field: string | null = null): Refusal => ({
  t: "refusal",
  code,
  text: "No.",
  field,
  re,
});

let source: FakeSource;
let time: FakeTime;
let table: Table;

beforeEach(() => {
  source = new FakeSource();
  time = new FakeTime();
  table = new Table(source, {}, time.after);
  toasts.value = [];
});

const state = (): TableState => table.state.value;
/** Runs the callbacks of settled promises. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("a table", () => {
  it("is joined, and shows what the source reports", async () => {
    void table.join("KQXZP");
    expect([source.isOpen, source.requests]).toEqual([true, [{ t: "join_table", code: "KQXZP", n: null, e: null }]]);
    source.emit({ t: "state", state: "open" });
    source.emit({ ...update(7, viewOf({})), rules_card: ["No nil."], ms_left: 1_000 });
    expect(state()).toMatchObject({ connection: "open", scene: { n: 7 }, rulesCard: ["No nil."], delayed: null });
    expect(state().actsAt).toBeGreaterThan(performance.now());
    expect(session.value.table).toBe("KQXZP");
    source.emit({ t: "presence", code: "KQXZP", present: [true, false, true, true] });
    expect(state().present[1]).toBe(false);
  });

  it("takes its code from the first update of a table just made", async () => {
    const made = table.make();
    expect(source.requests).toEqual([{ t: "make_table", rules: "classic" }]);
    source.emit(update(1, viewOf({ phase: "lobby" })));
    source.answer(update(1, viewOf({ phase: "lobby" })));
    await made;
    expect(state()).toMatchObject({ code: "KQXZP", asking: false });
  });

  it("ignores stale updates", () => {
    source.emit(update(7, viewOf({})));
    const before = state();
    source.emit(update(6, viewOf({})));
    source.emit(update(9, viewOf({ code: "OTHER" })));
    expect(state()).toBe(before);
    source.emit({ ...update(6, viewOf({})), fresh: true });
    expect(state().update?.n).toBe(6);
  });

  it("shows why it cannot be joined, and forgets it as the last table", async () => {
    source.emit(update(7, viewOf({})));
    source.emit({ t: "rejoin_refused", refusal: refusal("no_table") });
    expect(state()).toMatchObject({ code: "KQXZP", scene: null, update: null, joinRefusal: { code: "no_table" } });
    expect(session.value.table).toBeNull();
    void table.join("KQXZP");
    expect(state().joinRefusal).toBeNull();
    source.answer(refusal("table_full"));
    await settle();
    expect(state().joinRefusal?.code).toBe("table_full");
  });

  it("is forgotten on the home screen", () => {
    void table.join("KQXZP");
    source.emit(lastCard(7));
    source.emit(lastCard(8));
    table.goHome();
    time.advance(5_000);
    expect(state()).toMatchObject({ code: null, scene: null, update: null, sheet: [] });
    expect([source.isOpen, table.rejoinRequest()]).toEqual([false, null]);
  });

  it("changes the code only with the table, so that going back in the history pushes no address", () => {
    const codes: (string | null)[] = [];
    effect(() => void codes.push(table.code.value));
    void table.join("KQXZP");
    source.emit({ t: "state", state: "open" });
    source.emit(update(7, viewOf({})));
    source.close = () => source.emit({ t: "state", state: "idle" });
    table.goTo(null);
    expect(codes).toEqual([null, "KQXZP", null]);
  });

  it("is rejoined at its newest update", () => {
    source.emit(update(7, viewOf({})));
    expect(table.rejoinRequest()).toEqual({ t: "join_table", code: "KQXZP", n: 7, e: "e7" });
  });

  it("marks the cards that the partner passed until the first trick is complete", () => {
    const passed = { t: "cards_passed" as const, seat: 2, to: 0, cards: ["5C", "TD"] };
    source.emit(update(1, viewOf({ phase: "passing" }), [passed]));
    source.emit(update(2, viewOf({})));
    expect(state().received).toEqual(["5C", "TD"]);
    source.emit(lastCard(3));
    expect(state().received).toEqual([]);
  });

  it("starts a new game with an empty score sheet, and leaves the change of seats", () => {
    source.emit({ ...update(1, viewOf({ phase: "over" })), sheet: [{} as never] });
    table.changeSeats(true);
    source.emit(update(2, viewOf({ phase: "over" })));
    expect(state()).toMatchObject({ sheet: [{}], changingSeats: true });
    source.emit(update(3, viewOf({ phase: "bidding" }), [{ t: "game_started", dealer: 1 }]));
    expect(state()).toMatchObject({ sheet: [], changingSeats: false });
  });
});

describe("a request", () => {
  beforeEach(() => {
    source.emit({ t: "state", state: "open" });
    source.emit(update(7, viewOf({})));
  });

  it("is made one at a time", async () => {
    expect(table.canAct.value).toBe(true);
    const bid = table.bid(3);
    expect([state().asking, table.canAct.value]).toEqual([true, false]);
    expect(await table.play("QS")).toBe(false);
    expect(source.requests).toEqual([{ t: "bid", on: "e7", bid: 3, blind: false }]);
    source.answer(update(8, viewOf({})));
    expect(await bid).toBe(true);
    expect(table.canAct.value).toBe(true);
  });

  it("that is refused shows the reason", async () => {
    const play = table.play("QS");
    source.emit(refusal("illegal"));
    source.answer(refusal("illegal"));
    expect(await play).toBe(false);
    expect(toasts.value.map(({ text }) => text)).toEqual(["No."]);
  });

  it("that is delayed says why until it is answered", async () => {
    const play = table.play("QS");
    source.emit({ t: "delayed", text: "Saving is paused." });
    expect(state().delayed).toBe("Saving is paused.");
    source.answer(update(8, viewOf({})));
    await play;
    expect(state().delayed).toBeNull();
  });

  it("for rules that contradict each other opens the rules with the error", async () => {
    rulesOpen.value = true;
    const made = table.make();
    source.answer(refusal("bad_rules", "id1", "blind_nil"));
    await made;
    expect(ruleError.value).toEqual({ switch: "blind_nil", text: "No." });
    expect(toasts.value).toEqual([]);
  });

  it("to leave between games forgets the table, in a game only goes home", async () => {
    const left = { t: "left" as const, re: "id1" };
    const leave = table.leave();
    source.answer(left);
    await leave;
    expect([state().code, session.value.table]).toEqual([null, "KQXZP"]);
    source.emit(update(1, viewOf({ phase: "lobby", seats: viewOf({}).seats.map(() => seat("Jo")) as never })));
    const leaveLobby = table.leave();
    source.answer(left);
    await leaveLobby;
    expect([state().code, session.value.table]).toEqual([null, null]);
  });
});
