// The four seats around a small table, which names the partners.

import { openLevelDialog } from "../dialogs";
import type { Seat, SeatView } from "../protocol";
import { compassPoint, nearSeat, partnerOf, SEATS, sidesNearFirst } from "../seats";
import { useTable } from "../table";
import { botOfLevel } from "../text/levels";
import { capitalize, isYou, nameOf, nameOrYou } from "../text/table";
import { Face, LevelMark, SeatMark } from "./plate";

export function SeatRing({ view }: { view: SeatView }) {
  const pairs = sidesNearFirst(view)
    .map((side) => pairText(view, side))
    .filter(Boolean);
  return (
    <div class="ring">
      <div class="ring-table">
        <p>
          {pairs.length
            ? pairs.map((words) => <span key={words}>{words}</span>)
            : "The player opposite is your partner."}
        </p>
      </div>
      {SEATS.map((seat) => (
        <RingSeat key={seat} view={view} seat={seat} />
      ))}
    </div>
  );
}

/** "You with Mara"; empty while one of the two is missing. */
function pairText(view: SeatView, side: number): string {
  const mine = nearSeat(view) % 2 === side ? nearSeat(view) : side;
  const pair = [mine, partnerOf(mine)];
  if (pair.some((seat) => view.seats[seat].kind === "empty")) return "";
  return capitalize(pair.map((seat) => nameOrYou(view, seat)).join(" with "));
}

function RingSeat({ view, seat }: { view: SeatView; seat: Seat }) {
  const table = useTable();
  const { kind } = view.seats[seat];
  const isHost = view.host !== null && view.host === view.you;
  return (
    <div class={`ring-seat at-${compassPoint(view, seat)} ${kind} ${isYou(view, seat) ? "yours" : ""}`}>
      <button
        type="button"
        class="ring-button"
        data-testid={`seat-${seat}`}
        disabled={kind === "person" || table.state.value.asking}
        onClick={() => table.sit(seat)}
      >
        <Occupant view={view} seat={seat} />
      </button>
      {isHost && kind !== "person" && <BotButton view={view} seat={seat} />}
    </div>
  );
}

function Occupant({ view, seat }: { view: SeatView; seat: Seat }) {
  const { kind, level } = view.seats[seat];
  const empty = kind === "empty";
  const name = empty ? (view.you === null ? "Sit here" : "Empty") : nameOf(view, seat);
  return (
    <>
      {empty ? <span class="face face-empty" /> : <Face view={view} seat={seat} />}
      <span class="ring-text">
        <span class="plate-name">
          <span class="name">{name}</span>
          {kind === "person" && <SeatMark view={view} seat={seat} />}
        </span>
        <span class="plate-state">
          {level && kind === "bot" && <LevelMark level={level} />}
          <span class="ring-role">{roleText(view, seat)}</span>
        </span>
      </span>
    </>
  );
}

/** Opens the level dialog, to add a bot or to change or remove the one there. */
function BotButton({ view, seat }: { view: SeatView; seat: Seat }) {
  const { kind, level } = view.seats[seat];
  const is = kind === "bot" && level ? `Change ${nameOf(view, seat)}, ${botOfLevel(level)}` : undefined;
  return (
    <button
      type="button"
      class="small-button"
      data-testid={`${is ? "change" : "add"}-bot-${seat}`}
      aria-label={is}
      onClick={() => openLevelDialog(seat)}
    >
      {is ? "Change" : "Add a bot"}
    </button>
  );
}

/** Where the seat is as seen by the viewer; for a spectator, the partner. */
function roleText(view: SeatView, seat: Seat): string {
  if (isYou(view, seat)) return view.host === seat ? "you, the host" : "you";
  const host = view.host === seat ? ", host" : "";
  if (view.you === null) {
    const opposite = view.seats[partnerOf(seat)];
    return opposite.kind === "empty" ? `alone so far${host}` : `with ${opposite.name}${host}`;
  }
  if (seat === partnerOf(view.you)) return `your partner${host}`;
  return (seat === (view.you + 1) % 4 ? "on your left" : "on your right") + host;
}
