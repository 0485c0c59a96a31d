// What is shown, and when: updates become scenes, and scenes are shown one after the other at the pace of a card table.
//
// Invariant: the shown scene is never more than LATEST_MS behind the newest update.

import { REST_MS, TRAVEL_MS } from "./pace";
import type { Card, Seat, SeatView, Trick, Update } from "./protocol";

export type VisibleEvent = Update["events"][number];

export interface ShownTrick {
  plays: { seat: Seat; card: Card }[];
  winning: Seat;
  /** lying: cards are still to come; resting: it is complete; going: it slides to the seat that took it. */
  stage: "lying" | "resting" | "going";
}

export interface Scene {
  n: number;
  view: SeatView;
  trick: ShownTrick | null;
  /** What happened, told when the scene is shown. */
  events: VisibleEvent[];
}

interface Step {
  scene: Scene;
  ms: number;
}

const MAX_LAG_MS = 2_000;

const plays = (leader: Seat, cards: Card[]): ShownTrick["plays"] =>
  cards.map((card, place) => ({ seat: (leader + place) % 4, card }));

function lyingTrick(view: SeatView): ShownTrick | null {
  const trick = view.trick;
  return trick && { plays: plays(trick.leader, trick.cards), winning: trick.winning, stage: "lying" };
}

/** Where in the events the trick ends that still has to be seen complete; -1 when there is none. */
function endOfTrick({ events, view, fresh }: Update): number {
  if (fresh || view.trick !== null || view.tricks.length === 0) return -1;
  const end = events.findLastIndex((event) => event.t === "trick_taken");
  const dealtSince = events.findLastIndex((event) => event.t === "hand_received") > end;
  return dealtSince ? -1 : end;
}

/** While a trick rests nobody acts, and a hand that it ended is not scored yet: its bags are still new. */
function viewAtRest({ view, events }: Update, before: SeatView | null): SeatView {
  const scored = events.find((event) => event.t === "hand_scored");
  const sides = view.sides.map((side, at) => {
    const then = before?.sides[at] ?? side;
    const bags = scored?.sides[at].lines.find((line) => line.kind === "overtricks")?.count ?? 0;
    return { ...side, score: then.score, bags: then.bags, new_bags: scored ? bags : side.new_bags };
  }) as SeatView["sides"];
  return { ...view, sides, phase: "playing", turn: null, legal_cards: [], barred: null };
}

/** The scenes of one update, with how long each stays when more follow. */
export function scenesOf(update: Update, before: SeatView | null): Step[] {
  const { n, view, events } = update;
  const end = endOfTrick(update);
  if (end < 0) {
    const ms = !update.fresh && events.some((event) => event.t === "card_played") ? TRAVEL_MS : 0;
    return [{ scene: { n, view, trick: lyingTrick(view), events }, ms }];
  }
  const last = view.tricks.at(-1) as Trick;
  const trick = { plays: plays(last.leader, last.cards), winning: last.winner };
  const resting = viewAtRest(update, before);
  const scene = (stage: ShownTrick["stage"], told: VisibleEvent[]): Scene => ({
    n,
    view: resting,
    trick: { ...trick, stage },
    events: told,
  });
  return [
    { scene: scene("resting", events.slice(0, end + 1)), ms: REST_MS },
    { scene: scene("going", []), ms: TRAVEL_MS },
    { scene: { n, view, trick: null, events: events.slice(end + 1) }, ms: 0 },
  ];
}

/** Then nothing of it is shown any more, not even a trick that still rests. */
const voidsHand = ({ events }: Update): boolean => events.some((event) => event.t === "hand_voided");

export class ScenePlayer {
  private queue: Step[] = [];
  private showingMs = 0;
  private newest: SeatView | null = null;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly show: (scene: Scene) => void,
    private readonly after: (ms: number, act: () => void) => () => void,
  ) {}

  add(update: Update): void {
    if (update.fresh || this.newest === null || voidsHand(update)) this.clear();
    this.queue.push(...scenesOf(update, this.newest));
    this.newest = update.view;
    while (this.queue.length && this.lagMs() > MAX_LAG_MS) this.next();
    if (!this.cancel) this.next();
  }

  /** Shows the newest at once; a tap during a rest asks for it. */
  skipAnimation(): void {
    while (this.queue.length) this.next();
  }

  clear(): void {
    this.stop();
    this.queue = [];
    this.newest = null;
  }

  private lagMs(): number {
    return this.queue.reduce((sum, step) => sum + step.ms, this.showingMs);
  }

  private next(): void {
    this.stop();
    const step = this.queue.shift();
    if (!step) return;
    this.show(step.scene);
    if (step.ms === 0) return this.next();
    this.showingMs = step.ms;
    this.cancel = this.after(step.ms, () => this.next());
  }

  private stop(): void {
    this.cancel?.();
    this.cancel = null;
    this.showingMs = 0;
  }
}
