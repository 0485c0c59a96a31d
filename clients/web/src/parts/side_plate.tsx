// A partnership: its score, and its contract in words and as a meter.

import { dialog } from "../dialogs";
import type { SeatView, Side } from "../protocol";
import { bagsText, contractText, formatPoints, isOwnSide, isSet, nearBagPenalty, sideName } from "../text/table";

export function SidePlate({ view, side, near }: { view: SeatView; side: Side; near: boolean }) {
  const { score } = view.sides[side];
  const bags = bagsText(view, side);
  const tricks = contractText(view, side);
  return (
    <button
      type="button"
      class={`side-plate ${near ? "near" : "far"} ${isOwnSide(view, side) ? "yours" : ""}`}
      data-testid={near ? "open-sheet" : "open-sheet-far"}
      title="The score sheet"
      onClick={() => (dialog.value = "sheet")}
    >
      <span class="side-name">{sideName(view, side)}</span>
      <span class="side-line">
        <b>{formatPoints(score)}</b>
        <span class="visually-hidden"> points, </span>
        <span class="side-state">
          {tricks && (
            <span class={isSet(view, side) ? "danger" : ""}>
              {tricks}
              {bags && ", "}
            </span>
          )}
          <span class={nearBagPenalty(view, side) ? "danger" : ""}>{bags}</span>
        </span>
      </span>
      <Meter view={view} side={side} />
    </button>
  );
}

/** A segment for each trick of the contract, filled when taken, and one for each bag of this hand. */
function Meter({ view, side }: { view: SeatView; side: Side }) {
  const { contract, helping, new_bags } = view.sides[side];
  if (contract === null || view.phase === "bidding" || view.phase === "passing") return <span class="meter" />;
  const set = isSet(view, side) ? "set" : "";
  return (
    <span class={`meter ${set}`} aria-hidden="true">
      {Array.from({ length: contract }, (_, at) => (
        <i key={at} class={at < helping ? "taken" : ""} />
      ))}
      {Array.from({ length: new_bags }, (_, at) => (
        <i key={`bag${at}`} class={view.rules.bag_limit === null ? "more" : "bag"} />
      ))}
    </span>
  );
}
