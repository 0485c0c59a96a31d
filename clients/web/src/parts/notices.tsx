// Toasts, flash, banner and live region, and notices about the connection.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { announcement, banner, flash, toasts } from "../notices";
import { CLOSE_PROTOCOL, CLOSE_REASONS, CLOSE_REPLACED } from "../protocol";
import { useTable } from "../table";

const RECONNECTING_AFTER_MS = 900; // a quicker reconnect is not worth a notice

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, kind }) => (
        <p key={id} class="toast" data-testid="toast" aria-hidden={kind === "reply"}>
          {text}
        </p>
      ))}
    </div>
  );
}

/** The line under the trick: the latest toast, or else the flash, or else the status of the trick. */
export function StatusLine({ status }: { status: string }) {
  const toast = toasts.value.at(-1);
  const notice = flash.value;
  return (
    <div class="status-line" role="status">
      {toast ? (
        <p
          key={toast.id}
          class={`status ${toast.kind === "reply" ? "reply" : "toast"}`}
          data-testid="toast"
          aria-hidden={toast.kind === "reply"}
        >
          {toast.text}
        </p>
      ) : notice ? (
        <p key={notice.id} class={`status flash ${notice.tone}`} data-testid="flash">
          {notice.text}
        </p>
      ) : (
        status && (
          <p class="status" data-testid="status" aria-hidden="true">
            {status}
          </p>
        )
      )}
    </div>
  );
}

/** Hidden from screen readers: the live region has the same text. */
export function Banner() {
  const notice = banner.value;
  return (
    notice && (
      <p key={notice.id} class="banner" data-testid="banner" aria-hidden="true">
        {notice.text}
      </p>
    )
  );
}

export function LiveRegion() {
  return (
    <div class="visually-hidden" aria-live="polite" data-testid="live">
      {announcement.value}
    </div>
  );
}

/** The state of the connection, if there is something to say about it; the table stays on screen below. */
export function ConnectionNotice() {
  const table = useTable();
  const { connection, delayed, scene } = table.state.value;
  if (connection === "replaced")
    return <Disconnected text={CLOSE_REASONS[CLOSE_REPLACED]} button="Play here instead" act={table.playHere} />;
  if (connection === "outdated")
    return <Disconnected text={CLOSE_REASONS[CLOSE_PROTOCOL]} button="Reload the page" act={() => location.reload()} />;
  if (delayed) return <Waiting text={delayed} />;
  const isAway = connection === "waiting" || (connection === "connecting" && scene !== null);
  return isAway ? <Reconnecting /> : null;
}

function Reconnecting() {
  const { code, scene } = useTable().state.value;
  const isLate = useSignal(false);
  useEffect(() => {
    const id = setTimeout(() => (isLate.value = true), RECONNECTING_AFTER_MS);
    return () => clearTimeout(id);
  }, []);
  if (!isLate.value) return null;
  return <Waiting text={code && scene ? "Reconnecting… your cards stay yours" : "Connecting…"} />;
}

function Waiting({ text }: { text: string }) {
  return (
    <p class="reconnecting" role="status" data-testid="reconnecting">
      <i class="waiting-dot" />
      {text}
    </p>
  );
}

function Disconnected({ text, button, act }: { text: string; button: string; act(): void }) {
  return (
    <div class="disconnected" role="alertdialog" aria-label={text} data-testid="disconnected">
      <div class="disconnected-box">
        <p>{text}</p>
        <button type="button" class="button primary" data-testid="play-here" onClick={act}>
          {button}
        </button>
      </div>
    </div>
  );
}
