// The score and the rules in words: every number comes with its noun.

import type { HandScored, RuleSet, ScoreLine, SeatView, Side } from "./protocol";
import { seatsOf } from "./seats";
import { bidWord, capital, count, plain, who } from "./words";

const ORDINALS = ["", "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"];

function ordinal(n: number): string {
  return ORDINALS[n] ?? `${n}th`;
}

/** One reason for points: "Contract of 7 made". */
export function lineWords(view: SeatView, hand: HandScored, side: Side, line: ScoreLine): string {
  const player = line.seat === null ? "" : who(view, line.seat);
  const { taken, contract } = hand.sides[side];
  switch (line.kind) {
    case "contract_made":
      return `Contract of ${line.count} made`;
    case "contract_set":
      return `Contract of ${line.count} missed by ${contract - taken}`;
    case "overtricks":
      return count(line.count, "bag");
    case "nil_made":
      return `Nil by ${player} made`;
    case "nil_failed":
      return `Nil by ${player} broken by ${count(line.count, "trick")}`;
    case "bag_penalty":
      return `${ordinal(view.rules.bag_limit)} bag${line.count > 1 ? `, ${line.count} times` : ""}`;
  }
}

/** "You bid 4 and took 5; Mara bid nil and took 0." */
export function handWords(view: SeatView, hand: HandScored, side: Side): string {
  const parts = seatsOf(side).map(
    (seat) => `${who(view, seat)} bid ${bidWord(hand.bids[seat])} and took ${hand.taken[seat]}`,
  );
  return `${capital(parts.join("; "))}.`;
}

const TELLING: ScoreLine["kind"][] = ["nil_made", "nil_failed", "contract_set", "bag_penalty"];

/** Lines that turn a game get a moment of attention. */
export const isTelling = (line: ScoreLine): boolean => TELLING.includes(line.kind);

/** The rules of a table as its card shows them. */
export function ruleWords(rules: RuleSet): string[] {
  const limit = ordinal(rules.bag_limit).toLowerCase();
  return [
    "Partners sit opposite and add their bids to one contract.",
    "Follow suit if you can. Spades are always trump; they may be led once one has been played on another suit.",
    "A contract made is worth ten points a trick, missed it costs as much. Each trick beyond it is a bag and one point.",
    `Every ${limit} bag costs ${rules.bag_penalty} points.`,
    `Nil is a bid of no tricks: +${rules.nil_value} when kept, −${rules.nil_value} when broken.`,
    `The first side at ${rules.target} wins; a side at ${plain(rules.floor)} loses on the spot.`,
  ];
}
