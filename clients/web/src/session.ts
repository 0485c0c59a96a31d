// What this browser remembers of its person: the name, the token that is the session, and the last table.

import { signal } from "@preact/signals";

const KEY = "fourth-seat.session";

export interface Session {
  name: string;
  token: string | null;
  table: string | null;
}

export function loadSession(storage: Storage | undefined = globalThis.localStorage): Session {
  const nobody: Session = { name: "", token: null, table: null };
  try {
    return { ...nobody, ...JSON.parse(storage?.getItem(KEY) ?? "{}") };
  } catch {
    return nobody; // Storage may be forbidden or hold something else; then one is simply new here.
  }
}

export const session = signal<Session>(loadSession());

export function updateSession(change: Partial<Session>): void {
  session.value = { ...session.value, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(session.value));
  } catch {
    // Without storage the session lasts as long as the page.
  }
}
