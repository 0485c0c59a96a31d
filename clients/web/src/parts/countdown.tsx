// When the table acts by itself: "Next hand in 0:23".

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { actsAt } from "../table";

const left = (): number | null =>
  actsAt.value === null ? null : Math.max(0, Math.ceil((actsAt.value - performance.now()) / 1000));

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

export function Countdown({ what }: { what: string }) {
  const seconds = useSignal(left());
  useEffect(() => {
    seconds.value = left();
    const id = setInterval(() => (seconds.value = left()), 250);
    return () => clearInterval(id);
  }, [actsAt.value]);
  if (seconds.value === null) return null;
  return (
    <p class="countdown soft">
      {what} in {clock(seconds.value)}
    </p>
  );
}
