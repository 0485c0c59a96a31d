// The trick on the table, and the last trick in its dialog; each card lies before the seat that played it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { cardName } from "../cards";
import { flyFrom, flyTo } from "../motion";
import type { Card, Seat, SeatView } from "../protocol";
import type { Scene, ShownTrick } from "../scene_player";
import { compassPoint } from "../seats";
import { useTable } from "../table";
import { capitalize, nameOrYou, subjectVerb } from "../text/table";
import { cardClass, CardFace } from "./card";

export function TrickArea({ scene }: { scene: Scene }) {
  const table = useTable();
  const { view, trick, events } = scene;
  const isJustPlayed = (card: Card): boolean =>
    events.some((event) => event.t === "card_played" && event.card === card);
  return (
    <div class={`trick ${trick?.stage ?? "empty"}`} data-testid="trick" onClick={table.skipAnimation}>
      {trick?.plays.map(({ seat, card }) => (
        <TrickCard key={card} card={card} seat={seat} view={view} trick={trick} isNew={isJustPlayed(card)} />
      ))}
    </div>
  );
}

interface TrickCardProps {
  card: Card;
  seat: Seat;
  view: SeatView;
  trick: ShownTrick;
  isNew: boolean;
}

function TrickCard({ card, seat, view, trick, isNew }: TrickCardProps) {
  const box = useRef<HTMLDivElement>(null);
  const isCollected = trick.stage === "collected";
  useLayoutEffect(() => {
    if (isNew && box.current) flyFrom(seat, card, box.current);
  }, []);
  useLayoutEffect(() => {
    if (isCollected && box.current) flyTo(trick.winning, box.current);
  }, [isCollected]);
  return (
    <div class={`trick-place ${compassPoint(view, seat)} ${trick.winning === seat ? "winning" : ""}`}>
      <div
        ref={box}
        role="img"
        class={cardClass(card)}
        data-testid={`trick-${card}`}
        data-seat={seat}
        aria-label={`${subjectVerb(view, seat, "play")} the ${cardName(card)}`}
      >
        <CardFace card={card} deck={view.rules.deck} />
      </div>
    </div>
  );
}

export function LastTrick({ view }: { view: SeatView }) {
  const last = view.tricks.at(-1);
  if (!last) return <p class="muted">No trick has been played in this hand yet.</p>;
  const plays = last.cards.map((card, at) => ({ card, seat: (last.leader + at) % 4 }));
  return (
    <>
      <div class="last-trick">
        {plays.map(({ card, seat }) => (
          <figure key={card} class={`trick-place ${compassPoint(view, seat)} ${seat === last.winner ? "winning" : ""}`}>
            <div
              class={cardClass(card)}
              role="img"
              aria-label={`${subjectVerb(view, seat, "play")} the ${cardName(card)}`}
            >
              <CardFace card={card} deck={view.rules.deck} />
            </div>
            <figcaption>{capitalize(nameOrYou(view, seat))}</figcaption>
          </figure>
        ))}
      </div>
      <p class="centred">
        {capitalize(nameOrYou(view, last.leader))} led · {capitalize(nameOrYou(view, last.winner))} took it
      </p>
    </>
  );
}
