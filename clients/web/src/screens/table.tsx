// The table while a hand is bid and played.

import { asking, takeBack } from "../actions";
import { dialog } from "../dialogs";
import { Bidding } from "../parts/bidding";
import { FaceDown, FaceDownHand } from "../parts/face_down";
import { Hand } from "../parts/hand";
import { Passing } from "../parts/passing";
import { Banner, StatusLine } from "../parts/notices";
import { Plate } from "../parts/plate";
import { SidePlate } from "../parts/side_plate";
import { TrickArea } from "../parts/trick";
import type { SeatView } from "../protocol";
import { SEATS, sidesNearFirst } from "../seats";
import type { Scene } from "../scene_player";
import { deals, scene } from "../table";
import { statusLine } from "../text/table";

export function TableScreen({ view }: { view: SeatView }) {
  const shown = scene.value as Scene;
  const resting = shown.trick !== null && shown.trick.stage !== "lying";
  const asked = questionFor(view);
  const away = view.you !== null && view.seats[view.you].away;
  return (
    <main class={`table ${view.hand.length > 7 || view.may_look ? "two-rows" : ""}`}>
      {sidesNearFirst(view).map((side, at) => (
        <SidePlate key={side} view={view} side={side} near={at === 0} />
      ))}
      <Banner />
      <Tools view={view} />
      {SEATS.map((seat) => (
        <Plate key={seat} view={view} seat={seat} />
      ))}
      {asked ?? <TrickArea scene={shown} />}
      {away ? <BotPlays /> : <StatusLine said={asked ? "" : statusLine(view, shown.trick)} />}
      {view.you === null ? (
        <p class="hand watching">You are watching. A bot’s seat is yours when you sit down.</p>
      ) : view.may_look ? (
        <FaceDownHand view={view} key={deals.value} />
      ) : (
        <Hand view={view} resting={resting} key={deals.value} />
      )}
    </main>
  );
}

/** What the table asks of the viewer takes the place of the trick. */
function questionFor(view: SeatView) {
  if (view.may_look) return <FaceDown view={view} key={`face down ${deals.value}`} />;
  if (view.legal_bids.length) return <Bidding view={view} key={`bid ${deals.value}`} />;
  return view.to_pass ? <Passing view={view} /> : null;
}

function Tools({ view }: { view: SeatView }) {
  return (
    <nav class="tools" aria-label="Table">
      <button
        type="button"
        class="button"
        data-testid="last-trick"
        aria-label="Last trick"
        disabled={!view.tricks.length}
        onClick={() => (dialog.value = "last")}
      >
        <span aria-hidden="true">↺</span>
        <span class="tool-word">
          Last<span class="tool-more"> trick</span>
        </span>
      </button>
      <button type="button" class="button" data-testid="menu" onClick={() => (dialog.value = "menu")}>
        <span aria-hidden="true">≡</span>
        <span class="tool-word">Menu</span>
      </button>
    </nav>
  );
}

function BotPlays() {
  return (
    <p class="bot-plays" role="status">
      A bot plays for you.
      <button type="button" class="small-button" data-testid="take-back" disabled={asking.value} onClick={takeBack}>
        Take the hand back
      </button>
    </p>
  );
}
