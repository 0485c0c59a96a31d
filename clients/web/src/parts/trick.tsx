// The trick in the middle of the table; each card lies before the seat that played it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { cardName } from "../cards";
import { flyFrom, flyTo } from "../motion";
import type { Card, Seat, SeatView } from "../protocol";
import { compassPoint } from "../seats";
import type { Scene, ShownTrick } from "../scene_player";
import { hurry } from "../table";
import { subjectVerb } from "../text/table";
import { CardFace, cardClass } from "./card";

export function TrickArea({ scene }: { scene: Scene }) {
  const { view, trick, events } = scene;
  const justPlayed = (card: Card): boolean => events.some((event) => event.t === "card_played" && event.card === card);
  return (
    <div class={`trick ${trick?.stage ?? "empty"}`} data-testid="trick" onClick={hurry}>
      {trick?.plays.map(({ seat, card }) => (
        <TrickCard key={card} card={card} seat={seat} view={view} trick={trick} arrives={justPlayed(card)} />
      ))}
    </div>
  );
}

interface TrickCardProps {
  card: Card;
  seat: Seat;
  view: SeatView;
  trick: ShownTrick;
  arrives: boolean;
}

function TrickCard({ card, seat, view, trick, arrives }: TrickCardProps) {
  const box = useRef<HTMLDivElement>(null);
  const going = trick.stage === "going";
  useLayoutEffect(() => {
    if (arrives && box.current) flyFrom(seat, card, box.current);
  }, []);
  useLayoutEffect(() => {
    if (going && box.current) flyTo(trick.winning, box.current);
  }, [going]);
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
