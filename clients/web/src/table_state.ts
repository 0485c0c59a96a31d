// The state of the page's table as one immutable object, and how an update changes it.

import type { Card, HandScored, Refusal, SeatView, Update } from "./protocol";
import type { Scene } from "./scene_player";
import type { ConnectionState } from "./source";

export interface TableState {
  connection: ConnectionState;
  /** A request is waiting for its answer. */
  asking: boolean;
  /** The code of the table that is shown or being joined; null on the home screen. */
  code: string | null;
  /** The newest update, which the scene on screen may lag behind. */
  update: Update | null;
  /** What is on screen. */
  scene: Scene | null;
  present: readonly boolean[];
  /** The hands scored so far. */
  sheet: readonly HandScored[];
  /** The rules of the table as sentences. */
  rulesCard: readonly string[];
  /** When the table acts by itself, as a time of `performance.now()`. */
  actsAt: number | null;
  /** Cards just passed by the partner, marked until the first trick is complete. */
  received: readonly Card[];
  /** Counts deals. A component with this key starts afresh with each hand. */
  deals: number;
  /** Why the table cannot be joined. */
  joinRefusal: Refusal | null;
  /** Why the table is not available yet, while the source keeps trying. */
  delayed: string | null;
  /** After a game: show the seats instead of the result. */
  changingSeats: boolean;
}

export const INITIAL_STATE: TableState = {
  connection: "idle",
  asking: false,
  code: null,
  update: null,
  scene: null,
  present: [true, true, true, true],
  sheet: [],
  rulesCard: [],
  actsAt: null,
  received: [],
  deals: 0,
  joinRefusal: null,
  delayed: null,
  changingSeats: false,
};

/** Forgets everything about the table; what belongs to the page stays. */
export const forgetTable = ({ connection, asking, code, deals }: TableState): TableState => ({
  ...INITIAL_STATE,
  connection,
  asking,
  code,
  deals,
});

/** Returns the state after an update; the same object if the update is stale. `now` is `performance.now()`. */
export function applyUpdate(state: TableState, update: Update, now: number): TableState {
  if (isStale(state, update)) return state;
  const happened = (type: string): boolean => update.events.some((event) => event.t === type);
  const isNewGame = happened("game_started");
  const isNewDeal = update.fresh || happened("hand_received");
  return {
    ...state,
    code: update.code,
    update,
    present: update.present,
    sheet: update.sheet ?? (isNewGame ? [] : state.sheet),
    rulesCard: update.rules_card ?? state.rulesCard,
    actsAt: update.ms_left === null ? null : now + update.ms_left,
    received: receivedCards(update, state.received),
    deals: state.deals + Number(isNewDeal),
    delayed: null,
    changingSeats: state.changingSeats && !isNewGame,
  };
}

/** From a table that was left, or older than the newest update. */
function isStale({ code, update: newest }: TableState, update: Update): boolean {
  const isOtherTable = code !== null && code !== update.code;
  return isOtherTable || (newest !== null && !update.fresh && update.n < newest.n);
}

function receivedCards({ events, view }: Update, before: readonly Card[]): readonly Card[] {
  if (!beforeFirstTrickEnds(view)) return [];
  const passed = events.find((event) => event.t === "cards_passed" && event.to === view.you);
  return passed?.t === "cards_passed" ? passed.cards : before;
}

const beforeFirstTrickEnds = ({ phase, tricks }: SeatView): boolean =>
  phase === "passing" || (phase === "playing" && tricks.length === 0);
