// The four levels: for the bot on a seat, for one to be added, or for the bots that fill empty seats.

import { useEffect } from "preact/hooks";
import { dialog } from "../dialogs";
import { LEVELS, type Seat, type SeatView } from "../protocol";
import { settings, updateSettings } from "../settings";
import { type Table, useTable } from "../table";
import { type Level, LEVEL_DESCRIPTIONS } from "../text/levels";

interface Props {
  view: SeatView | null;
  seat: Seat | null;
}

export function LevelChoice({ view, seat }: Props) {
  const table = useTable();
  const sitting = view !== null && seat !== null ? view.seats[seat] : null;
  const isObsolete = view?.turn != null || sitting?.kind === "person";
  useEffect(() => {
    if (isObsolete) dialog.value = null; // somebody sat down there, or the next hand was dealt
  }, [isObsolete]);
  const pick = (level: Level): void => {
    if (seat === null) updateSettings({ botLevel: level });
    else void table.addBot(seat, level);
  };
  const isBot = sitting?.kind === "bot";
  const defaultLevel = settings.value.botLevel;
  return (
    <div class="levels">
      {LEVELS.map((level) => (
        <LevelButton
          key={level}
          level={level}
          chosen={level === (isBot ? sitting.level : seat === null ? defaultLevel : null)}
          first={level === (isBot ? sitting.level : defaultLevel)}
          pick={pick}
        />
      ))}
      {isBot && view?.phase !== "scored" && <Remove seat={seat as Seat} />}
    </div>
  );
}

/** Acts and closes the dialog, unless another request is waiting for its answer. */
function chooseAndClose(table: Table, button: HTMLElement, act: () => unknown): void {
  if (table.state.peek().asking) return;
  act();
  button.closest("dialog")?.close();
}

interface LevelButtonProps {
  level: Level;
  chosen: boolean;
  first: boolean;
  pick(level: Level): void;
}

function LevelButton({ level, chosen, first, pick }: LevelButtonProps) {
  const table = useTable();
  return (
    <button
      type="button"
      class="choice-card level"
      data-testid={`level-${level}`}
      aria-pressed={chosen}
      autofocus={first}
      onClick={(event) => chooseAndClose(table, event.currentTarget, () => pick(level))}
    >
      <b>{level}</b>
      <span>{LEVEL_DESCRIPTIONS[level]}</span>
    </button>
  );
}

function Remove({ seat }: { seat: Seat }) {
  const table = useTable();
  return (
    <button
      type="button"
      class="button danger"
      data-testid={`drop-bot-${seat}`}
      onClick={(event) => chooseAndClose(table, event.currentTarget, () => table.dropBot(seat))}
    >
      Remove this bot
    </button>
  );
}
