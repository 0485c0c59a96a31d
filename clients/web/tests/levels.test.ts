import { beforeEach, describe, expect, it, vi } from "vitest";
import { announcement, announceScene, toasts } from "../src/notices";
import { DEFAULT_LEVEL, LEVELS } from "../src/protocol";
import type { VisibleEvent } from "../src/scene_player";
import { loadSettings } from "../src/settings";
import { eventText } from "../src/text/events";
import { botOfLevel, emptySeatsText, LEVEL_DESCRIPTIONS, levelDialogTitle } from "../src/text/levels";
import { seat, viewOf } from "./samples";

describe("the level of a bot", () => {
  it("has a description", () => {
    expect(Object.keys(LEVEL_DESCRIPTIONS)).toEqual([...LEVELS]);
  });

  it("has the right article", () => {
    expect(LEVELS.map(botOfLevel)).toEqual(["an easy bot", "a medium bot", "a hard bot", "an expert bot"]);
  });

  it("names the bots that take the empty seats", () => {
    expect(emptySeatsText(1, "expert")).toBe("1 empty seat: an expert bot takes it.");
    expect(emptySeatsText(3, "easy")).toBe("3 empty seats: easy bots take them.");
  });

  it("is chosen for a bot, for one to be added, or for the bots that fill empty seats", () => {
    const view = viewOf({ seats: [seat("Jo"), seat("", { kind: "empty" }), seat("Mara"), viewOf({}).seats[3]] });
    expect(levelDialogTitle(view, 3)).toBe("How strong is Otto?");
    expect(levelDialogTitle(view, 1)).toBe("Add a bot");
    expect(levelDialogTitle(view, null)).toBe("How strong are the bots?");
    expect(levelDialogTitle(null, null)).toBe("How strong are the bots?");
  });
});

describe("a chosen level", () => {
  const changed: VisibleEvent = { t: "bot_level_changed", seat: 3, level: "easy" };
  const shown = (host: number) => ({ n: 2, view: viewOf({ phase: "scored", host }), trick: null, events: [changed] });

  beforeEach(() => {
    toasts.value = [];
    announcement.value = "";
  });

  it("is announced when a bot sits down and when it changes", () => {
    const seated: VisibleEvent = { t: "bot_seated", seat: 3, name: "Otto", level: "expert" };
    expect(eventText(seated, viewOf({}), null)).toBe("Otto, an expert bot, sits down.");
    expect(eventText(changed, viewOf({}), null)).toBe("Otto is an easy bot now.");
  });

  it("is announced to everybody and shown to everybody but the host", () => {
    announceScene(shown(2), viewOf({}));
    expect(announcement.value).toBe("Otto is an easy bot now.");
    expect(toasts.value.map((line) => line.text)).toEqual(["Otto is an easy bot now."]);
    toasts.value = [];
    announceScene(shown(0), viewOf({}));
    expect(toasts.value).toEqual([]);
  });

  it("is stored, and ignored if this version does not know it", () => {
    const stored = (botLevel?: string): string => {
      vi.stubGlobal("localStorage", { getItem: () => JSON.stringify({ botLevel }) });
      return loadSettings().botLevel;
    };
    expect([stored("easy"), stored("perfect"), stored()]).toEqual(["easy", DEFAULT_LEVEL, DEFAULT_LEVEL]);
    vi.unstubAllGlobals();
  });
});
