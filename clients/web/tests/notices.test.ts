import { beforeEach, describe, expect, it, vi } from "vitest";
import { announcement, announceScene, banner, flash, replyToKey, toast, toasts } from "../src/notices";
import type { SeatView } from "../src/protocol";
import type { Scene, VisibleEvent } from "../src/scene_player";
import { handReceived, viewOf } from "./samples";

const shown = (view: SeatView, events: VisibleEvent[] = []): Scene => ({ n: 2, view, trick: null, events });
const lines = (): string[] => toasts.value.map((line) => line.text);

beforeEach(() => {
  vi.useFakeTimers();
  toasts.value = [];
  flash.value = null;
  banner.value = null;
  announcement.value = "";
});

describe("a notice", () => {
  it("goes with the scene if it is a hint or the reply to a key", () => {
    toast("Link lost.");
    toast("You must follow clubs.", "hint");
    replyToKey("It is your turn to play.");
    announceScene(shown(viewOf({})), viewOf({}));
    expect(lines()).toEqual(["Link lost."]);
    vi.advanceTimersByTime(4_000);
    expect(lines()).toEqual([]);
  });

  it("is read again when the key is pressed again", () => {
    replyToKey("It is your turn to play.");
    const first = announcement.value;
    replyToKey("It is your turn to play.");
    expect(announcement.value).not.toBe(first);
    expect(announcement.value.trim()).toBe(first);
    expect(lines()).toEqual(["It is your turn to play."]);
  });

  it("stays long enough to read that a hand is dealt again", () => {
    announceScene(shown(viewOf({ phase: "bidding" }), [{ t: "hand_voided", number: 1 }, handReceived(1)]), viewOf({}));
    const text = "The end of this hand was lost, so it is dealt again. The score stays as it was.";
    expect(announcement.value).toBe(`${text} Hand 1. `);
    announceScene(shown(viewOf({ phase: "bidding" })), viewOf({ phase: "bidding" })); // the others go on bidding
    vi.advanceTimersByTime(11_999);
    expect(banner.value?.text).toBe(text);
    vi.advanceTimersByTime(1);
    expect(banner.value).toBeNull();
  });

  it("tells the player who became the host", () => {
    const lobby = (host: number, you: number): SeatView => viewOf({ phase: "lobby", host, you });
    announceScene(shown(lobby(0, 0)), lobby(2, 0));
    expect(lines()).toEqual(["You are the host now and can start the game."]);
    toasts.value = [];
    announceScene(shown(lobby(1, 1)), lobby(0, 0)); // the host only changed seats
    expect(lines()).toEqual([]);
  });

  it("says once that a contract is made", () => {
    const having = (helping: number): SeatView => {
      const view = viewOf({});
      view.sides[0] = { ...view.sides[0], contract: 6, taken: helping, helping };
      return view;
    };
    const taken: VisibleEvent = { t: "trick_taken", seat: 0 };
    announceScene(shown(having(6), [taken]), having(5));
    expect(flash.value?.text).toBe("Your contract is made");
    flash.value = null;
    announceScene(shown(having(6), [taken]), having(6));
    expect(flash.value).toBeNull();
  });
});
