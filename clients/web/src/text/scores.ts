// Texts for the score: every number has its noun.

import type { HandScored, ScoreLine, SeatView, Side } from "../protocol";
import { seatsOf } from "../seats";
import { capitalize, count, formatBid, nameOrYou } from "./table";

const ORDINALS = ["", "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"];

function ordinal(n: number): string {
  return ORDINALS[n] ?? `${n}th`;
}

/** One reason for points: "Contract of 7 made". */
export function scoreLineText(view: SeatView, hand: HandScored, side: Side, line: ScoreLine): string {
  const player = line.seat === null ? "" : nameOrYou(view, line.seat);
  const broken = `broken by ${count(line.count, "trick")}`;
  switch (line.kind) {
    case "contract_made":
    case "ten_made":
      return `Contract of ${line.count} made`;
    case "contract_set":
    case "ten_set":
      return `Contract of ${line.count} missed by ${line.count - hand.sides[side].helping}`;
    case "overtricks":
      return view.rules.bag_limit === null ? count(line.count, "extra trick") : count(line.count, "bag");
    case "nil_made":
      return `Nil by ${player} made`;
    case "nil_failed":
      return `Nil by ${player} ${broken}`;
    case "blind_nil_made":
      return `Blind nil by ${player} made`;
    case "blind_nil_failed":
      return `Blind nil by ${player} ${broken}`;
    case "double_nil_made":
      return "Both nils made";
    case "double_nil_failed":
      return `Nil by both ${broken}`;
    case "bag_penalty":
      return `${ordinal(view.rules.bag_limit ?? 0)} bag${line.count > 1 ? `, ${line.count} times` : ""}`;
    case "bags_given_back":
      return `Points of ${count(line.count, "bag")} given back`;
  }
}

/** "Score, with 4 bags" */
export const totalText = (view: SeatView, bags: number): string =>
  view.rules.bag_limit === null ? "Score" : `Score, with ${count(bags, "bag")}`;

/** "You bid 4 and took 5; Mara bid nil and took 0." */
export function handSummary(view: SeatView, hand: HandScored, side: Side): string {
  const parts = seatsOf(side).map(
    (seat) => `${nameOrYou(view, seat)} bid ${formatBid(hand.bids[seat])} and took ${hand.taken[seat]}`,
  );
  return `${capitalize(parts.join("; "))}.`;
}

const ROUTINE: ScoreLine["kind"][] = ["contract_made", "overtricks", "bags_given_back"];

/** Highlighted for a moment: a nil, a set or a penalty. */
export const isNotable = (line: ScoreLine): boolean => !ROUTINE.includes(line.kind);
