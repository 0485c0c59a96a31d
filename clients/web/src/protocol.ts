// Written by `make protocol` from spades_core/protocol; do not edit.

export const PROTOCOL = 2;

export const CLOSE_REASONS: Record<number, string> = {
  4001: "Your seat was opened in another window.",
  4002: "Your connection could not keep up.",
  4003: "The server is restarting.",
  4004: "This client uses another version of the protocol.",
  4005: "The client did not introduce itself in time.",
};

export const CLOSE_HELLO_TIMEOUT = 4005;

export const CLOSE_PROTOCOL = 4004;

export const CLOSE_REPLACED = 4001;

export const CLOSE_RESTARTING = 4003;

export const CLOSE_TOO_SLOW = 4002;

/** How strong a bot may play, from the weakest to the strongest. */
export const LEVELS = ["easy", "medium", "hard", "expert"] as const;

export const DEFAULT_LEVEL: (typeof LEVELS)[number] = "hard";

export const BLIND_NIL_POINTS = 200;

export const BLIND_NIL_DEFICIT = 100;

/** Every switch of the rules with its values as they are written; those in RANGES are whole numbers. */
export const SWITCHES: Record<string, string[]> = {
  target: [],
  floor: ["off", "-200", "-300", "-500"],
  failed_nil_tricks: ["help", "bags", "nothing"],
  nil_value: ["off", "50", "100", "150"],
  double_nil: ["two_nils", "one_unit", "forbidden"],
  blind_nil: ["off", "on", "swap"],
  bag_limit: ["off", "5", "10"],
  bag_penalty: ["50", "100", "150"],
  bag_points: ["one", "none", "given_back"],
  bag_carry: ["remainder", "reset"],
  ten_for_200: ["off", "flat", "doubled"],
  min_bid: ["off", "side_four", "no_ones"],
  sum_not_13: ["off", "on"],
  first_dealer: ["drawn", "before_host"],
  first_lead: ["left_of_dealer", "highest_bidder", "two_of_clubs", "lowest_clubs"],
  first_trick_spades: ["allowed", "refused"],
  lead_spades: ["when_broken", "any_time", "not_first_trick"],
  deck: ["standard", "jokers", "jokers_and_deuces"],
  variant: ["partnership", "mirror", "whiz", "suicide"],
  hand_limit: [],
  mercy: ["off", "300"],
};

export const RANGES: Record<string, [number, number]> = {
  target: [100, 1000],
  hand_limit: [1, 200],
};

export const PRESETS: Record<RuleSet["preset"], Record<string, string>> = {
  classic: {"target": "500", "floor": "-200", "failed_nil_tricks": "help", "nil_value": "100", "double_nil": "two_nils", "blind_nil": "off", "bag_limit": "10", "bag_penalty": "100", "bag_points": "one", "bag_carry": "remainder", "ten_for_200": "off", "min_bid": "off", "sum_not_13": "off", "first_dealer": "drawn", "first_lead": "left_of_dealer", "first_trick_spades": "allowed", "lead_spades": "when_broken", "deck": "standard", "variant": "partnership", "hand_limit": "100", "mercy": "off"},
  casual: {"target": "500", "floor": "off", "failed_nil_tricks": "nothing", "nil_value": "100", "double_nil": "two_nils", "blind_nil": "off", "bag_limit": "10", "bag_penalty": "100", "bag_points": "given_back", "bag_carry": "remainder", "ten_for_200": "off", "min_bid": "off", "sum_not_13": "off", "first_dealer": "before_host", "first_lead": "left_of_dealer", "first_trick_spades": "allowed", "lead_spades": "when_broken", "deck": "standard", "variant": "partnership", "hand_limit": "100", "mercy": "off"},
};

/** What is a spade in each deck, the lowest first. */
export const SPADES: Record<RuleSet["deck"], Card[]> = {
  standard: ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS"],
  jokers: ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "LS", "BS"],
  jokers_and_deuces: ["3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "2S", "2D", "LS", "BS"],
};

export interface AddBot {
  id: string;
  seat: Seat;
  level: "easy" | "medium" | "hard" | "expert";
  t: "add_bot";
}

export interface Bid {
  id: string;
  on: string;
  bid: number;
  blind: boolean;
  t: "bid";
}

export interface BidPlaced {
  seat: Seat;
  bid: number;
  blind: boolean;
  t: "bid_placed";
}

export interface BotLevelChanged {
  seat: Seat;
  level: "easy" | "medium" | "hard" | "expert";
  t: "bot_level_changed";
}

export interface BotSeated {
  seat: Seat;
  name: string;
  level: "easy" | "medium" | "hard" | "expert";
  t: "bot_seated";
}

export interface BotTookOver {
  seat: Seat;
  t: "bot_took_over";
}

export type Card = string;

export interface CardPlayed {
  seat: Seat;
  card: Card;
  t: "card_played";
}

export interface CardsPassed {
  seat: Seat;
  to: Seat;
  cards: Card[];
  t: "cards_passed";
}

export type ClientMessage = Hello | MakeTable | JoinTable | Sit | AddBot | DropBot | Start | Look | Bid | Pass | Play | NextHand | Leave | Ping;

export interface DropBot {
  id: string;
  seat: Seat;
  t: "drop_bot";
}

export interface GameEnded {
  winner: Side | null;
  reason: "target" | "floor" | "mercy" | "hand_limit";
  t: "game_ended";
}

export interface GameStarted {
  dealer: Seat;
  t: "game_started";
}

export interface HandLookedAt {
  seat: Seat;
  cards: Card[];
  t: "hand_looked_at";
}

export interface HandReceived {
  number: number;
  dealer: Seat;
  seat: Seat | null;
  cards: Card[];
  face_down: [boolean, boolean, boolean, boolean];
  t: "hand_received";
}

export interface HandScored {
  number: number;
  bids: [number, number, number, number];
  taken: [number, number, number, number];
  sides: [SideScore, SideScore];
  t: "hand_scored";
}

export interface HandVoided {
  number: number;
  t: "hand_voided";
}

export interface Hello {
  name: string;
  token: string | null;
  connected_at: number | null;
  protocol: number;
  t: "hello";
}

export interface JoinTable {
  id: string;
  code: string;
  n: number | null;
  e: string | null;
  t: "join_table";
}

export interface Leave {
  id: string;
  t: "leave";
}

export interface Left {
  re: string;
  t: "left";
}

export interface Look {
  id: string;
  t: "look";
}

export interface MakeTable {
  id: string;
  rules: string;
  t: "make_table";
}

export interface NextHand {
  id: string;
  on: string;
  t: "next_hand";
}

export interface NextHandAsked {
  seat: Seat;
  t: "next_hand_asked";
}

export interface Pass {
  id: string;
  on: string;
  cards: Card[];
  t: "pass";
}

export interface Ping {
  t: "ping";
}

export interface Play {
  id: string;
  on: string;
  card: Card;
  t: "play";
}

export interface PlayBegan {
  seat: Seat;
  t: "play_began";
}

export interface PlayerReturned {
  seat: Seat;
  t: "player_returned";
}

export interface Pong {
  t: "pong";
}

export interface Presence {
  code: string;
  present: [boolean, boolean, boolean, boolean];
  t: "presence";
}

export interface PublicSeat {
  kind: "empty" | "person" | "bot";
  name: string;
  away: boolean;
  level: "easy" | "medium" | "hard" | "expert" | null;
  bid: number | null;
  blind: boolean;
  face_down: boolean;
  taken: number;
  cards_left: number;
  ready: boolean;
}

export interface PublicSide {
  score: number;
  bags: number;
  contract: number | null;
  taken: number;
  helping: number;
  new_bags: number;
}

export interface PublicTrick {
  leader: Seat;
  cards: Card[];
  winning: Seat;
}

export interface Refusal {
  code: string;
  text: string;
  field: string | null;
  re: string | null;
  t: "refusal";
}

export interface Restarting {
  ms: number;
  t: "restarting";
}

export interface RuleSet {
  preset: "classic" | "casual";
  target: number;
  floor: -200 | -300 | -500 | null;
  failed_nil_tricks: "help" | "bags" | "nothing";
  nil_value: 50 | 100 | 150 | null;
  double_nil: "two_nils" | "one_unit" | "forbidden";
  blind_nil: "on" | "swap" | null;
  bag_limit: 5 | 10 | null;
  bag_penalty: 50 | 100 | 150;
  bag_points: "one" | "none" | "given_back";
  bag_carry: "remainder" | "reset";
  ten_for_200: "flat" | "doubled" | null;
  min_bid: "side_four" | "no_ones" | null;
  sum_not_13: boolean;
  first_dealer: "drawn" | "before_host";
  first_lead: "left_of_dealer" | "highest_bidder" | "two_of_clubs" | "lowest_clubs";
  first_trick_spades: "allowed" | "refused";
  lead_spades: "when_broken" | "any_time" | "not_first_trick";
  deck: "standard" | "jokers" | "jokers_and_deuces";
  variant: "partnership" | "mirror" | "whiz" | "suicide";
  hand_limit: number;
  mercy: 300 | null;
}

export interface ScoreLine {
  kind: "contract_made" | "contract_set" | "ten_made" | "ten_set" | "overtricks" | "nil_made" | "nil_failed" | "blind_nil_made" | "blind_nil_failed" | "double_nil_made" | "double_nil_failed" | "bag_penalty" | "bags_given_back";
  points: number;
  count: number;
  seat: Seat | null;
}

export type Seat = number;

export interface SeatChanged {
  seat: Seat;
  to: Seat;
  t: "seat_changed";
}

export interface SeatLeft {
  seat: Seat;
  t: "seat_left";
}

export interface SeatTaken {
  seat: Seat;
  name: string;
  player: string;
  t: "seat_taken";
}

export interface SeatView {
  code: string;
  rules: RuleSet;
  phase: "lobby" | "bidding" | "passing" | "playing" | "scored" | "over";
  you: Seat | null;
  host: Seat | null;
  seats: [PublicSeat, PublicSeat, PublicSeat, PublicSeat];
  sides: [PublicSide, PublicSide];
  hand_number: number;
  dealer: Seat | null;
  turn: Seat | null;
  hand: Card[];
  legal_cards: Card[];
  legal_bids: number[];
  may_look: boolean;
  may_bid_blind: boolean;
  to_pass: number;
  passed: Card[];
  received: Card[];
  barred: string | null;
  trick: PublicTrick | null;
  tricks: Trick[];
  broken: boolean;
  outcome: GameEnded | null;
}

export type ServerMessage = Welcome | Update | Presence | Refusal | Left | Restarting | Pong;

export type Side = number;

export interface SideScore {
  contract: number;
  taken: number;
  helping: number;
  lines: ScoreLine[];
  points: number;
  score: number;
  bags: number;
}

export interface Sit {
  id: string;
  seat: Seat;
  t: "sit";
}

export interface Start {
  id: string;
  level: "easy" | "medium" | "hard" | "expert";
  t: "start";
}

export interface TableOpened {
  code: string;
  rules: RuleSet;
  t: "table_opened";
}

export type TableRequest = Sit | AddBot | DropBot | Start | Look | Bid | Pass | Play | NextHand | Leave;

export interface Trick {
  leader: Seat;
  cards: Card[];
  winner: Seat;
}

export interface TrickTaken {
  seat: Seat;
  t: "trick_taken";
}

export interface Update {
  code: string;
  n: number;
  e: string;
  events: (TableOpened | SeatTaken | SeatChanged | SeatLeft | BotSeated | BotLevelChanged | BotTookOver | PlayerReturned | GameStarted | HandLookedAt | BidPlaced | CardsPassed | PlayBegan | CardPlayed | TrickTaken | HandVoided | HandScored | NextHandAsked | GameEnded | HandReceived)[];
  view: SeatView;
  present: [boolean, boolean, boolean, boolean];
  sheet: HandScored[] | null;
  rules_card: string[] | null;
  ms_left: number | null;
  fresh: boolean;
  re: string | null;
  t: "update";
}

export interface Welcome {
  token: string;
  name: string;
  version: string;
  t: "welcome";
}
