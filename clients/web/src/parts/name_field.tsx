// What the others call you.

import type { Signal } from "@preact/signals";

const LONGEST_NAME = 24;

export function NameField({ name, hint }: { name: Signal<string>; hint: boolean }) {
  return (
    <div class="field">
      <label for="name">Your name</label>
      <input
        id="name"
        data-testid="name-field"
        value={name.value}
        maxLength={LONGEST_NAME}
        placeholder="What the others call you"
        autocomplete="nickname"
        aria-describedby={hint ? "name-hint" : undefined}
        aria-invalid={hint}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      {hint && (
        <p id="name-hint" class="hint" role="alert">
          First, your name.
        </p>
      )}
    </div>
  );
}
