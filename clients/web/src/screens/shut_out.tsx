// The table of this address cannot be joined; the sentence says why, and there is a way home.

import { goHome } from "../actions";
import { Logo } from "../parts/logo";
import type { Refusal } from "../protocol";

/** The heading says it at once; the sentence of the server adds to it. */
const HEADINGS: Record<string, (code: string) => string> = {
  no_table: (code) => `There is no table ${code}`,
  table_full: (code) => `Table ${code} is full`,
};

export function JoinRefused({ code: at, refusal }: { code: string; refusal: Refusal }) {
  return (
    <main class="plain">
      <div class="panel" data-testid="shut-out">
        <Logo />
        <h1>{HEADINGS[refusal.code]?.(at) ?? "No seat here"}</h1>
        <p>
          {refusal.code === "no_table"
            ? "Look at the five letters again, or ask your friends for their link."
            : refusal.text}
        </p>
        <button type="button" class="button primary wide" data-testid="go-home" onClick={goHome}>
          To the first screen
        </button>
      </div>
    </main>
  );
}
