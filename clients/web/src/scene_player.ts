// Turns updates into scenes and shows one after the other at the pace of a card table.
//
// Invariant: the scene on screen is never more than MAX_LAG_MS behind the newest update.

import { REST_MS, TRAVEL_MS } from "./motion";
import type { Card, Seat, SeatView, Trick, Update } from "./protocol";

export type VisibleEvent = Update["events"][number];

export interface ShownTrick {
  plays: { seat: Seat; card: Card }[];
  winning: Seat;
  /** `open`: cards are still to come. `complete`: it rests. `collected`: it flies to the winner. */
  stage: "open" | "complete" | "collected";
}

/** What is on screen at one time. */
export interface Scene {
  n: number;
  view: SeatView;
  trick: ShownTrick | null;
  /** The events to announce with this scene. */
  events: VisibleEvent[];
}

interface Step {
  scene: Scene;
  /** How long the scene stays if more follow. */
  ms: number;
}

const MAX_LAG_MS = 2_000;

const playsOf = (leader: Seat, cards: Card[]): ShownTrick["plays"] =>
  cards.map((card, at) => ({ seat: (leader + at) % 4, card }));

function openTrick({ trick }: SeatView): ShownTrick | null {
  return trick && { plays: playsOf(trick.leader, trick.cards), winning: trick.winning, stage: "open" };
}

/** Returns the index of the event that ends a trick not yet shown complete; -1 if there is none. */
function endOfTrick({ events, view, fresh }: Update): number {
  if (fresh || view.trick !== null || view.tricks.length === 0) return -1;
  const end = events.findLastIndex((event) => event.t === "trick_taken");
  const isDealtSince = events.findLastIndex((event) => event.t === "hand_received") > end;
  return isDealtSince ? -1 : end;
}

/** The view while a trick rests: nobody acts, and the hand it may have ended is not scored yet. */
function viewAtRest({ view, events }: Update, before: SeatView | null): SeatView {
  const scored = events.find((event) => event.t === "hand_scored");
  const sides = view.sides.map((side, at) => {
    const { score, bags } = before?.sides[at] ?? side;
    const overtricks = scored?.sides[at].lines.find((line) => line.kind === "overtricks")?.count ?? 0;
    return { ...side, score, bags, new_bags: scored ? overtricks : side.new_bags };
  }) as SeatView["sides"];
  return { ...view, sides, phase: "playing", turn: null, legal_cards: [], barred: null };
}

function stepsOf(update: Update, before: SeatView | null): Step[] {
  const { n, view, events } = update;
  const end = endOfTrick(update);
  if (end < 0) {
    const ms = !update.fresh && events.some((event) => event.t === "card_played") ? TRAVEL_MS : 0;
    return [{ scene: { n, view, trick: openTrick(view), events }, ms }];
  }
  const { leader, cards, winner } = view.tricks.at(-1) as Trick;
  const trick = { plays: playsOf(leader, cards), winning: winner };
  const atRest = { n, view: viewAtRest(update, before) };
  return [
    { scene: { ...atRest, trick: { ...trick, stage: "complete" }, events: events.slice(0, end + 1) }, ms: REST_MS },
    { scene: { ...atRest, trick: { ...trick, stage: "collected" }, events: [] }, ms: TRAVEL_MS },
    { scene: { n, view, trick: null, events: events.slice(end + 1) }, ms: 0 },
  ];
}

/** After this nothing of the hand is shown any more, not even a trick that still rests. */
const voidsHand = ({ events }: Update): boolean => events.some((event) => event.t === "hand_voided");

export class ScenePlayer {
  private queue: Step[] = [];
  private shownMs = 0;
  private newest: SeatView | null = null;
  private cancelTimer: (() => void) | null = null;

  constructor(
    private readonly show: (scene: Scene) => void,
    private readonly after: (ms: number, act: () => void) => () => void,
  ) {}

  add(update: Update): void {
    if (update.fresh || this.newest === null || voidsHand(update)) this.clear();
    this.queue.push(...stepsOf(update, this.newest));
    this.newest = update.view;
    while (this.queue.length && this.lagMs() > MAX_LAG_MS) this.next();
    if (!this.cancelTimer) this.next();
  }

  /** Shows the newest scene at once. */
  skipAnimation(): void {
    while (this.queue.length) this.next();
  }

  clear(): void {
    this.stopTimer();
    this.queue = [];
    this.newest = null;
  }

  private lagMs(): number {
    return this.queue.reduce((sum, step) => sum + step.ms, this.shownMs);
  }

  private next(): void {
    this.stopTimer();
    const step = this.queue.shift();
    if (!step) return;
    this.show(step.scene);
    if (step.ms === 0) return this.next();
    this.shownMs = step.ms;
    this.cancelTimer = this.after(step.ms, () => this.next());
  }

  private stopTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.shownMs = 0;
  }
}
