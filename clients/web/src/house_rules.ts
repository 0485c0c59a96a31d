// The rules selected for the next table: a preset or the player's own changes to one; kept in the browser.
//
// Only the server knows which switches contradict each other: its refusal names a switch, and the text is shown there.

import { signal } from "@preact/signals";
import { pushRulesAddress } from "./address";
import { PRESETS, RANGES, type Refusal, SWITCHES } from "./protocol";
import { load, save } from "./storage";

export type Preset = keyof typeof PRESETS;

/** `base` and `values` are the player's own rules; they are kept while `mode` is a preset. */
export interface RuleSelection {
  mode: Preset | "own";
  base: Preset;
  values: Record<string, string>;
}

/** Why the server refused the selected rules. */
export interface RuleError {
  /** The switch at fault, or "" for none in particular. */
  switch: string;
  text: string;
}

const KEY = "fourth-seat.rules";

const isPreset = (text: unknown): text is Preset => typeof text === "string" && text in PRESETS;

/** The switches of the player's own rules that differ from their base. */
export const changedSwitches = ({ base, values }: RuleSelection): string[] =>
  Object.keys(SWITCHES).filter((name) => values[name] !== PRESETS[base][name]);

/** In the text form of the protocol: "classic,target=300,blind_nil=on". */
export function formatRules(selection: RuleSelection): string {
  const { mode, base, values } = selection;
  if (mode !== "own") return mode;
  return [base, ...changedSwitches(selection).map((name) => `${name}=${values[name]}`)].join(",");
}

/** Parses the text form; leaves out whatever this version does not know. */
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

/** Own rules start from the preset that was selected, unless there are changes already. */
export function withMode(selection: RuleSelection, mode: RuleSelection["mode"]): RuleSelection {
  const from = selection.mode;
  if (mode !== "own" || from === "own" || changedSwitches(selection).length) return { ...selection, mode };
  return startFrom(from);
}

export const startFrom = (base: Preset): RuleSelection => ({ mode: "own", base, values: PRESETS[base] });

export const withSwitch = (selection: RuleSelection, name: string, value: string): RuleSelection => ({
  ...selection,
  values: { ...selection.values, [name]: value },
});

/** Rounds a number and brings it into the range of its switch; NaN becomes the minimum. */
export function clamp(name: string, value: number): string {
  const [min, max] = RANGES[name];
  return String(Math.min(max, Math.max(min, Math.round(value) || min)));
}

export const ruleErrorOf = ({ field, text }: Refusal): RuleError => ({
  switch: field && field in SWITCHES ? field : "",
  text,
});

function loadSelection(): RuleSelection {
  const { mode, own } = load<{ mode: string; own: string }>(KEY);
  return { mode: mode === "own" || isPreset(mode) ? mode : "classic", ...parseRules(String(own)) };
}

export const selectedRules = signal<RuleSelection>(loadSelection());
export const ruleError = signal<RuleError | null>(null);
/** On the home screen: the rules are being selected. */
export const rulesOpen = signal(false);

export function selectRules(selection: RuleSelection): void {
  selectedRules.value = selection;
  ruleError.value = null;
  save(KEY, { mode: selection.mode, own: formatRules({ ...selection, mode: "own" }) });
}

export function openRules(): void {
  pushRulesAddress(true);
  rulesOpen.value = true;
}

export function closeRules(): void {
  pushRulesAddress(false);
  rulesOpen.value = false;
  ruleError.value = null;
}

export function showRuleError(refusal: Refusal): void {
  if (!rulesOpen.peek()) openRules();
  ruleError.value = ruleErrorOf(refusal);
}
