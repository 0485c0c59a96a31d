// Somebody followed a link to a table: only the name is missing.

import { useSignal } from "@preact/signals";
import { goHome, joinTable } from "../actions";
import { Logo } from "../parts/logo";
import { NameField } from "../parts/name_field";
import { updateSession } from "../session";

export function AskName({ code }: { code: string }) {
  const name = useSignal("");
  const hint = useSignal(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const given = name.value.trim();
    hint.value = given === "";
    if (!given) return;
    updateSession({ name: given });
    void joinTable(code);
  };
  return (
    <main class="plain">
      <form class="panel" onSubmit={submit}>
        <Logo />
        <h1>Table {code}</h1>
        <p class="soft">You are invited to a game of Spades.</p>
        <NameField name={name} hint={hint.value} />
        <button type="submit" class="button primary wide" data-testid="join-table">
          Join the table
        </button>
        <button type="button" class="link-button" onClick={goHome}>
          Not now
        </button>
      </form>
    </main>
  );
}
