// Cards travel: from the hand or the seat that played them to the trick, and from the trick to the seat that took it.

import { isAnimated, TRAVEL_MS } from "./pace";
import type { Card, Seat } from "./protocol";

const EASE = "cubic-bezier(.2,.7,.2,1)";

/** Where a card of the own hand lay when it was last touched, so that it leaves from there. */
const positions = new Map<Card, DOMRect>();

export function rememberPosition(card: Card, element: Element): void {
  positions.set(card, element.getBoundingClientRect());
}

/** Another hand was dealt: the same cards lie elsewhere. */
export function forgetPositions(): void {
  positions.clear();
}

const plateRect = (seat: Seat): DOMRect | undefined =>
  document.querySelector(`[data-testid="plate-${seat}"]`)?.getBoundingClientRect();

/** The transform that puts `element` where `from` is. */
function moveTo(element: Element, from: DOMRect, scaled: boolean): string {
  const here = element.getBoundingClientRect();
  const x = from.x + from.width / 2 - (here.x + here.width / 2);
  const y = from.y + from.height / 2 - (here.y + here.height / 2);
  const scale = scaled ? from.width / here.width : 0.6;
  return `translate(${x}px, ${y}px) scale(${scale})`;
}

export function flyFrom(seat: Seat, card: Card, element: Element): void {
  const own = positions.get(card);
  positions.delete(card);
  const from = own ?? plateRect(seat);
  if (!isAnimated() || !from) return;
  const start = { transform: moveTo(element, from, own !== undefined), opacity: own ? 1 : 0.2 };
  element.animate([start, { transform: "none", opacity: 1 }], { duration: TRAVEL_MS, easing: EASE });
}

export function flyTo(seat: Seat, element: Element): void {
  const to = plateRect(seat);
  if (!isAnimated() || !to) return;
  const end = { transform: moveTo(element, to, false), opacity: 0 };
  element.animate([{ transform: "none", opacity: 1 }, end], { duration: TRAVEL_MS, easing: EASE, fill: "forwards" });
}
