// The dialogs over the table; the browser's own dialog keeps the focus inside and closes with Escape.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dialog, type DialogName } from "../dialogs";
import type { SeatView } from "../protocol";
import { KeyList } from "./key_list";
import { LastTrick } from "./last_trick";
import { LeaveQuestion } from "./leave_question";
import { Menu } from "./menu";
import { Rules } from "./rules";
import { ScoreSheet } from "./score_sheet";

const TITLES: Record<DialogName, string> = {
  menu: "Menu",
  sheet: "Score sheet",
  last: "Last trick",
  leave: "Leave the table?",
  rules: "Rules of this table",
  keys: "Keys",
};

export function Dialogs({ view }: { view: SeatView }) {
  const name = dialog.value;
  return (
    name && (
      <Dialog key={name} title={TITLES[name]}>
        <Content name={name} view={view} />
      </Dialog>
    )
  );
}

function Content({ name, view }: { name: DialogName; view: SeatView }) {
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
  const close = (): void => {
    dialog.value = null;
  };
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog
      ref={box}
      class="dialog"
      aria-label={title}
      onClose={close}
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
