// Short messages: toasts, a flash or a banner over the table, and the polite live region.

import { type Signal, signal } from "@preact/signals";
import { pace } from "./motion";
import type { SeatView } from "./protocol";
import type { Scene, VisibleEvent } from "./scene_player";
import { sideOf } from "./seats";
import { eventText } from "./text/events";
import { isOwnSide, nameOf, subjectVerb } from "./text/table";

export interface Notice {
  id: number;
  text: string;
  tone: "neutral" | "good" | "bad";
}

/** A `notice` stays its time; a `hint` or the `reply` to a key goes with the scene it speaks of. */
export interface Toast {
  id: number;
  text: string;
  kind: "notice" | "hint" | "reply";
}

const TOAST_MS = 4_000;
const FLASH_MS = 1_800 * Math.max(pace, 0.1);
const BANNER_MS = 12_000;

export const toasts = signal<Toast[]>([]);
export const flash = signal<Notice | null>(null);
/** For what takes time to read and understand. */
export const banner = signal<Notice | null>(null);
export const announcement = signal("");

let lastId = 0;

export function toast(text: string, kind: Toast["kind"] = "notice"): void {
  const added: Toast = { id: ++lastId, text, kind };
  toasts.value = [...toasts.value.filter((other) => other.text !== text), added].slice(-3);
  setTimeout(() => {
    toasts.value = toasts.value.filter((other) => other.id !== added.id);
  }, TOAST_MS);
}

/** Announces and shows the reply to a key, in place of the one before. */
export function replyToKey(text: string): void {
  announce(text);
  toasts.value = toasts.value.filter((other) => other.kind !== "reply");
  toast(text, "reply");
}

export function dropHints(): void {
  toasts.value = toasts.value.filter((toast) => toast.kind === "notice");
}

/** A repeated text differs by a space, so that a screen reader reads it again. */
function announce(text: string): void {
  announcement.value = announcement.peek() === text ? `${text}\u00a0` : text;
}

const showFlash = (text: string, tone: Notice["tone"] = "neutral"): void => showFor(FLASH_MS, flash, text, tone);

function showFor(ms: number, place: Signal<Notice | null>, text: string, tone: Notice["tone"]): void {
  const notice: Notice = { id: ++lastId, text, tone };
  place.value = notice;
  setTimeout(() => {
    if (place.value?.id === notice.id) place.value = null;
  }, ms);
}

/** Announces the events of a scene that is now on screen. `before` is the view it replaces. */
export function announceScene(scene: Scene, before: SeatView | null): void {
  dropHints();
  const sentences = scene.events.map((event) => eventText(event, scene.view, before)).filter(Boolean);
  if (sentences.length) announce(sentences.join(" "));
  for (const event of scene.events) showEvent(event, scene.view, before);
  if (before && becameHost(scene.view, before)) toast("You are the host now and can start the game.");
}

/** Between games, when somebody else was the host before. */
function becameHost({ phase, you, host }: SeatView, before: SeatView): boolean {
  const isBetweenGames = phase === "lobby" || phase === "over";
  return isBetweenGames && you !== null && host === you && before.host !== null && before.host !== before.you;
}

/** Shows what neither the table nor the score says by itself. */
function showEvent(event: VisibleEvent, view: SeatView, before: SeatView | null): void {
  switch (event.t) {
    case "trick_taken":
      return showTrickResult(event.seat, view, before);
    case "card_played":
      if (before && !before.broken && view.broken && view.phase === "playing") showFlash("Spades are broken");
      return;
    case "cards_passed":
      if (event.to === view.you) showFlash(`${subjectVerb(view, event.seat, "pass")} you two cards`);
      return;
    case "hand_voided":
      return showFor(BANNER_MS, banner, eventText(event, view, before), "neutral");
    case "bot_level_changed":
      if (view.host !== view.you) toast(eventText(event, view, before));
      return;
    case "bot_took_over":
    case "player_returned":
      return showFlash(eventText(event, view, before));
  }
}

/** A broken nil, or the trick that makes a contract. */
function showTrickResult(seat: number, view: SeatView, before: SeatView | null): void {
  const { bid, blind, taken } = view.seats[seat];
  if (bid === 0 && taken === 1)
    return showFlash(`${subjectVerb(view, seat, "break")} ${blind ? "blind nil" : "nil"}`, "bad");
  const side = sideOf(seat);
  const { contract, helping } = view.sides[side];
  const helpingBefore = before?.sides[side].helping ?? helping;
  if (!contract || helpingBefore >= contract || helping < contract) return;
  const text = isOwnSide(view, side)
    ? "Your contract is made"
    : `${nameOf(view, side)} and ${nameOf(view, side + 2)} have their contract`;
  showFlash(text, "good");
}
