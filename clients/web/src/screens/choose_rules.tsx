// The rules of the next table: two known sets, or one's own.

import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { asking, closeRules, makeTable } from "../actions";
import { ruleError, selectRules, selectedRules, type RuleSelection, startFrom, withMode } from "../house_rules";
import { NameField } from "../parts/name_field";
import { Switches } from "../parts/switches";
import { PRESETS } from "../protocol";
import { ownRulesText, PRESET_NAMES, PRESET_DESCRIPTIONS } from "../text/rules";
import { updateSession, session } from "../session";

const PRESET_LIST = Object.keys(PRESETS) as (keyof typeof PRESETS)[];

export function ChooseRules() {
  const choice = selectedRules.value;
  return (
    <main class="choose-rules">
      <header>
        <button type="button" class="link-button" onClick={closeRules}>
          ‹ Home
        </button>
      </header>
      <div class="rules-title">
        <h1>House rules</h1>
        <p class="soft">Everybody reads them at the table, and they hold from the first deal to the end.</p>
      </div>
      <div class="rule-sets" role="group" aria-label="Rules">
        {PRESET_LIST.map((preset) => (
          <RuleSetCard key={preset} mode={preset} title={PRESET_NAMES[preset]} words={PRESET_DESCRIPTIONS[preset]} />
        ))}
        <RuleSetCard mode="own" title="Your own rules" words={ownRulesText(choice)} />
      </div>
      {choice.mode === "own" && (
        <>
          <Switches choice={choice} />
          <p class="start-over">
            <span class="soft">Start over from</span>
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

function RuleSetCard({ mode, title, words }: { mode: RuleSelection["mode"]; title: string; words: string }) {
  return (
    <button
      type="button"
      class="choice-card rule-set"
      data-testid={`rules-${mode}`}
      aria-pressed={selectedRules.value.mode === mode}
      onClick={() => selectRules(withMode(selectedRules.value, mode))}
    >
      <b>{title}</b>
      <span>{words}</span>
    </button>
  );
}

/** Always in reach; asks for a name if there is none yet. */
function MakeRow() {
  const name = useSignal(session.value.name);
  const hint = useSignal(false);
  const nameless = useRef(session.value.name === "");
  const make = (event: Event): void => {
    event.preventDefault();
    const given = name.value.trim();
    hint.value = given === "";
    if (!given) return document.getElementById("name")?.focus();
    updateSession({ name: given });
    void makeTable();
  };
  return (
    <form class="make-row" onSubmit={make}>
      {ruleError.value?.switch === "" && (
        <p class="hint" role="alert">
          {ruleError.value.text}
        </p>
      )}
      {nameless.current && <NameField name={name} hint={hint.value} />}
      <button type="submit" class="button primary wide" data-testid="create-table" disabled={asking.value}>
        Make the table
      </button>
    </form>
  );
}
