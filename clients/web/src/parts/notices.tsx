// Toasts, moments and news, and what a screen reader hears. At the table they take the place of the line under the trick.

import { announcement, flash, banner, toasts } from "../notices";

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map((line) => (
        <p key={line.id} class="toast" data-testid="toast" aria-hidden={line.kind === "answer"}>
          {line.text}
        </p>
      ))}
    </div>
  );
}

/** The latest toast, else the moment, else what is usually said. */
export function StatusLine({ said }: { said: string }) {
  const toast = toasts.value.at(-1);
  const line = flash.value;
  return (
    <div class="said-line" role="status">
      {toast ? (
        <p
          key={toast.id}
          class={toast.kind === "answer" ? "said answer" : "said toast"}
          data-testid="toast"
          aria-hidden={toast.kind === "answer"}
        >
          {toast.text}
        </p>
      ) : line ? (
        <p key={line.id} class={`said moment ${line.tone}`} data-testid="moment">
          {line.text}
        </p>
      ) : (
        said && (
          <p class="said" data-testid="said" aria-hidden="true">
            {said}
          </p>
        )
      )}
    </div>
  );
}

/** The live region says it too. */
export function Banner() {
  const line = banner.value;
  return (
    line && (
      <p key={line.id} class="news" data-testid="news" aria-hidden="true">
        {line.text}
      </p>
    )
  );
}

export function LiveRegion() {
  return (
    <div class="unseen" aria-live="polite" data-testid="live">
      {announcement.value}
    </div>
  );
}
