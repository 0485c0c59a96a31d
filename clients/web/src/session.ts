// What the browser remembers of the player: name, token and last table.

import { signal } from "@preact/signals";
import { load, save } from "./storage";

const KEY = "fourth-seat.session";

export interface Session {
  name: string;
  /** Identifies the player to the server. */
  token: string | null;
  /** The code of the last table. */
  table: string | null;
}

export const loadSession = (): Session => ({ name: "", token: null, table: null, ...load<Session>(KEY) });

export const session = signal<Session>(loadSession());

export function updateSession(change: Partial<Session>): void {
  session.value = { ...session.value, ...change };
  save(KEY, session.value);
}
