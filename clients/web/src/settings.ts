// The player's preferences, kept in the browser: theme, deck colours, one tap to play, level of the bots.

import { effect, signal } from "@preact/signals";
import { DEFAULT_LEVEL, LEVELS } from "./protocol";
import { load, save } from "./storage";
import type { Level } from "./text/levels";

const KEY = "fourth-seat.settings";

export interface Settings {
  theme: "system" | "night" | "day";
  deck: "two" | "four";
  oneTap: boolean;
  /** The level of the bots that fill empty seats. */
  botLevel: Level;
}

const DEFAULTS: Settings = { theme: "system", deck: "two", oneTap: false, botLevel: DEFAULT_LEVEL };

export function loadSettings(): Settings {
  const stored = { ...DEFAULTS, ...load<Settings>(KEY) };
  return LEVELS.includes(stored.botLevel) ? stored : { ...stored, botLevel: DEFAULT_LEVEL };
}

export const settings = signal<Settings>(loadSettings());

export function updateSettings(change: Partial<Settings>): void {
  settings.value = { ...settings.value, ...change };
  save(KEY, settings.value);
}

/** Keeps theme and deck on the document element, where the style sheets look for them. */
export function applySettings(): void {
  const light = matchMedia("(prefers-color-scheme: light)");
  const apply = (): void => {
    const { theme, deck } = settings.value;
    const { dataset } = document.documentElement;
    dataset.theme = theme === "system" ? (light.matches ? "day" : "night") : theme;
    dataset.deck = deck;
  };
  light.addEventListener("change", apply);
  effect(apply);
}
