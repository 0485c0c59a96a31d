// Cards travel: from the hand or the seat that played them to the trick, and from the trick to the seat that took it.

import { moves, TRAVEL_MS } from "./pace";
import type { Card, Seat } from "./protocol";

const EASE = "cubic-bezier(.2,.7,.2,1)";

/** Where a card of the own hand lay when it was last touched, so that it leaves from there. */
const lastSeen = new Map<Card, DOMRect>();

export function noteWhere(card: Card, element: Element): void {
  lastSeen.set(card, element.getBoundingClientRect());
}

/** Another hand was dealt: the same cards lie elsewhere. */
export function forgetWhere(): void {
  lastSeen.clear();
}

const plate = (seat: Seat): DOMRect | undefined =>
  document.querySelector(`[data-testid="plate-${seat}"]`)?.getBoundingClientRect();

/** The transform that puts `element` where `from` is. */
function shiftTo(element: Element, from: DOMRect, scaled: boolean): string {
  const here = element.getBoundingClientRect();
  const x = from.x + from.width / 2 - (here.x + here.width / 2);
  const y = from.y + from.height / 2 - (here.y + here.height / 2);
  const scale = scaled ? from.width / here.width : 0.6;
  return `translate(${x}px, ${y}px) scale(${scale})`;
}

export function arriveFrom(seat: Seat, card: Card, element: Element): void {
  const own = lastSeen.get(card);
  lastSeen.delete(card);
  const from = own ?? plate(seat);
  if (!moves() || !from) return;
  const start = { transform: shiftTo(element, from, own !== undefined), opacity: own ? 1 : 0.2 };
  element.animate([start, { transform: "none", opacity: 1 }], { duration: TRAVEL_MS, easing: EASE });
}

export function goTo(seat: Seat, element: Element): void {
  const to = plate(seat);
  if (!moves() || !to) return;
  const end = { transform: shiftTo(element, to, false), opacity: 0 };
  element.animate([{ transform: "none", opacity: 1 }, end], { duration: TRAVEL_MS, easing: EASE, fill: "forwards" });
}
