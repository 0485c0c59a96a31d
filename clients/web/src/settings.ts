// How this person likes the table: theme, deck colours, one tap to play, how strong bots are. Kept in this browser only.

import { effect, signal } from "@preact/signals";
import type { Level } from "./text/levels";
import { LEVELS, DEFAULT_LEVEL } from "./protocol";

const KEY = "fourth-seat.settings";

export interface Settings {
  theme: "system" | "night" | "day";
  deck: "two" | "four";
  oneTap: boolean;
  /** Of the bots that fill the empty seats. */
  botLevel: Level;
}

const DEFAULTS: Settings = { theme: "system", deck: "two", oneTap: false, botLevel: DEFAULT_LEVEL };

export function loadSettings(storage: Storage | undefined = globalThis.localStorage): Settings {
  try {
    const kept: Settings = { ...DEFAULTS, ...JSON.parse(storage?.getItem(KEY) ?? "{}") };
    return LEVELS.includes(kept.botLevel) ? kept : { ...kept, botLevel: DEFAULT_LEVEL };
  } catch {
    return DEFAULTS;
  }
}

export const settings = signal<Settings>(loadSettings());

export function updateSettings(change: Partial<Settings>): void {
  settings.value = { ...settings.value, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.value));
  } catch {
    // Forbidden storage: the choice lasts as long as the page.
  }
}

/** Writes theme and deck onto the page, where the tokens are chosen by them; follows the system when asked to. */
export function applySettings(): void {
  const light = matchMedia("(prefers-color-scheme: light)");
  const apply = (): void => {
    const { theme, deck } = settings.value;
    const page = document.documentElement.dataset;
    page.theme = theme === "system" ? (light.matches ? "day" : "night") : theme;
    page.deck = deck;
  };
  light.addEventListener("change", apply);
  effect(apply);
}
