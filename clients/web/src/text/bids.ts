// Texts for the bidding: what a bid means, and which bids are not allowed.

import { BLIND_NIL_POINTS, type SeatView } from "../protocol";
import { partnerOf } from "../seats";
import { formatBid, nameOf } from "./table";

/** What a bid means for the contract; the question before a bid is chosen. */
export function bidMeaning(view: SeatView, bid: number | null): string {
  const partner = partnerOf(view.you ?? 0);
  const name = nameOf(view, partner);
  const theirs = view.seats[partner].bid;
  const known = theirs === null ? `${name} has not bid yet` : `${name} bid ${formatBid(theirs)}`;
  if (bid === null) return `${known}. How many tricks will you take?`;
  if (bid === 0) return `${nilMeaning(view, theirs === 0)} ${known}.`;
  if (theirs === null) return `${known}; your ${bid} is your half of the contract.`;
  return `${known}; with your ${bid} the contract is ${theirs + bid}.`;
}

function nilMeaning({ rules }: SeatView, both: boolean): string {
  if (both && rules.double_nil === "one_unit") return "Two nils: both of you take no trick, or both nils are lost.";
  return `Nil: take no trick for +${rules.nil_value}; one trick costs ${rules.nil_value}.`;
}

/** Why some bids are not allowed; empty if all are. */
export function bidRestrictions(view: SeatView): string {
  if (view.legal_bids.length > 13) return "";
  const { rules } = view;
  const partner = partnerOf(view.you ?? 0);
  const name = nameOf(view, partner);
  const theirs = view.seats[partner].bid;
  if (rules.variant === "mirror") return "Mirror: you bid the spades you hold.";
  if (rules.variant === "whiz") return "Whiz: you bid the spades you hold, or nil.";
  if (rules.variant === "suicide") {
    if (theirs === null) return "Suicide: one of you bids nil, the other at least 4.";
    return theirs === 0
      ? `Suicide: ${name} bid nil, so you bid at least 4.`
      : `Suicide: ${name} did not, so you bid nil.`;
  }
  const reasons = [
    view.legal_bids.includes(0) ? "" : noNilReason(view, name, theirs),
    rules.min_bid === "side_four" && theirs !== null && theirs < 4 ? `With ${name} you bid at least 4 together.` : "",
    rules.min_bid === "no_ones" ? "Nobody bids 1." : "",
    sumReason(view),
  ];
  return reasons.filter(Boolean).join(" ");
}

function noNilReason({ rules }: SeatView, name: string, theirs: number | null): string {
  if (rules.nil_value === null) return "There is no nil at this table.";
  return rules.double_nil === "forbidden" && theirs === 0 ? `${name} bid nil, so you cannot.` : "";
}

/** Which number the last to bid may not bid. */
function sumReason(view: SeatView): string {
  const bids = view.seats.map((seat) => seat.bid);
  const rest = 13 - bids.reduce<number>((sum, bid) => sum + (bid ?? 0), 0);
  const isLast = bids.filter((bid) => bid === null).length === 1;
  if (!view.rules.sum_not_13 || !isLast || rest < 0) return "";
  return `The bids may not add up to 13, so not ${formatBid(rest)}.`;
}

/** About a hand that is face down. */
export function faceDownText(view: SeatView, isConfirming: boolean): string {
  const partner = nameOf(view, partnerOf(view.you ?? 0));
  if (view.turn !== view.you) return "You may bid blind nil when it is your turn, unless you look first.";
  if (!view.may_bid_blind) return `${bidRestrictions({ ...view, legal_bids: [] })} Look at your cards to bid.`.trim();
  if (!isConfirming) return "Your side is far behind: you may bid nil before you look.";
  const swap = view.rules.blind_nil === "swap" ? ` Then you and ${partner} exchange two cards.` : "";
  return `No trick at all, unseen: +${BLIND_NIL_POINTS}, or −${BLIND_NIL_POINTS}.${swap}`;
}
