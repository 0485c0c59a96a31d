// Every switch of one's own rules, in groups; what was changed is marked, what the server blames says why.

import { useEffect, useRef } from "preact/hooks";
import { ruleError, changedSwitches, type RuleSelection, selectRules, clamp, withSwitch } from "../house_rules";
import { SWITCHES } from "../protocol";
import { describeSwitch, GROUPS, type SwitchText } from "../text/rules";

export function Switches({ choice }: { choice: RuleSelection }) {
  return (
    <div class="switches">
      {GROUPS.map(({ title, switches }) => (
        <section key={title} class="panel-card">
          <h2>{title}</h2>
          {Object.entries(switches).map(([name, words]) => (
            <Switch key={name} name={name} words={words} choice={choice} />
          ))}
        </section>
      ))}
    </div>
  );
}

interface SwitchProps {
  name: string;
  words: SwitchText;
  choice: RuleSelection;
}

function Switch({ name, words, choice }: SwitchProps) {
  const row = useRef<HTMLDivElement>(null);
  const blamed = ruleError.value?.switch === name ? ruleError.value : null;
  useEffect(() => {
    if (blamed) row.current?.scrollIntoView({ block: "center" });
  }, [blamed]);
  const differs = changedSwitches(choice).includes(name);
  return (
    <div ref={row} class={`switch ${differs ? "changed" : ""} ${blamed ? "blamed" : ""}`}>
      <label for={`switch-${name}`}>{words.label}</label>
      {words.values ? (
        <Values name={name} words={words} choice={choice} />
      ) : (
        <WholeNumber name={name} words={words} choice={choice} />
      )}
      <p class="soft" id={`about-${name}`}>
        {describeSwitch(words, choice.values[name])}
      </p>
      {blamed && (
        <p class="hint" role="alert" data-testid="rules-problem">
          {blamed.text}
        </p>
      )}
    </div>
  );
}

function Values({ name, words, choice }: SwitchProps) {
  return (
    <select
      id={`switch-${name}`}
      class="pick"
      data-testid={`switch-${name}`}
      aria-describedby={`about-${name}`}
      value={choice.values[name]}
      onChange={(event) => selectRules(withSwitch(choice, name, event.currentTarget.value))}
    >
      {SWITCHES[name].map((value) => (
        <option key={value} value={value} selected={value === choice.values[name]}>
          {words.values?.[value] ?? value}
        </option>
      ))}
    </select>
  );
}

function WholeNumber({ name, words, choice }: SwitchProps) {
  const set = (value: number): void => selectRules(withSwitch(choice, name, clamp(name, value)));
  const now = Number(choice.values[name]);
  const step = words.step ?? 1;
  return (
    <span class="stepper">
      <button type="button" aria-label={`${words.label}: less`} onClick={() => set(now - step)}>
        −
      </button>
      <input
        id={`switch-${name}`}
        data-testid={`switch-${name}`}
        inputMode="numeric"
        aria-describedby={`about-${name}`}
        value={choice.values[name]}
        onChange={(event) => {
          set(Number(event.currentTarget.value));
          event.currentTarget.value = clamp(name, Number(event.currentTarget.value));
        }}
      />
      <button type="button" aria-label={`${words.label}: more`} onClick={() => set(now + step)}>
        +
      </button>
    </span>
  );
}
