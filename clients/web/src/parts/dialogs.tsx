// The dialogs over the page. The browser's own <dialog> keeps the focus inside and closes with Escape.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dialog, type DialogName, levelSeat } from "../dialogs";
import type { SeatView } from "../protocol";
import { useTable } from "../table";
import { levelDialogTitle } from "../text/levels";
import { KeyList } from "./key_list";
import { LevelChoice } from "./level_choice";
import { Menu } from "./menu";
import { ScoreSheet } from "./score";
import { LastTrick } from "./trick";

const TITLES: Record<Exclude<DialogName, "level">, string> = {
  menu: "Menu",
  sheet: "Score sheet",
  last: "Last trick",
  leave: "Leave the table?",
  rules: "Rules of this table",
  keys: "Keys",
};

/** Without a table only the level dialog can be open. */
export function Dialogs({ view }: { view: SeatView | null }) {
  const name = dialog.value;
  if (name === "level")
    return (
      <Dialog key={name} title={levelDialogTitle(view, levelSeat.value)}>
        <LevelChoice view={view} seat={levelSeat.value} />
      </Dialog>
    );
  return (
    name &&
    view && (
      <Dialog key={name} title={TITLES[name]}>
        <DialogContent name={name} view={view} />
      </Dialog>
    )
  );
}

function DialogContent({ name, view }: { name: keyof typeof TITLES; view: SeatView }) {
  switch (name) {
    case "menu":
      return <Menu view={view} />;
    case "sheet":
      return <ScoreSheet view={view} />;
    case "last":
      return <LastTrick view={view} />;
    case "leave":
      return <LeaveQuestion view={view} />;
    case "rules":
      return <Rules />;
    case "keys":
      return <KeyList />;
  }
}

function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  const close = (): void => box.current?.close(); // the browser returns the focus
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog
      ref={box}
      class="dialog"
      aria-label={title}
      onClose={() => (dialog.value = null)}
      onClick={(event) => event.target === box.current && close()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="close" aria-label="Close" onClick={close}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Asks before leaving, and says what becomes of the seat. */
function LeaveQuestion({ view }: { view: SeatView }) {
  const table = useTable();
  const freesSeat = view.phase === "lobby" || view.phase === "over" || view.you === null;
  const leave = async (): Promise<void> => {
    await table.leave();
    dialog.value = null;
  };
  return (
    <>
      <p>
        {freesSeat
          ? "Your seat becomes free. The link brings you back."
          : "A bot plays on for you; your seat stays yours. Come back any time with the same link."}
      </p>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={() => (dialog.value = null)}>
          Stay
        </button>
        <button
          type="button"
          class="button primary"
          data-testid="confirm-leave"
          disabled={table.state.value.asking}
          onClick={leave}
        >
          Leave
        </button>
      </div>
    </>
  );
}

/** The rules of the table, as the server words them. */
export function Rules() {
  return (
    <ul class="rules" data-testid="rules">
      {useTable().state.value.rulesCard.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
