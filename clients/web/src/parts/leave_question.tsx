// Leaving asks first, and says what becomes of the seat.

import { asking, leave } from "../actions";
import { dialog } from "../dialogs";
import type { SeatView } from "../protocol";

export function LeaveQuestion({ view }: { view: SeatView }) {
  const between = view.phase === "lobby" || view.phase === "over";
  const plain = between || view.you === null;
  const go = async (): Promise<void> => {
    await leave();
    dialog.value = null;
  };
  return (
    <>
      <p>
        {plain
          ? "Your seat becomes free. The link brings you back."
          : "A bot plays on for you; your seat stays yours. Come back any time with the same link."}
      </p>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={() => (dialog.value = null)}>
          Stay
        </button>
        <button type="button" class="button primary" data-testid="confirm-leave" disabled={asking.value} onClick={go}>
          Leave
        </button>
      </div>
    </>
  );
}
