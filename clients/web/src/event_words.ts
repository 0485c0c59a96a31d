// What is announced of an event, in whole sentences.

import { cardName, handInWords } from "./cards";
import { aBot } from "./level_words";
import type { SeatView } from "./protocol";
import type { VisibleEvent } from "./stage";
import { bidWord, capital, does, is, isYou, nameOf, sideName, signed, who, winnerWords } from "./words";

const QUIET = new Set(["next_hand_asked", "table_opened"]);

/** What is announced of an event. `before` still knows the name of who left. */
export function eventWords(event: VisibleEvent, view: SeatView, before: SeatView | null): string {
  if (QUIET.has(event.t)) return "";
  switch (event.t) {
    case "seat_taken":
      return `${does(view, event.seat, "sit")} down.`;
    case "seat_changed":
      return `${does(view, event.to, "change")} seats.`;
    case "seat_left":
      return `${before ? capital(who(before, event.seat)) : "Somebody"} left the table.`;
    case "bot_seated":
      return `${event.name}, ${aBot(event.level)}, sits down.`;
    case "bot_level_changed":
      return `${nameOf(view, event.seat)} is ${aBot(event.level)} now.`;
    case "bot_took_over":
      return `A bot plays on for ${who(view, event.seat)}.`;
    case "player_returned":
      return `${is(view, event.seat)} back.`;
    default:
      return handEventWords(event, view);
  }
}

function handEventWords(event: VisibleEvent, view: SeatView): string {
  switch (event.t) {
    case "game_started":
      return `The game starts. ${does(view, event.dealer, "deal")}.`;
    case "hand_received":
      return `Hand ${event.number}. ${dealtWords(event, view)}`;
    case "hand_looked_at":
      return lookWords(event, view);
    case "bid_placed":
      return `${does(view, event.seat, "bid")} ${event.blind ? "blind nil" : bidWord(event.bid)}.`;
    case "cards_passed":
      return passedWords(event, view);
    case "card_played":
      return `${does(view, event.seat, "play")} the ${cardName(event.card)}.`;
    case "trick_taken":
      return `${does(view, event.seat, "take")} the trick.`;
    case "hand_voided":
      return "The end of this hand was lost, so it is dealt again. The score stays as it was.";
    case "hand_scored":
      return event.sides.map((side, at) => `${sideName(view, at, " and ")}: ${signed(side.points)}.`).join(" ");
    case "game_ended":
      return `${winnerWords(view)}.`;
    default:
      return "";
  }
}

type Told<T extends VisibleEvent["t"]> = Extract<VisibleEvent, { t: T }>;

function dealtWords({ cards, seat, face_down }: Told<"hand_received">, view: SeatView): string {
  if (cards.length) return `You hold ${handInWords(cards, view.rules.deck)}.`;
  return seat !== null && face_down[seat] ? "Your cards lie face down." : "";
}

/** Turning up a hand after a blind bid is no news of the others. */
function lookWords({ seat, cards }: Told<"hand_looked_at">, view: SeatView): string {
  if (cards.length) return `You hold ${handInWords(cards, view.rules.deck)}.`;
  return view.seats[seat].blind ? "" : `${does(view, seat, "look")} at the cards.`;
}

/** "Mara passes you the ace of spades and the big joker." */
export function passedWords({ seat, to, cards }: Told<"cards_passed">, view: SeatView): string {
  const what = cards.length ? cards.map((card) => `the ${cardName(card)}`).join(" and ") : "two cards";
  const giver = does(view, seat, "pass");
  return isYou(view, to) ? `${giver} you ${what}.` : `${giver} ${what} to ${who(view, to)}.`;
}
