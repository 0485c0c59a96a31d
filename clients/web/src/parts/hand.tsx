// The player's hand: legal cards are raised, the others say why not. Two taps, a drag up or Enter play a card;
// before a pass, taps choose cards.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cardName, rowsOf, sorted, suitOf } from "../cards";
import { cardAfterKey, hasModifier } from "../keys";
import { rememberPosition } from "../motion";
import { dropHints, toast } from "../notices";
import type { Card, SeatView } from "../protocol";
import { settings } from "../settings";
import { useTable } from "../table";
import { capitalize, illegalCardReason } from "../text/table";
import { cardClass, CardFace } from "./card";
import { useDragUp } from "./drag_up";
import { cardsToPass, toggleCardToPass } from "./passing";

interface HandProps {
  view: SeatView;
  /** Until the next trick begins, a tap only skips the animation. */
  isTrickOver: boolean;
}

export function Hand({ view, isTrickOver }: HandProps) {
  const table = useTable();
  const picked = useSignal<Card | null>(null);
  const focused = useSignal<Card | null>(null); // now, or last
  const box = useRef<HTMLDivElement>(null);
  const { deck } = view.rules;
  const cards = sorted(view.hand, deck);
  const tabStop =
    focused.value && cards.includes(focused.value) ? focused.value : (view.legal_cards.at(-1) ?? cards[0]);
  const buttonOf = (card: Card) => box.current?.querySelector<HTMLElement>(`[data-testid="card-${card}"]`);

  /** Plays a legal card, which flies from where it lies. */
  const playFromHand = (card: Card): void => {
    if (!table.canAct.peek()) return;
    dropHints();
    const button = buttonOf(card);
    if (button) rememberPosition(card, button);
    void table.play(card);
  };

  /** The first tap picks a card, the second plays it. */
  const tap = (card: Card): void => {
    if (isTrickOver) return table.skipAnimation();
    if (view.to_pass) return toggleCardToPass(card, view);
    if (!view.legal_cards.includes(card)) return toast(illegalCardReason(view), "hint");
    dropHints();
    if (settings.value.oneTap || picked.value === card) return playFromHand(card);
    picked.value = card;
  };

  /** Keys move the focus from card to card; Enter plays the focused card. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = cards.findIndex((card) => document.activeElement === buttonOf(card));
    if (at < 0 || hasModifier(event)) return;
    const to = cardAfterKey(event.key, cards, at, deck);
    if (event.key === "Enter") {
      if (view.legal_cards.includes(cards[at])) playFromHand(cards[at]);
      else buttonOf(cards[at])?.click();
    } else if (to) buttonOf(to)?.focus();
    else return;
    event.preventDefault();
  };

  useEffect(() => {
    if (picked.value && !view.hand.includes(picked.value)) picked.value = null;
    // The focus is lost with the card that had it: it stays in the hand.
    if (focused.value && !view.hand.includes(focused.value) && document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [view.hand]);

  return (
    <div
      class={`hand ${view.phase === "bidding" ? "dealt" : ""}`}
      data-testid="hand"
      role="group"
      aria-label="Your hand"
      ref={box}
      onKeyDown={onKeyDown}
    >
      {rowsOf(cards).map((row) => (
        <div class="hand-row">
          {row.map((card, at) => (
            <HandCard
              key={card}
              card={card}
              view={view}
              isPicked={picked.value === card || cardsToPass(view).includes(card)}
              isTabStop={card === tabStop}
              endsSuit={at + 1 < row.length && suitOf(row[at + 1], deck) !== suitOf(card, deck)}
              play={() => playFromHand(card)}
              tap={() => tap(card)}
              onFocus={() => (focused.value = card)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface HandCardProps {
  card: Card;
  view: SeatView;
  isPicked: boolean;
  isTabStop: boolean;
  endsSuit: boolean;
  play(): void;
  tap(): void;
  onFocus(): void;
}

function HandCard({ card, view, isPicked, isTabStop, endsSuit, play, tap, onFocus }: HandCardProps) {
  const isLegal = view.legal_cards.includes(card);
  const isBarred = view.phase === "playing" && view.turn === view.you && !isLegal;
  const isReceived = useTable().state.value.received.includes(card);
  const drag = useDragUp(isLegal, play);
  const classes = [
    (isLegal || view.to_pass) && "legal",
    isReceived && "received",
    isBarred && "barred",
    isPicked && "picked",
  ];
  const marks = [isReceived && "just passed to you", isBarred ? "not now" : isPicked && "picked"];
  return (
    <div class={`hand-slot ${endsSuit ? "suit-ends" : ""}`}>
      <button
        type="button"
        class={cardClass(card, classes.filter(Boolean).join(" "))}
        data-testid={`card-${card}`}
        data-legal={isLegal}
        aria-label={[capitalize(cardName(card)), ...marks.filter(Boolean)].join(", ")}
        aria-pressed={isPicked}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={onFocus}
        onClick={() => drag.wasDragged() || tap()}
        {...drag.listeners}
      >
        <CardFace card={card} deck={view.rules.deck} />
      </button>
    </div>
  );
}
