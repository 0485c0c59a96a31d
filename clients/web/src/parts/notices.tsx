// Toasts, the moment over the table, and what a screen reader hears.

import { announcement, moment, toasts } from "../notices";

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map((line) => (
        <p key={line.id} class="toast" data-testid="toast">{line.text}</p>
      ))}
    </div>
  );
}

export function MomentLine() {
  const line = moment.value;
  return line && <p key={line.id} class={`moment ${line.tone}`} aria-hidden="true">{line.text}</p>;
}

export function LiveRegion() {
  return <div class="unseen" aria-live="polite" data-testid="live">{announcement.value}</div>;
}
