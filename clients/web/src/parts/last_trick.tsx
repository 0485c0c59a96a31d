// The trick before, as it lay.

import { cardName } from "../cards";
import type { SeatView } from "../protocol";
import { compassPoint } from "../seats";
import { capitalize, subjectVerb, nameOrYou } from "../text/table";
import { CardFace, cardClass } from "./card";

export function LastTrick({ view }: { view: SeatView }) {
  const last = view.tricks.at(-1);
  if (!last) return <p class="soft">No trick has been played in this hand yet.</p>;
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
