// The player's name, and what needs one.

import { type Signal, useSignal } from "@preact/signals";
import { session, updateSession } from "../session";

const MAX_NAME_LENGTH = 24;

/** The state of a NameField. `withName` wraps an action: it needs a name, which is remembered. */
export function useName() {
  const name = useSignal(session.value.name);
  const isMissing = useSignal(false);
  const withName =
    (act: () => void) =>
    (event?: Event): void => {
      event?.preventDefault();
      const given = name.value.trim();
      isMissing.value = given === "";
      if (!given) return document.getElementById("name")?.focus();
      updateSession({ name: given });
      act();
    };
  return { name, isMissing, withName };
}

export function NameField({ name, isMissing }: { name: Signal<string>; isMissing: Signal<boolean> }) {
  return (
    <div class="field">
      <label for="name">Your name</label>
      <input
        id="name"
        data-testid="name-field"
        value={name.value}
        maxLength={MAX_NAME_LENGTH}
        placeholder="What the others call you"
        autocomplete="nickname"
        aria-describedby={isMissing.value ? "name-hint" : undefined}
        aria-invalid={isMissing.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      {isMissing.value && (
        <p id="name-hint" class="hint" role="alert">
          Enter your name first.
        </p>
      )}
    </div>
  );
}
