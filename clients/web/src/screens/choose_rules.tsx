// The rules of the next table: a preset, or the player's own.

import { useRef } from "preact/hooks";
import {
  closeRules,
  ruleError,
  type RuleSelection,
  selectedRules,
  selectRules,
  startFrom,
  withMode,
} from "../house_rules";
import { NameField, useName } from "../parts/name_field";
import { Switches } from "../parts/switches";
import { PRESETS } from "../protocol";
import { session } from "../session";
import { useTable } from "../table";
import { ownRulesText, PRESET_DESCRIPTIONS, PRESET_NAMES } from "../text/rules";

const PRESET_LIST = Object.keys(PRESETS) as (keyof typeof PRESETS)[];

export function ChooseRules() {
  const selection = selectedRules.value;
  return (
    <main class="choose-rules">
      <header>
        <button type="button" class="link-button" onClick={closeRules}>
          ‹ Home
        </button>
      </header>
      <div class="rules-title">
        <h1>House rules</h1>
        <p class="muted">Everybody reads them at the table, and they hold from the first deal to the end.</p>
      </div>
      <div class="rule-sets" role="group" aria-label="Rules">
        {PRESET_LIST.map((preset) => (
          <RuleSetCard
            key={preset}
            mode={preset}
            title={PRESET_NAMES[preset]}
            description={PRESET_DESCRIPTIONS[preset]}
          />
        ))}
        <RuleSetCard mode="own" title="Your own rules" description={ownRulesText(selection)} />
      </div>
      {selection.mode === "own" && (
        <>
          <Switches selection={selection} />
          <p class="start-over">
            <span class="muted">Start over from</span>
            {PRESET_LIST.map((preset) => (
              <button key={preset} type="button" class="small-button" onClick={() => selectRules(startFrom(preset))}>
                {PRESET_NAMES[preset]}
              </button>
            ))}
          </p>
        </>
      )}
      <MakeRow />
    </main>
  );
}

function RuleSetCard({
  mode,
  title,
  description,
}: {
  mode: RuleSelection["mode"];
  title: string;
  description: string;
}) {
  return (
    <button
      type="button"
      class="choice-card rule-set"
      data-testid={`rules-${mode}`}
      aria-pressed={selectedRules.value.mode === mode}
      onClick={() => selectRules(withMode(selectedRules.value, mode))}
    >
      <b>{title}</b>
      <span>{description}</span>
    </button>
  );
}

/** Stays in reach at the bottom; has a name field if there was no name when the screen opened. */
function MakeRow() {
  const table = useTable();
  const { name, isMissing, withName } = useName();
  const hadName = useRef(session.value.name !== "");
  return (
    <form class="make-row" onSubmit={withName(() => table.make())}>
      {ruleError.value?.switch === "" && (
        <p class="hint" role="alert">
          {ruleError.value.text}
        </p>
      )}
      {!hadName.current && <NameField name={name} isMissing={isMissing} />}
      <button type="submit" class="button primary wide" data-testid="create-table" disabled={table.state.value.asking}>
        Make the table
      </button>
    </form>
  );
}
