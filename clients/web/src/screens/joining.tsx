// On the way to a table.

import { goHome } from "../actions";

export function Joining({ code }: { code: string }) {
  return (
    <main class="plain">
      <div class="panel">
        <p>Going to table {code}…</p>
        <button type="button" class="link-button" onClick={goHome}>
          Not now
        </button>
      </div>
    </main>
  );
}
