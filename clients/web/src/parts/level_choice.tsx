// The four levels: for a bot that sits there, for one to be seated, or for those that fill the empty seats.

import { useEffect } from "preact/hooks";
import { addBot, asking, dropBot } from "../actions";
import { dialog } from "../dialogs";
import { LEVEL_DESCRIPTIONS, type Level } from "../text/levels";
import { LEVELS, type Seat, type SeatView } from "../protocol";
import { updateSettings, settings } from "../settings";

interface Props {
  view: SeatView | null;
  seat: Seat | null;
}

export function LevelChoice({ view, seat }: Props) {
  const sitting = view !== null && seat !== null ? view.seats[seat] : null;
  const over = view?.turn != null || sitting?.kind === "person";
  useEffect(() => {
    if (over) dialog.value = null; // somebody sat down there, or the next hand is dealt
  }, [over]);
  const pick = (level: Level): void => {
    if (seat === null) updateSettings({ botLevel: level });
    else void addBot(seat, level);
  };
  const isBot = sitting?.kind === "bot";
  const usual = settings.value.botLevel;
  return (
    <div class="levels">
      {LEVELS.map((level) => (
        <LevelButton
          key={level}
          level={level}
          chosen={level === (isBot ? sitting.level : seat === null ? usual : null)}
          first={level === (isBot ? sitting.level : usual)}
          pick={pick}
        />
      ))}
      {isBot && view?.phase !== "scored" && <Remove seat={seat as Seat} />}
    </div>
  );
}

/** The dialog is done with when something can be asked. */
function chooseAndClose(button: HTMLElement, act: () => unknown): void {
  if (asking.peek()) return;
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
  return (
    <button
      type="button"
      class="choice-card level"
      data-testid={`level-${level}`}
      aria-pressed={chosen}
      autofocus={first}
      onClick={(event) => chooseAndClose(event.currentTarget, () => pick(level))}
    >
      <b>{level}</b>
      <span>{LEVEL_DESCRIPTIONS[level]}</span>
    </button>
  );
}

function Remove({ seat }: { seat: Seat }) {
  return (
    <button
      type="button"
      class="button danger"
      data-testid={`drop-bot-${seat}`}
      onClick={(event) => chooseAndClose(event.currentTarget, () => dropBot(seat))}
    >
      Remove this bot
    </button>
  );
}
