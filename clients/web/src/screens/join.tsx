// On the way to a table: a name is missing, the answer is on its way, or the table cannot be joined.

import { Logo } from "../parts/logo";
import { NameField, useName } from "../parts/name_field";
import type { Refusal } from "../protocol";
import { useTable } from "../table";

/** For somebody who followed a link and has no name yet. */
export function AskName({ code }: { code: string }) {
  const table = useTable();
  const { name, isMissing, withName } = useName();
  return (
    <main class="centred-screen">
      <form class="panel" onSubmit={withName(() => table.join(code))}>
        <Logo />
        <h1>Table {code}</h1>
        <p class="muted">You are invited to a game of Spades.</p>
        <NameField name={name} isMissing={isMissing} />
        <button type="submit" class="button primary wide" data-testid="join-table">
          Join the table
        </button>
        <NotNow />
      </form>
    </main>
  );
}

export function Joining({ code }: { code: string }) {
  return (
    <main class="centred-screen">
      <div class="panel">
        <p>Joining table {code}…</p>
        <NotNow />
      </div>
    </main>
  );
}

function NotNow() {
  const table = useTable();
  return (
    <button type="button" class="link-button" onClick={table.goHome}>
      Not now
    </button>
  );
}

const HEADINGS: Record<string, (code: string) => string> = {
  no_table: (code) => `There is no table ${code}`,
  table_full: (code) => `Table ${code} is full`,
};

export function JoinRefused({ code, refusal }: { code: string; refusal: Refusal }) {
  const table = useTable();
  return (
    <main class="centred-screen">
      <div class="panel" data-testid="join-refused">
        <Logo />
        <h1>{HEADINGS[refusal.code]?.(code) ?? "No seat here"}</h1>
        <p>
          {refusal.code === "no_table" ? "Check the five letters, or ask your friends for their link." : refusal.text}
        </p>
        <button type="button" class="button primary wide" data-testid="go-home" onClick={table.goHome}>
          Back to the home screen
        </button>
      </div>
    </main>
  );
}
