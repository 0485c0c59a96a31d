// The dialogs over the table; the browser's own dialog keeps the focus inside and closes with Escape.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dialog, type DialogName, levelSeat } from "../dialogs";
import { levelDialogTitle } from "../text/levels";
import type { SeatView } from "../protocol";
import { KeyList } from "./key_list";
import { LastTrick } from "./last_trick";
import { LeaveQuestion } from "./leave_question";
import { LevelChoice } from "./level_choice";
import { Menu } from "./menu";
import { Rules } from "./rules";
import { ScoreSheet } from "./score_sheet";

const TITLES: Record<Exclude<DialogName, "level">, string> = {
  menu: "Menu",
  sheet: "Score sheet",
  last: "Last trick",
  leave: "Leave the table?",
  rules: "Rules of this table",
  keys: "Keys",
};

/** Without a table there is only the choice of a level. */
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
  const close = (): void => box.current?.close(); // it gives the focus back to where it came from
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
