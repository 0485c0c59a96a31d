// The table of this address cannot be joined; the sentence says why, and there is a way home.

import { goHome } from "../actions";
import { Logo } from "../parts/logo";
import type { Refusal } from "../protocol";

export function ShutOut({ refusal }: { refusal: Refusal }) {
  return (
    <main class="plain">
      <div class="panel" data-testid="shut-out">
        <Logo />
        <h1>No seat here</h1>
        <p>{refusal.text}</p>
        <button type="button" class="button primary wide" data-testid="go-home" onClick={goHome}>
          To the first screen
        </button>
      </div>
    </main>
  );
}
