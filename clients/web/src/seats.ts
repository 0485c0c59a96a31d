// Seats, partners and sides, and where the viewer sees a seat on screen.

import type { Seat, SeatView, Side } from "./protocol";

export const SEATS: readonly Seat[] = [0, 1, 2, 3];

export type CompassPoint = "south" | "west" | "north" | "east";
const COMPASS: readonly CompassPoint[] = ["south", "west", "north", "east"];

export const partnerOf = (seat: Seat): Seat => (seat + 2) % 4;
export const sideOf = (seat: Seat): Side => seat % 2;
export const seatsOf = (side: Side): [Seat, Seat] => [side, side + 2];

/** The seat at the bottom of the screen: the viewer's own, or seat 0 for a spectator. */
export const nearSeat = (view: SeatView): Seat => view.you ?? 0;
/** Play runs clockwise: the next seat is on the left. */
export const compassPoint = (view: SeatView, seat: Seat): CompassPoint => COMPASS[(seat - nearSeat(view) + 4) % 4];
export const sidesNearFirst = (view: SeatView): [Side, Side] => (sideOf(nearSeat(view)) === 0 ? [0, 1] : [1, 0]);
