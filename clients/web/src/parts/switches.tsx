// The switches of the player's own rules in groups; changes are marked, and the switch at fault shows the error.

import { useEffect, useRef } from "preact/hooks";
import { changedSwitches, clamp, ruleError, type RuleSelection, selectRules, withSwitch } from "../house_rules";
import { SWITCHES } from "../protocol";
import { describeSwitch, GROUPS, type SwitchText } from "../text/rules";

export function Switches({ selection }: { selection: RuleSelection }) {
  return (
    <div class="switches">
      {GROUPS.map(({ title, switches }) => (
        <section key={title} class="panel-card">
          <h2>{title}</h2>
          {Object.entries(switches).map(([name, text]) => (
            <Switch key={name} name={name} text={text} selection={selection} />
          ))}
        </section>
      ))}
    </div>
  );
}

interface SwitchProps {
  name: string;
  text: SwitchText;
  selection: RuleSelection;
}

function Switch({ name, text, selection }: SwitchProps) {
  const row = useRef<HTMLDivElement>(null);
  const error = ruleError.value?.switch === name ? ruleError.value : null;
  useEffect(() => {
    if (error) row.current?.scrollIntoView({ block: "center" });
  }, [error]);
  const differs = changedSwitches(selection).includes(name);
  return (
    <div ref={row} class={`switch ${differs ? "changed" : ""} ${error ? "invalid" : ""}`}>
      <label for={`switch-${name}`}>{text.label}</label>
      {text.values ? (
        <Values name={name} text={text} selection={selection} />
      ) : (
        <WholeNumber name={name} text={text} selection={selection} />
      )}
      <p class="muted" id={`about-${name}`}>
        {describeSwitch(text, selection.values[name])}
      </p>
      {error && (
        <p class="hint" role="alert" data-testid="rules-problem">
          {error.text}
        </p>
      )}
    </div>
  );
}

function Values({ name, text, selection }: SwitchProps) {
  return (
    <select
      id={`switch-${name}`}
      class="pick"
      data-testid={`switch-${name}`}
      aria-describedby={`about-${name}`}
      value={selection.values[name]}
      onChange={(event) => selectRules(withSwitch(selection, name, event.currentTarget.value))}
    >
      {SWITCHES[name].map((value) => (
        <option key={value} value={value} selected={value === selection.values[name]}>
          {text.values?.[value] ?? value}
        </option>
      ))}
    </select>
  );
}

function WholeNumber({ name, text, selection }: SwitchProps) {
  const set = (value: number): void => selectRules(withSwitch(selection, name, clamp(name, value)));
  const now = Number(selection.values[name]);
  const step = text.step ?? 1;
  return (
    <span class="stepper">
      <button type="button" aria-label={`${text.label}: less`} onClick={() => set(now - step)}>
        −
      </button>
      <input
        id={`switch-${name}`}
        data-testid={`switch-${name}`}
        inputMode="numeric"
        aria-describedby={`about-${name}`}
        value={selection.values[name]}
        onChange={(event) => {
          set(Number(event.currentTarget.value));
          event.currentTarget.value = clamp(name, Number(event.currentTarget.value));
        }}
      />
      <button type="button" aria-label={`${text.label}: more`} onClick={() => set(now + step)}>
        +
      </button>
    </span>
  );
}
