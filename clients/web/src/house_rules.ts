// The rules chosen for the next table: a preset, or one's own changes to it; kept in this browser.
//
// What contradicts what is known to the server only: it refuses, and its sentence is shown at the switch it blames.

import { signal } from "@preact/signals";
import { PRESETS, RANGES, SWITCHES, type Refusal } from "./protocol";

export type Preset = keyof typeof PRESETS;
export type Values = Record<string, string>;

/** `mode` is the card that is chosen; `base` and `values` are one's own rules, kept while another card is. */
export interface RuleSelection {
  mode: Preset | "own";
  base: Preset;
  values: Values;
}

/** What the server said against the chosen rules, and the switch it blames. */
export interface RuleError {
  switch: string;
  text: string;
}

const KEY = "fourth-seat.rules";
const CLASSIC: RuleSelection = { mode: "classic", base: "classic", values: PRESETS.classic };

export const isPreset = (text: string): text is Preset => text in PRESETS;

/** The switches of one's own rules that differ from where they began. */
export const changedSwitches = ({ base, values }: RuleSelection): string[] =>
  Object.keys(SWITCHES).filter((name) => values[name] !== PRESETS[base][name]);

/** As the server reads it: "classic,target=300,blind_nil=on". */
export function formatRules(choice: RuleSelection): string {
  if (choice.mode !== "own") return choice.mode;
  return [choice.base, ...changedSwitches(choice).map((name) => `${name}=${choice.values[name]}`)].join(",");
}

/** The own rules of a text; what this version does not know is left out. */
export function parseRules(text: string): Pick<RuleSelection, "base" | "values"> {
  const [preset, ...changes] = text.split(",");
  const base = isPreset(preset) ? preset : "classic";
  const values = { ...PRESETS[base] };
  for (const change of changes) {
    const [name, value = ""] = change.split("=");
    if (SWITCHES[name]?.includes(value) || (name in RANGES && /^\d+$/.test(value))) values[name] = value;
  }
  return { base, values };
}

/** One card or another: one's own rules begin from the preset that was chosen, unless there are changes already. */
export function withMode(choice: RuleSelection, mode: RuleSelection["mode"]): RuleSelection {
  const from = choice.mode;
  if (mode !== "own" || from === "own" || changedSwitches(choice).length) return { ...choice, mode };
  return startFrom(from);
}

export const startFrom = (base: Preset): RuleSelection => ({ mode: "own", base, values: PRESETS[base] });

export const withSwitch = (choice: RuleSelection, name: string, value: string): RuleSelection => ({
  ...choice,
  values: { ...choice.values, [name]: value },
});

/** A number as typed or stepped to, brought into its range. */
export function clamp(name: string, value: number): string {
  const [least, most] = RANGES[name];
  return String(Math.min(most, Math.max(least, Math.round(value) || least)));
}

/** The switch that a refusal of rules names, and its sentence. */
export const ruleErrorOf = ({ field, text }: Refusal): RuleError => ({
  switch: field && field in SWITCHES ? field : "",
  text,
});

function read(): RuleSelection {
  try {
    const kept = JSON.parse(globalThis.localStorage?.getItem(KEY) ?? "{}");
    const mode = kept.mode === "own" || isPreset(kept.mode ?? "") ? kept.mode : "classic";
    return { mode, ...parseRules(String(kept.own ?? "classic")) };
  } catch {
    return CLASSIC; // Storage may be forbidden or hold something else.
  }
}

export const selectedRules = signal<RuleSelection>(read());
export const ruleError = signal<RuleError | null>(null);

/** Takes a choice, for the next table and those after it. */
export function selectRules(choice: RuleSelection): void {
  selectedRules.value = choice;
  ruleError.value = null;
  try {
    localStorage.setItem(KEY, JSON.stringify({ mode: choice.mode, own: formatRules({ ...choice, mode: "own" }) }));
  } catch {
    // Forbidden storage: the choice lasts as long as the page.
  }
}
