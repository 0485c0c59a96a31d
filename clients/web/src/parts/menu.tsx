// The menu: settings, the link, rules, keys, and leaving.

import { dialog } from "../dialogs";
import type { SeatView } from "../protocol";
import { settings, updateSettings } from "../settings";
import { ShareLink } from "./share_link";

export function Menu({ view }: { view: SeatView }) {
  const { theme, deck, oneTap } = settings.value;
  return (
    <div class="menu-list">
      <Choice
        label="Theme"
        options={{ system: "System", night: "Night", day: "Day" }}
        value={theme}
        pick={(value) => updateSettings({ theme: value })}
      />
      <Choice
        label="Deck"
        options={{ two: "Two colours", four: "Four colours" }}
        value={deck}
        pick={(value) => updateSettings({ deck: value })}
      />
      <label class="switch-row">
        <input
          type="checkbox"
          checked={oneTap}
          onChange={(event) => updateSettings({ oneTap: event.currentTarget.checked })}
        />
        <span>One tap plays a card</span>
      </label>
      <ShareLink code={view.code} />
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={() => (dialog.value = "rules")}>
          Rules
        </button>
        <button type="button" class="button" onClick={() => (dialog.value = "keys")}>
          Keys
        </button>
        <button type="button" class="button danger" data-testid="leave-table" onClick={() => (dialog.value = "leave")}>
          Leave the table
        </button>
      </div>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  options: Record<T, string>;
  value: T;
  pick(value: T): void;
}

function Choice<T extends string>({ label, options, value, pick }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {(Object.keys(options) as T[]).map((option) => (
        <label key={option}>
          <input type="radio" name={label} checked={option === value} onChange={() => pick(option)} />
          <span>{options[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}
