import { beforeEach, describe, expect, it, vi } from "vitest";
import { announcement, answer, moment, tell, toast, toasts } from "../src/notices";
import type { SeatView } from "../src/protocol";
import type { Scene, SeenEvent } from "../src/stage";
import { viewOf } from "./pictures";

const shown = (view: SeatView, events: SeenEvent[] = []): Scene => ({ n: 2, view, trick: null, events });
const lines = (): string[] => toasts.value.map((line) => line.text);

beforeEach(() => {
  vi.useFakeTimers();
  toasts.value = [];
  moment.value = null;
  announcement.value = "";
});

describe("what is said in passing", () => {
  it("goes with the situation it speaks of, when it is a hint or an answer", () => {
    toast("Link lost.");
    toast("You must follow clubs.", "hint");
    answer("It is your turn to play.");
    tell(shown(viewOf({})), viewOf({}));
    expect(lines()).toEqual(["Link lost."]);
    vi.advanceTimersByTime(4_000);
    expect(lines()).toEqual([]);
  });

  it("is heard again when it is asked for again", () => {
    answer("It is your turn to play.");
    const first = announcement.value;
    answer("It is your turn to play.");
    expect(announcement.value).not.toBe(first);
    expect(announcement.value.trim()).toBe(first);
    expect(lines()).toEqual(["It is your turn to play."]);
  });

  it("tells who has become the host", () => {
    const lobby = (host: number, you: number): SeatView => viewOf({ phase: "lobby", host, you });
    tell(shown(lobby(0, 0)), lobby(2, 0));
    expect(lines()).toEqual(["You are the host now: Start is yours."]);
    toasts.value = [];
    tell(shown(lobby(1, 1)), lobby(0, 0)); // the host has only changed seats
    expect(lines()).toEqual([]);
  });

  it("tells once that a contract is made", () => {
    const having = (helping: number): SeatView => {
      const view = viewOf({});
      view.sides[0] = { ...view.sides[0], contract: 6, taken: helping, helping };
      return view;
    };
    const taken: SeenEvent = { t: "trick_taken", seat: 0 };
    tell(shown(having(6), [taken]), having(5));
    expect(moment.value?.text).toBe("Your contract is made");
    moment.value = null;
    tell(shown(having(6), [taken]), having(6));
    expect(moment.value).toBeNull();
  });
});
