// What is said in passing: quiet toast lines, moments over the table, and the polite live region.

import { type Signal, signal } from "@preact/signals";
import { pace } from "./pace";
import type { SeatView } from "./protocol";
import type { Scene, VisibleEvent } from "./scene_player";
import { eventText } from "./text/events";
import { sideOf } from "./seats";
import { subjectVerb, isOwnSide, nameOf } from "./text/table";

export interface Notice {
  id: number;
  text: string;
  tone: "neutral" | "good" | "bad";
}

/** notice: stays its time; hint: says why not now, and goes with the situation; answer: somebody asked by a key. */
export interface Toast {
  id: number;
  text: string;
  kind: "notice" | "hint" | "answer";
}

const TOAST_MS = 4_000;
const FLASH_MS = 1_800;
const BANNER_MS = 12_000;

export const toasts = signal<Toast[]>([]);
export const flash = signal<Notice | null>(null);
/** What takes time to read and to understand, over everything else. */
export const banner = signal<Notice | null>(null);
export const announcement = signal("");

let lastId = 0;

export function toast(text: string, kind: Toast["kind"] = "notice"): void {
  const line: Toast = { id: ++lastId, text, kind };
  toasts.value = [...toasts.value.filter((other) => other.text !== text), line].slice(-3);
  setTimeout(() => {
    toasts.value = toasts.value.filter((other) => other.id !== line.id);
  }, TOAST_MS);
}

/** Says it and shows it, once for all who ask by a key. */
export function replyToKey(text: string): void {
  announce(text);
  toasts.value = toasts.value.filter((other) => other.kind !== "answer");
  toast(text, "answer");
}

/** What was said of a situation that is over. */
export function dropHints(): void {
  toasts.value = toasts.value.filter((line) => line.kind === "notice");
}

/** The same words twice are two announcements. */
function announce(text: string): void {
  announcement.value = announcement.peek() === text ? `${text}\u00a0` : text;
}

const showFlash = (text: string, tone: Notice["tone"]): void =>
  showFor(FLASH_MS * Math.max(pace, 0.1), flash, { id: ++lastId, text, tone });

function showFor(ms: number, place: Signal<Notice | null>, line: Notice): void {
  place.value = line;
  setTimeout(() => {
    if (place.value?.id === line.id) place.value = null;
  }, ms);
}

/** Tells what a newly shown scene brings. */
export function announceScene(scene: Scene, before: SeatView | null): void {
  dropHints();
  const sentences = scene.events.map((event) => eventText(event, scene.view, before)).filter(Boolean);
  if (sentences.length) announce(sentences.join(" "));
  for (const event of scene.events) flashFor(event, scene.view, before);
  if (before && becameHost(scene.view, before)) toast("You are the host now: Start is yours.");
}

/** Hosting has passed to the viewer, who is asked to start the next game. */
function becameHost({ phase, you, host }: SeatView, before: SeatView): boolean {
  const waits = phase === "lobby" || phase === "over";
  return waits && you !== null && host === you && before.host !== null && before.host !== before.you;
}

/** What the score panel does not say itself gets a line over the table for a moment. */
function flashFor(event: VisibleEvent, view: SeatView, before: SeatView | null): void {
  switch (event.t) {
    case "trick_taken":
      return flashForTrick(event.seat, view, before);
    case "card_played":
      if (before && !before.broken && view.broken && view.phase === "playing")
        showFlash("Spades are broken", "neutral");
      return;
    case "cards_passed":
      if (event.to === view.you) showFlash(`${subjectVerb(view, event.seat, "pass")} you two cards`, "neutral");
      return;
    case "hand_voided":
      return showFor(BANNER_MS, banner, { id: ++lastId, text: eventText(event, view, before), tone: "neutral" });
    case "bot_level_changed":
      if (view.host !== view.you) toast(eventText(event, view, before));
      return;
    case "bot_took_over":
    case "player_returned":
      return showFlash(eventText(event, view, before), "neutral");
  }
}

function flashForTrick(seat: number, view: SeatView, before: SeatView | null): void {
  const { bid, blind, taken } = view.seats[seat];
  if (bid === 0 && taken === 1)
    return showFlash(`${subjectVerb(view, seat, "break")} ${blind ? "blind nil" : "nil"}`, "bad");
  const side = sideOf(seat);
  const { contract, helping } = view.sides[side];
  const had = before?.sides[side].helping ?? helping;
  if (contract && had < contract && helping >= contract) {
    showFlash(
      isOwnSide(view, side)
        ? "Your contract is made"
        : `${nameOf(view, side)} and ${nameOf(view, side + 2)} have their contract`,
      "good",
    );
  }
}
