// The connection, when there is something to say about it; the table stays on screen below.

import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { playHere } from "../actions";
import { CLOSE_PROTOCOL, CLOSE_REASONS, CLOSE_REPLACED } from "../protocol";
import { code, delayed, connectionState, scene } from "../table";

const NOTICE_DELAY_MS = 900; // a reconnect quicker than this is not worth a word

export function ConnectionNotice() {
  const state = connectionState.value;
  if (state === "replaced")
    return <Disconnected text={CLOSE_REASONS[CLOSE_REPLACED]} button="Play here instead" act={playHere} />;
  if (state === "outdated")
    return (
      <Disconnected text={CLOSE_REASONS[CLOSE_PROTOCOL]} button="Load the new one" act={() => location.reload()} />
    );
  if (delayed.value) return <Waiting text={delayed.value} />;
  const away = state === "waiting" || (state === "connecting" && scene.value !== null);
  return away ? <Reconnecting /> : null;
}

function Reconnecting() {
  const late = useSignal(false);
  useEffect(() => {
    const id = setTimeout(() => (late.value = true), NOTICE_DELAY_MS);
    return () => clearTimeout(id);
  }, []);
  if (!late.value) return null;
  return <Waiting text={code.value === null || !scene.value ? "Connecting…" : "Reconnecting… your cards stay yours"} />;
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
    <div class="parted" role="alertdialog" aria-label={text} data-testid="parted">
      <div class="parted-box">
        <p>{text}</p>
        <button type="button" class="button primary" data-testid="play-here" onClick={act}>
          {button}
        </button>
      </div>
    </div>
  );
}
