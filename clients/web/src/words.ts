// Every sentence about the table, in one place: what is seen is what a screen reader hears.

import { cardName, handInWords, suitName, suitOf } from "./cards";
import type { Seat, SeatView, Side } from "./protocol";
import { partnerOf, seatsOf, sideOf } from "./seats";
import type { SeenEvent, ShownTrick } from "./stage";

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
/** +70, −100; never a hyphen for a minus. */
export const signed = (points: number): string => (points < 0 ? "−" : "+") + Math.abs(points);
export const plain = (points: number): string => (points < 0 ? "−" : "") + Math.abs(points);
export const bidWord = (bid: number): string => (bid === 0 ? "nil" : String(bid));

export const isYou = (view: SeatView, seat: Seat): boolean => view.you === seat;
export const nameOf = (view: SeatView, seat: Seat): string => view.seats[seat].name || `Seat ${seat + 1}`;
export const who = (view: SeatView, seat: Seat): string => (isYou(view, seat) ? "you" : nameOf(view, seat));
const whose = (view: SeatView, seat: Seat): string => (isYou(view, seat) ? "your" : `${nameOf(view, seat)}’s`);

/** "You bid", "Mara bids" */
export function does(view: SeatView, seat: Seat, verb: string): string {
  if (isYou(view, seat)) return `You ${verb}`;
  return `${nameOf(view, seat)} ${verb}s`;
}

const is = (view: SeatView, seat: Seat): string => (isYou(view, seat) ? "You are" : `${nameOf(view, seat)} is`);

/** "You & Mara": oneself first. */
export function sideName(view: SeatView, side: Side, joint = " & "): string {
  const seats = seatsOf(side).sort((a) => (isYou(view, a) ? -1 : 1));
  return capital(seats.map((seat) => who(view, seat)).join(joint));
}

/** Under a name on its plate: "bid 3 · took 2". */
export function plateWords(view: SeatView, seat: Seat): string {
  const { bid, taken } = view.seats[seat];
  if (bid === null)
    return view.phase !== "bidding" || isYou(view, seat) ? "" : view.turn === seat ? "is bidding" : "has not bid";
  return view.phase === "bidding" ? `bid ${bidWord(bid)}` : `bid ${bidWord(bid)} · took ${taken}`;
}

/** Bags as they stand now: those of earlier hands and, while a hand is played, its overtricks so far. */
export function bagsNow(view: SeatView, side: Side): number {
  const { bags, contract, taken } = view.sides[side];
  const over = view.phase === "playing" && contract !== null ? Math.max(0, taken - contract) : 0;
  return bags + over;
}

/** What a side has of its contract: "6 of 7"; nothing before there is one. */
export function contractWords(view: SeatView, side: Side): string {
  const { contract, taken } = view.sides[side];
  if (view.phase === "bidding" || contract === null) return "";
  return contract === 0 ? `nil, took ${taken}` : `${taken} of ${contract}`;
}

/** "6 of 7, 4 bags" */
export const sideWords = (view: SeatView, side: Side): string =>
  [contractWords(view, side), count(bagsNow(view, side), "bag")].filter(Boolean).join(", ");

/** No longer to be made: too few tricks are left. */
export function isSet(view: SeatView, side: Side): boolean {
  const { contract, taken } = view.sides[side];
  return contract !== null && taken + (13 - view.tricks.length) < contract;
}

/** The line under the trick. */
export function said(view: SeatView, trick: ShownTrick | null): string {
  if (view.phase === "scored") return "The cards are shuffled…";
  if (view.turn === null && !trick) return "";
  if (view.phase === "bidding")
    return view.turn === view.you ? "Your bid" : `${does(view, view.turn ?? 0, "bid")} next`;
  if (!trick) return view.turn === view.you ? "You lead" : `${does(view, view.turn ?? 0, "lead")}`;
  if (trick.stage !== "lying") return `${does(view, trick.winning, "take")} the trick`;
  return `${capital(suitName(suitOf(trick.plays[0].card)))} led · ${is(view, trick.winning)} winning`;
}

/** The line above one's own hand. */
export function ownWords(view: SeatView): string {
  if (view.you === null) return "You are watching";
  return view.turn === view.you ? "Your turn" : "You";
}

/** What a bid would mean for the contract. */
export function bidSentence(view: SeatView, bid: number | null): string {
  const partner = partnerOf(view.you ?? 0);
  const name = nameOf(view, partner);
  const theirs = view.seats[partner].bid;
  const known = theirs === null ? `${name} has not bid yet` : `${name} bid ${bidWord(theirs)}`;
  if (bid === null) return `${known}. How many tricks will you take?`;
  if (bid === 0) {
    const value = view.rules.nil_value;
    return `Nil: take no trick for +${value}; one trick costs ${value}. ${known}.`;
  }
  if (theirs === null) return `${known}; your ${bid} is your half of the contract.`;
  return `${known}; with your ${bid} the contract is ${theirs + bid}.`;
}

/** Why a card cannot be played now. */
export const barredWords = (view: SeatView): string =>
  view.barred ?? (view.phase === "bidding" ? "First everybody bids." : turnWords(view));

const QUIET = new Set(["next_hand_asked", "table_opened"]);

/** What is announced of an event. `before` still knows the name of who left. */
export function eventWords(event: SeenEvent, view: SeatView, before: SeatView | null): string {
  if (QUIET.has(event.t)) return "";
  switch (event.t) {
    case "seat_taken":
      return `${does(view, event.seat, "sit")} down.`;
    case "seat_changed":
      return `${does(view, event.to, "change")} seats.`;
    case "seat_left":
      return `${before ? capital(who(before, event.seat)) : "Somebody"} left the table.`;
    case "bot_seated":
      return `${event.name}, a bot, sits down.`;
    case "bot_took_over":
      return `A bot plays on for ${who(view, event.seat)}.`;
    case "player_returned":
      return `${is(view, event.seat)} back.`;
    default:
      return handEventWords(event, view);
  }
}

function handEventWords(event: SeenEvent, view: SeatView): string {
  switch (event.t) {
    case "game_started":
      return `The game starts. ${does(view, event.dealer, "deal")}.`;
    case "hand_received":
      return `Hand ${event.number}. ${event.cards.length ? `You hold ${handInWords(event.cards)}.` : ""}`;
    case "bid_placed":
      return `${does(view, event.seat, "bid")} ${bidWord(event.bid)}.`;
    case "card_played":
      return `${does(view, event.seat, "play")} the ${cardName(event.card)}.`;
    case "trick_taken":
      return `${does(view, event.seat, "take")} the trick.`;
    case "hand_scored":
      return event.sides.map((side, at) => `${sideName(view, at, " and ")}: ${signed(side.points)}.`).join(" ");
    case "game_ended":
      return `${winnerWords(view)}.`;
    default:
      return "";
  }
}

/** "You and Mara win" */
export function winnerWords(view: SeatView): string {
  const winner = view.outcome?.winner ?? null;
  return winner === null ? "The game is a draw" : `${sideName(view, winner, " and ")} win`;
}

export function endReason(view: SeatView): string {
  const { rules, outcome } = view;
  if (!outcome) return "";
  const loser = outcome.winner === null ? 0 : 1 - outcome.winner;
  if (outcome.reason === "target") return `The first side at ${rules.target} points wins.`;
  if (outcome.reason === "floor")
    return `${sideName(view, loser, " and ")} fell to ${plain(rules.floor)} or below, which loses on the spot.`;
  return `After ${rules.hand_limit} hands the side ahead wins.`;
}

/** Whether the viewer is on this side; someone without a seat is on none. */
export const isYours = (view: SeatView, side: Side): boolean => view.you !== null && sideOf(view.you) === side;

/** Whose turn it is, as a sentence. */
export function turnWords(view: SeatView): string {
  if (view.turn === null) return "It is nobody’s turn.";
  return `It is ${whose(view, view.turn)} turn to ${view.phase === "bidding" ? "bid" : "play"}.`;
}
