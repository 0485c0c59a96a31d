// Sample views and updates; a test gives only what matters to it.

import type { PublicSeat, RuleSet, SeatView, Update } from "../src/protocol";
import type { VisibleEvent } from "../src/scene_player";

export const rules: RuleSet = {
  preset: "classic",
  target: 500,
  floor: -200,
  failed_nil_tricks: "help",
  nil_value: 100,
  double_nil: "two_nils",
  blind_nil: null,
  bag_limit: 10,
  bag_penalty: 100,
  bag_points: "one",
  bag_carry: "remainder",
  ten_for_200: null,
  min_bid: null,
  sum_not_13: false,
  first_dealer: "drawn",
  first_lead: "left_of_dealer",
  first_trick_spades: "allowed",
  lead_spades: "when_broken",
  deck: "standard",
  variant: "partnership",
  hand_limit: 100,
  mercy: null,
};

export const seat = (name: string, more: Partial<PublicSeat> = {}): PublicSeat => ({
  kind: "person",
  name,
  away: false,
  level: null,
  bid: 3,
  blind: false,
  face_down: false,
  taken: 0,
  cards_left: 13,
  ready: false,
  ...more,
});

export function viewOf(more: Partial<SeatView>): SeatView {
  return {
    code: "KQXZP",
    rules,
    phase: "playing",
    you: 0,
    host: 0,
    seats: [seat("Jo"), seat("Ilya"), seat("Mara"), seat("Otto", { kind: "bot", level: "hard" })],
    sides: [
      { score: 0, bags: 0, contract: 6, taken: 0, helping: 0, new_bags: 0 },
      { score: 0, bags: 0, contract: 6, taken: 0, helping: 0, new_bags: 0 },
    ],
    hand_number: 1,
    dealer: 3,
    turn: 0,
    hand: ["QS"],
    legal_cards: [],
    legal_bids: [],
    may_look: false,
    may_bid_blind: false,
    to_pass: 0,
    passed: [],
    received: [],
    barred: null,
    trick: null,
    tricks: [],
    broken: false,
    outcome: null,
    ...more,
  };
}

/** Returns a view of a table with these changes to the classic rules. */
export const underRules = (changes: Partial<RuleSet>, more: Partial<SeatView> = {}): SeatView =>
  viewOf({ rules: { ...rules, ...changes }, ...more });

export function update(n: number, view: SeatView, events: Update["events"] = []): Update {
  return {
    t: "update",
    code: view.code,
    n,
    e: `e${n}`,
    events,
    view,
    present: [true, true, true, true],
    sheet: null,
    rules_card: null,
    ms_left: null,
    fresh: false,
    re: null,
  };
}

export const handReceived = (number: number): VisibleEvent => ({
  t: "hand_received",
  number,
  dealer: 3,
  seat: 0,
  cards: [],
  face_down: [false, false, false, false],
});

/** Mara, on seat 2, plays the last card of a trick that Otto takes. */
export function lastCard(n: number, more: Partial<SeatView> = {}): Update {
  const tricks = [{ leader: 3, cards: ["AH", "2H", "3H", "4H"], winner: 3 }];
  return update(n, viewOf({ tricks, turn: 3, ...more }), [
    { t: "card_played", seat: 2, card: "4H" },
    { t: "trick_taken", seat: 3 },
  ]);
}
