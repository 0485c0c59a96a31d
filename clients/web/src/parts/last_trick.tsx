// The trick before, as it lay.

import { cardName } from "../cards";
import type { SeatView } from "../protocol";
import { placeOf } from "../seats";
import { capital, does, who } from "../words";
import { CardFace, cardClass } from "./card";

export function LastTrick({ view }: { view: SeatView }) {
  const last = view.tricks.at(-1);
  if (!last) return <p class="soft">No trick has been played in this hand yet.</p>;
  const plays = last.cards.map((card, at) => ({ card, seat: (last.leader + at) % 4 }));
  return (
    <>
      <div class="last-trick">
        {plays.map(({ card, seat }) => (
          <figure key={card} class={`trick-place ${placeOf(view, seat)} ${seat === last.winner ? "winning" : ""}`}>
            <div class={cardClass(card)} role="img" aria-label={`${does(view, seat, "play")} the ${cardName(card)}`}>
              <CardFace card={card} deck={view.rules.deck} />
            </div>
            <figcaption>{capital(who(view, seat))}</figcaption>
          </figure>
        ))}
      </div>
      <p class="centred">
        {capital(who(view, last.leader))} led · {capital(who(view, last.winner))} took it
      </p>
    </>
  );
}
