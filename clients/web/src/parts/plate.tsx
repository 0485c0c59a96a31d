// A seat at the table: name, bid and tricks, the dealer's mark, and whether a bot plays or the player is away.

import type { Seat, SeatView } from "../protocol";
import { compassPoint } from "../seats";
import { useTable } from "../table";
import { botOfLevel, type Level } from "../text/levels";
import { capitalize, isYou, nameOf, ownSeatLabel, seatStatus } from "../text/table";

export function Plate({ view, seat }: { view: SeatView; seat: Seat }) {
  const table = useTable();
  const onTurn = view.turn === seat;
  const near = compassPoint(view, seat) === "south";
  return (
    <div
      class={`plate at-${compassPoint(view, seat)} ${onTurn ? "on-turn" : ""}`}
      data-testid={`plate-${seat}`}
      aria-current={onTurn}
    >
      <Face view={view} seat={seat} />
      <div class="plate-text">
        <div class="plate-name">
          <span class="name">{near && isYou(view, seat) ? ownSeatLabel(view) : nameOf(view, seat)}</span>
          <SeatMark view={view} seat={seat} />
        </div>
        {view.you === null && view.seats[seat].kind === "bot" ? (
          <button
            type="button"
            class="sit-here"
            data-testid={`seat-${seat}`}
            disabled={table.state.value.asking}
            onClick={() => table.sit(seat)}
          >
            Sit here
          </button>
        ) : (
          <div class="plate-state">{seatStatus(view, seat)}</div>
        )}
      </div>
    </div>
  );
}

export function Face({ view, seat }: { view: SeatView; seat: Seat }) {
  return (
    <span class={`face face-${seat}`} aria-hidden="true">
      {[...nameOf(view, seat)][0]?.toUpperCase()}
      {view.dealer === seat && view.phase !== "lobby" && <small title="Dealer">D</small>}
    </span>
  );
}

/** What stands beside the name. */
export function SeatMark({ view, seat }: { view: SeatView; seat: Seat }) {
  const { kind, level } = view.seats[seat];
  const mark = presenceMark(view, seat, useTable().state.value.present[seat]);
  return (
    <>
      {kind === "bot" && level && <LevelMark level={level} />}
      {mark && <span class="mark">{mark}</span>}
      {view.dealer === seat && <span class="visually-hidden"> dealer</span>}
    </>
  );
}

/** The level of a bot; where there is little room, without the word "bot". */
export function LevelMark({ level }: { level: Level }) {
  return (
    <span class="mark level-mark" title={`${capitalize(botOfLevel(level))} plays here.`}>
      {level}
      <span class="bot-word"> bot</span>
    </span>
  );
}

function presenceMark(view: SeatView, seat: Seat, isPresent: boolean): string {
  const { kind, away } = view.seats[seat];
  if (kind !== "person" || isYou(view, seat)) return "";
  if (away) return view.phase === "lobby" || view.phase === "over" ? "away" : "bot plays";
  return isPresent ? "" : "away";
}
