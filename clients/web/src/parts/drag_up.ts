// Playing a card by dragging it up; the card follows the pointer.

import { useRef } from "preact/hooks";

const PLAY_DISTANCE = 56; // pixels upwards
const TAP_TOLERANCE = 8; // pixels; a shorter drag is a tap

interface Drag {
  startX: number;
  startY: number;
  distance: number;
  up: number;
}

export function useDragUp(allowed: boolean, play: (element: HTMLElement) => void) {
  const drag = useRef<Drag | null>(null);
  const wasDrag = useRef(false);

  const down = (event: PointerEvent): void => {
    wasDrag.current = false;
    drag.current = { startX: event.clientX, startY: event.clientY, distance: 0, up: 0 };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const now = drag.current;
    if (!now || !allowed) return;
    const [x, y] = [event.clientX - now.startX, event.clientY - now.startY];
    now.distance = Math.hypot(x, y);
    now.up = -y;
    if (now.distance < TAP_TOLERANCE) return;
    wasDrag.current = true;
    const card = event.currentTarget as HTMLElement;
    card.classList.add("dragged");
    card.style.translate = `${x}px ${y}px`;
  };
  const up = (event: PointerEvent): void => {
    const card = event.currentTarget as HTMLElement;
    const far = (drag.current?.up ?? 0) > PLAY_DISTANCE && wasDrag.current;
    if (far && event.type === "pointerup") play(card);
    drag.current = null;
    card.classList.remove("dragged");
    card.style.translate = "";
  };

  return {
    /** Whether the last click ended a drag and is no tap. */
    moved: (): boolean => wasDrag.current,
    listeners: { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: up },
  };
}
