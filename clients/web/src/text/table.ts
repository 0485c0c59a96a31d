// Texts about the table, for the screen and for screen readers.

import { suitName, suitOf } from "../cards";
import type { Seat, SeatView, Side } from "../protocol";
import type { ShownTrick } from "../scene_player";
import { partnerOf, seatsOf, sideOf } from "../seats";

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
/** "+70", "−100", "0" */
export const formatSigned = (points: number): string => (points > 0 ? "+" : "") + formatPoints(points);
/** With a minus sign instead of a hyphen. */
export const formatPoints = (points: number): string => (points < 0 ? "−" : "") + Math.abs(points);
export const formatBid = (bid: number): string => (bid === 0 ? "nil" : String(bid));

export const isYou = (view: SeatView, seat: Seat): boolean => view.you === seat;
export const nameOf = (view: SeatView, seat: Seat): string => view.seats[seat].name || `Seat ${seat + 1}`;
export const nameOrYou = (view: SeatView, seat: Seat): string => (isYou(view, seat) ? "you" : nameOf(view, seat));
export const possessive = (view: SeatView, seat: Seat): string =>
  isYou(view, seat) ? "your" : `${nameOf(view, seat)}’s`;

/** "You bid", "Mara bids" */
export function subjectVerb(view: SeatView, seat: Seat, verb: string): string {
  if (isYou(view, seat)) return `You ${verb}`;
  return `${nameOf(view, seat)} ${verb}${verb.endsWith("ss") ? "es" : "s"}`;
}

export const subjectIs = (view: SeatView, seat: Seat): string =>
  isYou(view, seat) ? "You are" : `${nameOf(view, seat)} is`;

/** "You & Mara": the viewer first. */
export function sideName(view: SeatView, side: Side, joint = " & "): string {
  const seats = seatsOf(side).sort((a) => (isYou(view, a) ? -1 : 1));
  return capitalize(seats.map((seat) => nameOrYou(view, seat)).join(joint));
}

/** Under a name on its plate: "bid 3 · took 2", "has not looked". */
export function seatStatus(view: SeatView, seat: Seat): string {
  const { bid, blind, taken, face_down } = view.seats[seat];
  if (bid !== null) {
    const bidText = blind ? "blind nil" : formatBid(bid);
    return view.phase === "playing" || view.phase === "scored" ? `bid ${bidText} · took ${taken}` : `bid ${bidText}`;
  }
  if (face_down) return isYou(view, seat) ? "" : "has not looked";
  return view.phase !== "bidding" || isYou(view, seat) ? "" : view.turn === seat ? "is bidding" : "has not bid";
}

/** The bags of earlier hands and of this hand so far. */
export function currentBags(view: SeatView, side: Side): number {
  const { bags, new_bags } = view.sides[side];
  return bags + new_bags;
}

/** "4 bags"; empty without a bag penalty. */
export const bagsText = (view: SeatView, side: Side): string =>
  view.rules.bag_limit === null ? "" : count(currentBags(view, side), "bag");

/** Two bags or fewer are left before the penalty. */
export const nearBagPenalty = (view: SeatView, side: Side): boolean =>
  view.rules.bag_limit !== null && currentBags(view, side) >= view.rules.bag_limit - 2;

/** What a side has of its contract: "6 of 7"; empty before the bidding is over. */
export function contractText(view: SeatView, side: Side): string {
  const { contract, taken, helping } = view.sides[side];
  if (view.phase === "bidding" || view.phase === "passing" || contract === null) return "";
  return contract === 0 ? `nil, took ${taken}` : `${helping} of ${contract}`;
}

/** "6 of 7, 4 bags" */
export const sideSummary = (view: SeatView, side: Side): string =>
  [contractText(view, side), bagsText(view, side)].filter(Boolean).join(", ");

/** Too few tricks are left to make the contract. */
export function isSet(view: SeatView, side: Side): boolean {
  const { contract, helping } = view.sides[side];
  return contract !== null && helping + (13 - view.tricks.length) < contract;
}

/** The line under the trick. */
export function statusLine(view: SeatView, trick: ShownTrick | null): string {
  if (view.phase === "scored") return "Shuffling the cards…";
  if (view.turn === null && !trick) return "";
  if (view.phase === "bidding")
    return view.turn === view.you ? "Your bid" : `${subjectVerb(view, view.turn ?? 0, "bid")} next`;
  if (view.phase === "passing") return passingText(view);
  if (!trick) return view.turn === view.you ? "You lead" : `${subjectVerb(view, view.turn ?? 0, "lead")}`;
  if (trick.stage !== "open") return `${subjectVerb(view, trick.winning, "take")} the trick`;
  const led = suitOf(trick.plays[0].card, view.rules.deck);
  return `${capitalize(suitName(led))} led · ${subjectIs(view, trick.winning)} winning`;
}

/** "Mara passes two cards to Ilya" */
export function passingText(view: SeatView): string {
  const giver = view.turn ?? 0;
  return `${subjectVerb(view, giver, "pass")} two cards to ${nameOrYou(view, partnerOf(giver))}`;
}

/** Which cards to pass. */
export function passingHint(view: SeatView): string {
  const you = view.you ?? 0;
  if (view.seats[you].blind) return "You bid nil: give away what might take a trick.";
  return `${nameOf(view, partnerOf(you))} bid nil: low cards help most.`;
}

/** The line above the hand. */
export function ownSeatLabel(view: SeatView): string {
  if (view.you === null) return "You are watching";
  return view.turn === view.you ? "Your turn" : "You";
}

/** Why a card cannot be played now. */
export const illegalCardReason = (view: SeatView): string =>
  view.barred ?? (view.phase === "bidding" ? "Everybody bids first." : turnText(view));

/** "You and Mara win" */
export function winnerText(view: SeatView): string {
  const winner = view.outcome?.winner ?? null;
  return winner === null ? "The game is a draw" : `${sideName(view, winner, " and ")} win`;
}

export function endReason(view: SeatView): string {
  const { rules, outcome } = view;
  if (!outcome) return "";
  const loser = outcome.winner === null ? 0 : 1 - outcome.winner;
  if (outcome.reason === "target") return `The first side at ${rules.target} points wins.`;
  if (outcome.reason === "mercy") return `A lead of ${rules.mercy} points or more ends the game.`;
  if (outcome.reason === "floor")
    return `${sideName(view, loser, " and ")} fell to ${formatPoints(rules.floor ?? 0)} or below, which loses on the spot.`;
  return `After ${count(rules.hand_limit, "hand")} the side ahead wins.`;
}

/** A spectator is on no side. */
export const isOwnSide = (view: SeatView, side: Side): boolean => view.you !== null && sideOf(view.you) === side;

const TURN_ACTIONS: Record<string, string> = { bidding: "bid", passing: "pass two cards" };

/** "It is Mara’s turn to play." */
export function turnText(view: SeatView): string {
  if (view.turn === null) return "It is nobody’s turn.";
  return `It is ${possessive(view, view.turn)} turn to ${TURN_ACTIONS[view.phase] ?? "play"}.`;
}
