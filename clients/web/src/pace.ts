// How fast the table moves: 1 as designed, 0 with no rest and no travel (`?pace=0`, for tests). Read once, kept for the page's life.

const paceParam = new URLSearchParams(globalThis.location?.search ?? "").get("pace");
const reducedMotion = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

export const pace = paceParam === null || !Number.isFinite(Number(paceParam)) ? 1 : Math.max(0, Number(paceParam));

export const TRAVEL_MS = 220 * pace;
export const REST_MS = 1200 * pace;

/** Nothing moves when the person asked for stillness; a finished trick still rests. */
export const isAnimated = (): boolean => pace > 0 && !reducedMotion?.matches;
