// Cards in motion: from the hand or a plate to the trick, and from the trick to the plate of its winner.

import type { Card, Seat } from "./protocol";

/** Speed of the table: 1 as designed, 0 without pauses and animation (`?pace=0`, for tests). */
export const pace = paceOf(new URLSearchParams(globalThis.location?.search ?? "").get("pace"));
export const TRAVEL_MS = 220 * pace;
/** How long a complete trick stays on the table. */
export const REST_MS = 1200 * pace;
const EASING = "cubic-bezier(.2,.7,.2,1)";

const reducedMotion = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Where a card of the hand was when it was played: its flight starts there. */
const positions = new Map<Card, DOMRect>();

function paceOf(param: string | null): number {
  const number = Number(param ?? 1);
  return Number.isFinite(number) ? Math.max(0, number) : 1;
}

/** With reduced motion cards do not fly, but a complete trick still rests. */
const isAnimated = (): boolean => pace > 0 && !reducedMotion?.matches;

export function rememberPosition(card: Card, element: Element): void {
  positions.set(card, element.getBoundingClientRect());
}

export function forgetPositions(): void {
  positions.clear();
}

const plateRect = (seat: Seat): DOMRect | undefined =>
  document.querySelector(`[data-testid="plate-${seat}"]`)?.getBoundingClientRect();

/** Returns the transform that moves `element` to `rect`. */
function moveTo(element: Element, rect: DOMRect, scaled: boolean): string {
  const here = element.getBoundingClientRect();
  const x = rect.x + rect.width / 2 - (here.x + here.width / 2);
  const y = rect.y + rect.height / 2 - (here.y + here.height / 2);
  const scale = scaled ? rect.width / here.width : 0.6;
  return `translate(${x}px, ${y}px) scale(${scale})`;
}

/** Flies a card that was just played to where it lies now. */
export function flyFrom(seat: Seat, card: Card, element: Element): void {
  const own = positions.get(card);
  positions.delete(card);
  const from = own ?? plateRect(seat);
  if (!isAnimated() || !from) return;
  const start = { transform: moveTo(element, from, own !== undefined), opacity: own ? 1 : 0.2 };
  element.animate([start, { transform: "none", opacity: 1 }], { duration: TRAVEL_MS, easing: EASING });
}

/** Flies a card of a trick to the seat that won it. */
export function flyTo(seat: Seat, element: Element): void {
  const to = plateRect(seat);
  if (!isAnimated() || !to) return;
  const end = { transform: moveTo(element, to, false), opacity: 0 };
  element.animate([{ transform: "none", opacity: 1 }, end], { duration: TRAVEL_MS, easing: EASING, fill: "forwards" });
}
