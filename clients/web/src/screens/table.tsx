// The table while a hand is bid and played.

import { dialog } from "../dialogs";
import { Bidding } from "../parts/bidding";
import { FaceDown, FaceDownHand } from "../parts/face_down";
import { Hand } from "../parts/hand";
import { Banner, StatusLine } from "../parts/notices";
import { Passing } from "../parts/passing";
import { Plate } from "../parts/plate";
import { SidePlate } from "../parts/side_plate";
import { TrickArea } from "../parts/trick";
import type { SeatView } from "../protocol";
import type { Scene } from "../scene_player";
import { SEATS, sidesNearFirst } from "../seats";
import { useTable } from "../table";
import { statusLine } from "../text/table";

export function TableScreen({ scene }: { scene: Scene }) {
  const { view, trick } = scene;
  const { deals } = useTable().state.value;
  const question = questionFor(view, deals);
  const isAway = view.you !== null && view.seats[view.you].away;
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
      {question ?? <TrickArea scene={scene} />}
      {isAway ? <BotPlays /> : <StatusLine status={question ? "" : statusLine(view, trick)} />}
      {view.you === null ? (
        <p class="hand watching">You are watching. A bot’s seat is yours when you sit down.</p>
      ) : view.may_look ? (
        <FaceDownHand view={view} key={deals} />
      ) : (
        <Hand view={view} isTrickOver={trick !== null && trick.stage !== "open"} key={deals} />
      )}
    </main>
  );
}

/** What the player has to decide, in the place of the trick. */
function questionFor(view: SeatView, deals: number) {
  if (view.may_look) return <FaceDown view={view} key={`face down ${deals}`} />;
  if (view.legal_bids.length) return <Bidding view={view} key={`bid ${deals}`} />;
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
  const table = useTable();
  return (
    <p class="bot-plays" role="status">
      A bot plays for you.
      <button
        type="button"
        class="small-button"
        data-testid="take-back"
        disabled={table.state.value.asking}
        onClick={table.takeBack}
      >
        Take the hand back
      </button>
    </p>
  );
}
