// Playing a card by dragging it up; the card follows the pointer.

import { useRef } from "preact/hooks";

const PLAY_DISTANCE = 56; // pixels upwards
const TAP_TOLERANCE = 8; // pixels; a shorter drag is a tap

export function useDragUp(isAllowed: boolean, play: () => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const wasDragged = useRef(false);
  const distanceUp = useRef(0);

  const onPointerDown = (event: PointerEvent): void => {
    wasDragged.current = false;
    start.current = { x: event.clientX, y: event.clientY };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (!start.current || !isAllowed) return;
    const [x, y] = [event.clientX - start.current.x, event.clientY - start.current.y];
    distanceUp.current = -y;
    if (Math.hypot(x, y) < TAP_TOLERANCE) return;
    wasDragged.current = true;
    const card = event.currentTarget as HTMLElement;
    card.classList.add("dragged");
    card.style.translate = `${x}px ${y}px`;
  };
  const onPointerUp = (event: PointerEvent): void => {
    const isFarUp = wasDragged.current && distanceUp.current > PLAY_DISTANCE;
    if (start.current && isFarUp && event.type === "pointerup") play();
    start.current = null;
    const card = event.currentTarget as HTMLElement;
    card.classList.remove("dragged");
    card.style.translate = "";
  };

  return {
    /** Whether the click just made ends a drag and is no tap. */
    wasDragged: (): boolean => wasDragged.current,
    listeners: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  };
}
