// What a table is played through: today a server, and anything else that answers requests and reports updates.

import type { ClientMessage, Left, Presence, Refusal, Update } from "./protocol";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

export type Request = WithoutId<Extract<ClientMessage, { id: string }>>;
/** null if the source was closed before an answer came. */
export type Answer = Update | Left | Refusal | null;

/** `waiting`: to reconnect. `replaced`: the seat was opened elsewhere. `outdated`: the page must be reloaded. */
export type ConnectionState = "idle" | "connecting" | "open" | "waiting" | "replaced" | "outdated";

/** Everything a source reports. Answers to requests are reported as well. */
export type SourceEvent =
  | Update
  | Presence
  | Refusal
  | Left
  | { t: "state"; state: ConnectionState }
  /** The table is not available yet; the source keeps trying. */
  | { t: "delayed"; text: string }
  | { t: "name_rejected"; text: string }
  /** The table cannot be rejoined after a reconnect. */
  | { t: "rejoin_refused"; refusal: Refusal };

export interface TableSource {
  /** Connects, unless that is done or in progress. */
  open(): void;
  /** Disconnects; requests without an answer resolve to null. */
  close(): void;
  /** Sends a request; resolves with its answer. */
  ask(request: Request): Promise<Answer>;
  /** Sets the one listener. */
  onUpdate(listener: (event: SourceEvent) => void): void;
}
