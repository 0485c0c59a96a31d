// The player's hand: legal cards are raised, the others say why not. Two taps, a drag up or Enter play a card;
// before a pass, taps choose cards.

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cardName, rowsOf, sorted, suitOf } from "../cards";
import { cardAfterKey, hasModifier } from "../keys";
import { rememberPosition } from "../motion";
import { dropHints, toast } from "../notices";
import type { Card, SeatView } from "../protocol";
import { settings } from "../settings";
import { type Table, useTable } from "../table";
import { illegalCardReason, capitalize } from "../text/table";
import { useDragUp } from "./drag_up";
import { CardFace, cardClass } from "./card";
import { cardsToPass, toggleCardToPass } from "./passing";

interface HandProps {
  view: SeatView;
  /** Until the next trick begins, a tap only skips the animation. */
  isTrickOver: boolean;
}

export function Hand({ view, isTrickOver }: HandProps) {
  const table = useTable();
  const picked = useSignal<Card | null>(null);
  const tabStopCard = useSignal<Card | null>(null); // it has the focus, or had it last
  const box = useRef<HTMLDivElement>(null);
  const deck = view.rules.deck;
  const cards = sorted(view.hand, deck);
  useEffect(() => afterCardLeft(view.hand, picked, tabStopCard, box.current), [view.hand]);
  const tap = (card: Card): void =>
    isTrickOver ? table.skipAnimation() : tapped(table, card, view, picked, box.current);
  const tabStop =
    tabStopCard.value && cards.includes(tabStopCard.value) ? tabStopCard.value : (view.legal_cards.at(-1) ?? cards[0]);
  return (
    <div
      class={`hand ${view.phase === "bidding" ? "dealt" : ""}`}
      data-testid="hand"
      role="group"
      aria-label="Your hand"
      ref={box}
      onKeyDown={(event) => onHandKey(table, event, view, cards, box.current)}
    >
      {rowsOf(cards).map((row) => (
        <div class="hand-row">
          {row.map((card, at) => (
            <HandCard
              key={card}
              card={card}
              view={view}
              picked={picked.value === card || cardsToPass(view).includes(card)}
              tabStop={card === tabStop}
              suitEnds={at + 1 < row.length && suitOf(row[at + 1], deck) !== suitOf(card, deck)}
              tap={tap}
              focused={() => (tabStopCard.value = card)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The first tap picks a card, the second plays it. */
function tapped(table: Table, card: Card, view: SeatView, picked: Signal<Card | null>, box: HTMLElement | null): void {
  if (view.to_pass) return toggleCardToPass(card, view);
  if (!view.legal_cards.includes(card)) return toast(illegalCardReason(view), "hint");
  dropHints();
  if (settings.value.oneTap || picked.value === card) return playFromHand(table, card, box);
  picked.value = card;
}

/** After the picked or focused card has left the hand: nothing is picked, and the focus stays in the hand. */
function afterCardLeft(
  hand: Card[],
  picked: Signal<Card | null>,
  stop: Signal<Card | null>,
  box: Element | null,
): void {
  if (picked.value && !hand.includes(picked.value)) picked.value = null;
  if (stop.value && !hand.includes(stop.value) && document.activeElement === document.body) {
    box?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }
}

/** Plays a legal card, which flies from where it lies. */
function playFromHand(table: Table, card: Card, box: HTMLElement | null): void {
  if (!table.canAct.peek()) return;
  dropHints();
  const button = box?.querySelector(`[data-testid="card-${card}"]`);
  if (button) rememberPosition(card, button);
  void table.play(card);
}

interface HandCardProps {
  card: Card;
  view: SeatView;
  picked: boolean;
  tabStop: boolean;
  suitEnds: boolean;
  tap(card: Card): void;
  focused(): void;
}

function HandCard({ card, view, picked, tabStop, suitEnds, tap, focused }: HandCardProps) {
  const table = useTable();
  const legal = view.legal_cards.includes(card);
  const onTurn = view.phase === "playing" && view.turn === view.you;
  const drag = useDragUp(legal, (button) => playFromHand(table, card, button.closest(".hand")));
  const isReceived = table.state.value.received.includes(card);
  const look = `${legal || view.to_pass ? "legal" : ""} ${isReceived ? "received" : ""} ${onTurn && !legal ? "barred" : ""} ${picked ? "picked" : ""}`;
  const marks = [isReceived && "just passed to you", onTurn && !legal ? "not now" : picked && "picked"].filter(Boolean);
  return (
    <div class={`hand-slot ${suitEnds ? "suit-ends" : ""}`}>
      <button
        type="button"
        class={cardClass(card, look)}
        data-testid={`card-${card}`}
        data-legal={legal}
        aria-label={[capitalize(cardName(card)), ...marks].join(", ")}
        aria-pressed={picked}
        tabIndex={tabStop ? 0 : -1}
        onFocus={focused}
        onClick={() => drag.moved() || tap(card)}
        {...drag.listeners}
      >
        <CardFace card={card} deck={view.rules.deck} />
      </button>
    </div>
  );
}

/** Keys move the focus from card to card; Enter plays the focused card. */
function onHandKey(table: Table, event: KeyboardEvent, view: SeatView, cards: Card[], box: HTMLElement | null): void {
  const button = (card: Card) => box?.querySelector<HTMLElement>(`[data-testid="card-${card}"]`);
  const at = cards.findIndex((card) => document.activeElement === button(card));
  if (at < 0 || hasModifier(event)) return;
  if (event.key === "Enter") {
    event.preventDefault();
    const here = button(cards[at]);
    return here?.dataset.legal === "true" ? playFromHand(table, cards[at], box) : here?.click();
  }
  const to = cardAfterKey(event.key, cards, at, view.rules.deck);
  if (!to) return;
  event.preventDefault();
  button(to)?.focus();
}
