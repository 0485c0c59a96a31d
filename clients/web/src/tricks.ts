// Which tricks of a side count for its contract and which are bags: those of a broken nil may do neither.

import type { RuleSet, SeatView, Side } from "./protocol";
import { seatsOf } from "./seats";

type Four<T> = readonly [T, T, T, T];

const fromView = (view: SeatView): [RuleSet, Four<number | null>, Four<number>] => [
  view.rules,
  view.seats.map((seat) => seat.bid) as unknown as Four<number | null>,
  view.seats.map((seat) => seat.taken) as unknown as Four<number>,
];

/** Tricks towards the contract, from bids and tricks of the four seats. */
export function helpingOf(rules: RuleSet, bids: Four<number | null>, taken: Four<number>, side: Side): number {
  const seats = seatsOf(side).filter((seat) => bids[seat] !== 0 || rules.failed_nil_tricks === "help");
  return seats.reduce((sum, seat) => sum + taken[seat], 0);
}

export const helping = (view: SeatView, side: Side): number => helpingOf(...fromView(view), side);

/** Bags of this hand so far. */
export function bagsOf(view: SeatView, side: Side): number {
  const { contract, taken } = view.sides[side];
  if (contract === null || (contract === 0 && view.rules.double_nil === "one_unit")) return 0;
  const counted = helping(view, side);
  const others = view.rules.failed_nil_tricks === "bags" ? taken - counted : 0;
  return Math.max(0, counted - contract) + others;
}
