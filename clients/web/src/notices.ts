// What is said in passing: quiet toast lines, moments over the table, and the polite live region.

import { signal } from "@preact/signals";
import { pace } from "./pace";
import type { SeatView } from "./protocol";
import type { Scene, SeenEvent } from "./stage";
import { eventWords } from "./event_words";
import { sideOf } from "./seats";
import { does, isYours, nameOf } from "./words";

export interface Line {
  id: number;
  text: string;
  tone: "neutral" | "good" | "bad";
}

const TOAST_MS = 4_000;
const MOMENT_MS = 1_800;

export const toasts = signal<Line[]>([]);
export const moment = signal<Line | null>(null);
export const announcement = signal("");

let lastId = 0;

export function toast(text: string): void {
  const line: Line = { id: ++lastId, text, tone: "neutral" };
  toasts.value = [...toasts.value.filter((other) => other.text !== text), line].slice(-3);
  setTimeout(() => {
    toasts.value = toasts.value.filter((other) => other.id !== line.id);
  }, TOAST_MS);
}

function showMoment(text: string, tone: Line["tone"]): void {
  const line: Line = { id: ++lastId, text, tone };
  moment.value = line;
  setTimeout(
    () => {
      if (moment.value?.id === line.id) moment.value = null;
    },
    MOMENT_MS * Math.max(pace, 0.1),
  );
}

/** Tells what a newly shown scene brings. */
export function tell(scene: Scene, before: SeatView | null): void {
  const sentences = scene.events.map((event) => eventWords(event, scene.view, before)).filter(Boolean);
  if (sentences.length) announcement.value = sentences.join(" ");
  for (const event of scene.events) momentOf(event, scene.view, before);
}

/** What the score panel does not say itself gets a line over the table for a moment. */
function momentOf(event: SeenEvent, view: SeatView, before: SeatView | null): void {
  switch (event.t) {
    case "trick_taken":
      return trickMoment(event.seat, view, before);
    case "card_played":
      if (before && !before.broken && view.broken && view.phase === "playing")
        showMoment("Spades are broken", "neutral");
      return;
    case "cards_passed":
      if (event.to === view.you) showMoment(`${does(view, event.seat, "pass")} you two cards`, "neutral");
      return;
    case "bot_took_over":
    case "player_returned":
      return showMoment(eventWords(event, view, before), "neutral");
  }
}

function trickMoment(seat: number, view: SeatView, before: SeatView | null): void {
  const { bid, blind, taken } = view.seats[seat];
  if (bid === 0 && taken === 1) return showMoment(`${does(view, seat, "break")} ${blind ? "blind nil" : "nil"}`, "bad");
  const side = sideOf(seat);
  const { contract, helping } = view.sides[side];
  const had = before?.sides[side].helping ?? helping;
  if (contract && had < contract && helping >= contract) {
    showMoment(
      isYours(view, side)
        ? "Your contract is made"
        : `${nameOf(view, side)} and ${nameOf(view, side + 2)} have their contract`,
      "good",
    );
  }
}
