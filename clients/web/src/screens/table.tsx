// The table while a hand is bid and played.

import { asking, takeBack } from "../actions";
import { dialog } from "../dialogs";
import { Bidding } from "../parts/bidding";
import { Hand } from "../parts/hand";
import { SaidLine } from "../parts/notices";
import { Plate } from "../parts/plate";
import { SidePlate } from "../parts/side_plate";
import { TrickArea } from "../parts/trick";
import type { SeatView } from "../protocol";
import { SEATS, sidesFor } from "../seats";
import type { Scene } from "../stage";
import { scene } from "../table";
import { said } from "../words";

export function TableScreen({ view }: { view: SeatView }) {
  const shown = scene.value as Scene;
  const bids = view.phase === "bidding" && view.legal_bids.length > 0;
  const resting = shown.trick !== null && shown.trick.stage !== "lying";
  const away = view.you !== null && view.seats[view.you].away;
  return (
    <main class={`table ${view.hand.length > 7 ? "two-rows" : ""}`}>
      {sidesFor(view).map((side, at) => (
        <SidePlate key={side} view={view} side={side} near={at === 0} />
      ))}
      <Tools view={view} />
      {SEATS.map((seat) => (
        <Plate key={seat} view={view} seat={seat} />
      ))}
      {bids ? <Bidding view={view} key={view.hand_number} /> : <TrickArea scene={shown} />}
      {away ? <BotPlays /> : <SaidLine said={bids ? "" : said(view, shown.trick)} />}
      {view.you === null ? (
        <p class="hand watching">You are watching. A bot’s seat is yours when you sit down.</p>
      ) : (
        <Hand view={view} resting={resting} />
      )}
    </main>
  );
}

function Tools({ view }: { view: SeatView }) {
  return (
    <nav class="tools" aria-label="Table">
      <button
        type="button"
        class="button"
        data-testid="last-trick"
        disabled={!view.tricks.length}
        onClick={() => (dialog.value = "last")}
      >
        <span aria-hidden="true">↺</span> <span class="tool-word">Last trick</span>
      </button>
      <button type="button" class="button" data-testid="menu" onClick={() => (dialog.value = "menu")}>
        <span aria-hidden="true">≡</span> <span class="tool-word">Table</span>
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
