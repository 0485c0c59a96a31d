// Announcements of events, in whole sentences.

import { cardName, handText } from "../cards";
import type { SeatView } from "../protocol";
import type { VisibleEvent } from "../scene_player";
import { botOfLevel } from "./levels";
import {
  capitalize,
  formatBid,
  formatSigned,
  isYou,
  nameOf,
  nameOrYou,
  sideName,
  subjectIs,
  subjectVerb,
  winnerText,
} from "./table";

const SILENT_EVENTS = new Set(["next_hand_asked", "table_opened"]);

/** Returns the announcement of an event, or "". `before` still has the name of a player who left. */
export function eventText(event: VisibleEvent, view: SeatView, before: SeatView | null): string {
  if (SILENT_EVENTS.has(event.t)) return "";
  switch (event.t) {
    case "seat_taken":
      return `${subjectVerb(view, event.seat, "sit")} down.`;
    case "seat_changed":
      return `${subjectVerb(view, event.to, "change")} seats.`;
    case "seat_left":
      return `${before ? capitalize(nameOrYou(before, event.seat)) : "Somebody"} left the table.`;
    case "bot_seated":
      return `${event.name}, ${botOfLevel(event.level)}, sits down.`;
    case "bot_level_changed":
      return `${nameOf(view, event.seat)} is ${botOfLevel(event.level)} now.`;
    case "bot_took_over":
      return `A bot plays on for ${nameOrYou(view, event.seat)}.`;
    case "player_returned":
      return `${subjectIs(view, event.seat)} back.`;
    default:
      return handEventText(event, view);
  }
}

function handEventText(event: VisibleEvent, view: SeatView): string {
  switch (event.t) {
    case "game_started":
      return `The game starts. ${subjectVerb(view, event.dealer, "deal")}.`;
    case "hand_received":
      return `Hand ${event.number}. ${dealtText(event, view)}`;
    case "hand_looked_at":
      return lookText(event, view);
    case "bid_placed":
      return `${subjectVerb(view, event.seat, "bid")} ${event.blind ? "blind nil" : formatBid(event.bid)}.`;
    case "cards_passed":
      return passedText(event, view);
    case "card_played":
      return `${subjectVerb(view, event.seat, "play")} the ${cardName(event.card)}.`;
    case "trick_taken":
      return `${subjectVerb(view, event.seat, "take")} the trick.`;
    case "hand_voided":
      return "The end of this hand was lost, so it is dealt again. The score stays as it was.";
    case "hand_scored":
      return event.sides.map((side, at) => `${sideName(view, at, " and ")}: ${formatSigned(side.points)}.`).join(" ");
    case "game_ended":
      return `${winnerText(view)}.`;
    default:
      return "";
  }
}

type EventOf<T extends VisibleEvent["t"]> = Extract<VisibleEvent, { t: T }>;

function dealtText({ cards, seat, face_down }: EventOf<"hand_received">, view: SeatView): string {
  if (cards.length) return `You hold ${handText(cards, view.rules.deck)}.`;
  return seat !== null && face_down[seat] ? "Your cards lie face down." : "";
}

/** Cards turned up after a blind bid of another player are not announced. */
function lookText({ seat, cards }: EventOf<"hand_looked_at">, view: SeatView): string {
  if (cards.length) return `You hold ${handText(cards, view.rules.deck)}.`;
  return view.seats[seat].blind ? "" : `${subjectVerb(view, seat, "look")} at the cards.`;
}

/** "Mara passes you the ace of spades and the big joker." */
function passedText({ seat, to, cards }: EventOf<"cards_passed">, view: SeatView): string {
  const what = cards.length ? cards.map((card) => `the ${cardName(card)}`).join(" and ") : "two cards";
  const giver = subjectVerb(view, seat, "pass");
  return isYou(view, to) ? `${giver} you ${what}.` : `${giver} ${what} to ${nameOrYou(view, to)}.`;
}
