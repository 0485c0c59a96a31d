// A sample view for each scene of the gallery; the names are at the bottom.

import type { HandScored, PublicSeat, SeatView } from "../src/protocol";
import { rules, seat as sampleSeat } from "../tests/samples";

const seat = (name: string, more: Partial<PublicSeat> = {}): PublicSeat => sampleSeat(name, { bid: null, ...more });
const long = new URLSearchParams(location.search).has("long");
export const names = long
  ? ["Wilhelmina van der Berghe", "Maximilian-Alexander II.", "Mara Annabelle Katharina", "Bartholomew Featherstone"]
  : ["Jo", "Ilya", "Mara", "Otto"];

export const playing: SeatView = {
  code: "KQXZP",
  rules,
  phase: "playing",
  you: 0,
  host: 0,
  seats: [
    seat(names[0], { bid: 4, taken: 3 }),
    seat(names[1], { bid: 0, taken: 0 }),
    seat(names[2], { bid: 3, taken: 3 }),
    seat(names[3], { bid: 5, taken: 4, kind: "bot", level: "expert" }),
  ],
  sides: [
    { score: 312, bags: 4, contract: 7, taken: 6, helping: 6, new_bags: 0 },
    { score: -87, bags: 8, contract: 5, taken: 4, helping: 4, new_bags: 0 },
  ],
  hand_number: 4,
  dealer: 1,
  turn: 0,
  hand: "2C 6C 7C JC 8D AD 3H TH KH 4S 9S QS AS".split(" "),
  legal_cards: "3H TH KH".split(" "),
  legal_bids: [],
  may_look: false,
  may_bid_blind: false,
  to_pass: 0,
  passed: [],
  received: [],
  barred: "You must follow hearts.",
  trick: { leader: 1, cards: ["5H", "JH", "2H"], winning: 2 },
  tricks: [{ leader: 0, cards: ["KD", "QD", "AC", "JS"], winner: 3 }],
  broken: true,
  outcome: null,
};

const bidding: SeatView = {
  ...playing,
  phase: "bidding",
  legal_bids: Array.from({ length: 14 }, (_, at) => at),
  legal_cards: [],
  barred: null,
  trick: null,
  tricks: [],
  seats: [
    seat(names[0]),
    seat(names[1], { bid: 0 }),
    seat(names[2], { bid: 3 }),
    seat(names[3], { kind: "bot", level: "expert", bid: 5 }),
  ],
  sides: [
    { score: 312, bags: 4, contract: null, taken: 0, helping: 0, new_bags: 0 },
    { score: 287, bags: 8, contract: 5, taken: 0, helping: 0, new_bags: 0 },
  ],
};

const lobby: SeatView = {
  ...playing,
  phase: "lobby",
  turn: null,
  dealer: null,
  hand: [],
  trick: null,
  tricks: [],
  seats: [
    seat(names[0]),
    seat("", { kind: "empty" }),
    seat(names[2]),
    seat(names[3], { kind: "bot", level: "expert" }),
  ],
};

export const hands: HandScored[] = [1, 2, 3, 4].map((number) => ({
  number,
  bids: [4, 0, 3, 5],
  taken: [4, 1, 5, 3],
  sides: [
    {
      contract: 7,
      taken: 9,
      helping: 9,
      points: -28,
      score: 72 * number,
      bags: 2,
      lines: [
        { kind: "contract_made", points: 70, count: 7, seat: null },
        { kind: "overtricks", points: 2, count: 2, seat: null },
        { kind: "bag_penalty", points: -100, count: 1, seat: null },
      ],
    },
    {
      contract: 5,
      taken: 4,
      helping: 4,
      points: -150,
      score: 50 - 60 * number,
      bags: 8,
      lines: [
        { kind: "nil_failed", points: -100, count: 1, seat: 1 },
        { kind: "contract_set", points: -50, count: 5, seat: null },
      ],
    },
  ],
  t: "hand_scored",
}));

const jokers: SeatView = {
  ...playing,
  rules: { ...rules, deck: "jokers_and_deuces" },
  hand: "6C 7C JC 8D AD 3H TH QS AS 2S 2D LS BS".split(" "),
  legal_cards: "QS AS 2S 2D LS BS".split(" "),
  trick: { leader: 1, cards: ["3S", "JH", "KS"], winning: 3 },
};

const behind: SeatView["sides"] = [
  { score: 112, bags: 4, contract: null, taken: 0, helping: 0, new_bags: 0 },
  { score: 287, bags: 8, contract: null, taken: 0, helping: 0, new_bags: 0 },
];
const faceDown: SeatView = {
  ...bidding,
  rules: { ...rules, blind_nil: "swap" },
  hand: [],
  legal_bids: [],
  may_look: true,
  may_bid_blind: true,
  sides: behind,
  seats: [
    seat(names[0], { face_down: true }),
    seat(names[1], { bid: 4 }),
    seat(names[2], { face_down: true }),
    seat(names[3], { kind: "bot", level: "expert", bid: 5 }),
  ],
};
const passing: SeatView = {
  ...faceDown,
  phase: "passing",
  hand: "6C 7C 8D AD 3H TH KH 4S 9S QS AS".split(" "),
  may_look: false,
  may_bid_blind: false,
  to_pass: 0,
  turn: 2,
  seats: [
    seat(names[0], { bid: 0, blind: true }),
    seat(names[1], { bid: 4 }),
    seat(names[2], { bid: 4 }),
    seat(names[3], { kind: "bot", level: "expert", bid: 5 }),
  ],
};
const fifteen = "2C 6C 7C JC 8D AD 3H TH KH 4S 9S QS AS 5C TD".split(" ");
const mirror: SeatView = { ...bidding, rules: { ...rules, variant: "mirror" }, legal_bids: [4] };
export const rulesCard = [
  "The first side at 500 points wins.",
  "A side at −200 points or less loses on the spot.",
  "Partners add their bids to one contract.",
  "A contract made earns 10 points a trick, missed it loses as many.",
  "A bid of 0 is nil: 100 points when no trick is taken, −100 when one is; the tricks of a failed nil count for the partner's contract.",
  "Follow suit if you can; spades are always trump.",
  "A spade may be led once one was played on another suit.",
  "A trick beyond the contract is a bag and earns 1 point; every ten bags cost 100 points, and the rest stay on the count.",
];

const few = { hand: "4S KH TH 2C 8D".split(" "), legal_cards: ["KH", "TH"] };
export const views: Record<string, SeatView | null> = {
  home: null,
  rules: null,
  own: null,
  invalid: null,
  ask: null,
  refused: null,
  lobby,
  awayHost: {
    ...lobby,
    host: 2,
    seats: lobby.seats.map((one, at) => ({ ...one, away: at === 2 })) as SeatView["seats"],
  },
  bots: {
    ...lobby,
    seats: [
      seat(names[0]),
      seat("Wilma", { kind: "bot", level: "medium" }),
      seat("", { kind: "empty" }),
      seat("Otto", { kind: "bot", level: "expert" }),
    ],
  },
  alone: {
    ...lobby,
    seats: [seat(names[0]), ...[1, 2, 3].map(() => seat("", { kind: "empty" }))] as SeatView["seats"],
  },
  guest: { ...lobby, you: null, host: 0 },
  bidding,
  waiting: {
    ...bidding,
    turn: 2,
    legal_bids: [],
    seats: [
      seat(names[0]),
      seat(names[1], { bid: 0 }),
      seat(names[2]),
      seat(names[3], { kind: "bot", level: "expert" }),
    ],
  },
  jokers,
  mirror,
  whiz: { ...mirror, rules: { ...rules, variant: "whiz" }, legal_bids: [0, 4] },
  thirteen: {
    ...bidding,
    rules: { ...rules, sum_not_13: true },
    legal_bids: bidding.legal_bids.filter((bid) => bid !== 5),
  },
  faceDown,
  faceDownEarly: { ...faceDown, turn: 3, may_bid_blind: false },
  toPass: {
    ...passing,
    hand: [...passing.hand, "2C", "JC"],
    to_pass: 2,
    turn: 0,
  },
  toPassBack: { ...passing, hand: fifteen, to_pass: 2, turn: 0 },
  passing,
  noBags: { ...playing, rules: { ...rules, bag_limit: null } },
  playing,
  others: { ...playing, turn: 3, legal_cards: [], barred: null, trick: { leader: 1, cards: ["5S", "JH"], winning: 1 } },
  few: { ...playing, ...few },
  watching: { ...playing, you: null, hand: [], legal_cards: [], barred: null },
  away: {
    ...playing,
    seats: playing.seats.map((one, at) =>
      at === 0 || at === 2 ? { ...one, away: true, level: "hard" } : one,
    ) as SeatView["seats"],
  },
  scored: { ...playing, phase: "scored", turn: null, trick: null, legal_cards: [], barred: null, hand: [] },
  over: {
    ...playing,
    phase: "over",
    turn: null,
    trick: null,
    hand: [],
    outcome: { winner: 0, reason: "target", t: "game_ended" },
    sides: [
      { score: 512, bags: 4, contract: 7, taken: 7, helping: 7, new_bags: 0 },
      { score: 287, bags: 8, contract: 5, taken: 4, helping: 4, new_bags: 0 },
    ],
  },
};
