// The connection to the server: one WebSocket at a time, reopened whenever it breaks.
//
// Requests wait in a queue, and only the first is in flight; it is sent again with the same id after
// every reconnect until it is answered. Sockets, timers and random numbers come from an Environment,
// so tests need neither a network nor real time.

import {
  type ClientMessage,
  CLOSE_PROTOCOL,
  CLOSE_REPLACED,
  type Left,
  PROTOCOL,
  type Refusal,
  type ServerMessage,
  type Update,
  type Welcome,
} from "./protocol";
import type { Answer, ConnectionState, Request, SourceEvent, TableSource } from "./source";

export interface Socket {
  send(message: ClientMessage): void;
  close(): void;
}

export interface SocketEvents {
  opened(): void;
  received(message: ServerMessage): void;
  closed(code: number): void;
}

export interface Environment {
  openSocket(events: SocketEvents): Socket;
  /** Calls `act` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
  /** Milliseconds since 1970. */
  now(): number;
  /** A new id for a request. */
  newId(): string;
}

/** The client that connects: who it is, and where it was. */
export interface Client {
  credentials(): { name: string; token: string | null };
  welcomed(welcome: Welcome): void;
  /** The request to send after a reconnect; null without a table. */
  rejoinRequest(): Request | null;
}

interface PendingRequest {
  message: Request & { id: string };
  resolve(answer: Answer): void;
  isRejoin: boolean;
}

const PING_AFTER_MS = 10_000; // of silence
const PONG_TIMEOUT_MS = 5_000;
const WELCOME_TIMEOUT_MS = 8_000; // from opening the socket
const FIRST_DELAY_MS = 600;
const MAX_DELAY_MS = 8_000;

export class Connection implements TableSource {
  state: ConnectionState = "idle";
  private socket: Socket | null = null;
  private queue: PendingRequest[] = [];
  private inFlight = false;
  private attempts = 0;
  private connectedAt = 0;
  private restartDelay: number | null = null;
  private cancelTimer: () => void = () => {};
  private emit: (event: SourceEvent) => void = () => {};

  constructor(
    private readonly env: Environment,
    private readonly client: Client,
  ) {}

  onUpdate(listener: (event: SourceEvent) => void): void {
    this.emit = listener;
  }

  open(): void {
    if (this.socket) return;
    this.attempts = 0;
    this.restartDelay = null;
    this.connect();
  }

  close(): void {
    this.closeSocket();
    this.abandonQueue();
    this.setState("idle");
  }

  ask(request: Request): Promise<Answer> {
    return new Promise((resolve) => {
      this.queue.push(this.pending(request, resolve));
      this.sendNext();
    });
  }

  /** Skips the wait for the next attempt, or checks an open socket: the device woke up or is online again. */
  reconnectNow(): void {
    if (this.state === "waiting") this.connect();
    else if (this.state === "open") this.ping();
  }

  private connect(): void {
    this.closeSocket();
    this.setState("connecting");
    this.setTimer(WELCOME_TIMEOUT_MS, () => this.lost());
    this.connectedAt = Math.max(this.connectedAt + 1, this.env.now()); // it increases even if the clock is set back
    const ifCurrent = (act: () => void): void => {
      if (this.socket === socket) act();
    };
    const socket: Socket = this.env.openSocket({
      opened: () => ifCurrent(() => this.sendHello()),
      received: (message) => ifCurrent(() => this.receive(message)),
      closed: (code) => ifCurrent(() => this.lost(code)),
    });
    this.socket = socket;
  }

  private sendHello(): void {
    const { name, token } = this.client.credentials();
    this.socket?.send({ t: "hello", name, token, connected_at: this.connectedAt, protocol: PROTOCOL });
  }

  private receive(message: ServerMessage): void {
    if (message.t === "welcome") return this.welcomed(message);
    if (message.t === "restarting") {
      this.restartDelay = message.ms;
      return;
    }
    if (this.state === "connecting") {
      // Any other refusal of a hello is followed by a close code.
      if (message.t === "refusal" && message.field === "name") this.nameRejected(message);
      return;
    }
    this.expectTraffic();
    if (message.t === "pong") return;
    if (message.t === "refusal") return this.receiveRefusal(message);
    if (message.t === "update") this.attempts = 0;
    this.emit(message);
    if ("re" in message) this.settle(message);
  }

  /**
   * `closed`: the table is moving to another server; reconnect and repeat the request.
   * `newer`: the same, but only a server of a newer version can load the table. That may take a while, so tell the
   * player.
   * `saving_paused`: as `newer` if it answers a request; otherwise the server keeps the request and answers later.
   * `malformed`: has no `re`; it answers the request in flight, which would wait forever otherwise.
   */
  private receiveRefusal(refusal: Refusal): void {
    const { code, re, text } = refusal;
    const takesAWhile = code === "newer" || code === "saving_paused";
    if (takesAWhile) this.emit({ t: "delayed", text });
    if (code === "saving_paused" && re === null) return;
    if (takesAWhile || code === "closed") return this.lost();
    const isMalformed = code === "malformed" && re === null && this.inFlight;
    const answer = isMalformed ? { ...refusal, re: this.queue[0].message.id } : refusal;
    this.emit(answer);
    this.settle(answer);
  }

  private welcomed(welcome: Welcome): void {
    this.client.welcomed(welcome);
    this.expectTraffic();
    this.queueRejoin();
    this.setState("open");
    this.inFlight = false;
    this.sendNext();
  }

  /** Puts the rejoin before all other requests, unless the first of them opens a table itself. */
  private queueRejoin(): void {
    this.queue = this.queue.filter((pending) => !pending.isRejoin);
    const first = this.queue[0]?.message.t;
    const request = this.client.rejoinRequest();
    if (!request || first === "join_table" || first === "make_table") return;
    const rejoined = (answer: Answer): void => {
      if (answer?.t === "refusal") this.emit({ t: "rejoin_refused", refusal: answer });
    };
    this.queue.unshift(this.pending(request, rejoined, true));
  }

  private pending(request: Request, resolve: (answer: Answer) => void, isRejoin = false): PendingRequest {
    return { message: { ...request, id: this.env.newId() }, resolve, isRejoin };
  }

  private nameRejected({ text }: Refusal): void {
    this.close();
    this.emit({ t: "name_rejected", text });
  }

  private settle(answer: Update | Refusal | Left): void {
    const first = this.queue[0];
    if (!first || first.message.id !== answer.re) return;
    this.queue.shift();
    this.inFlight = false;
    first.resolve(answer);
    this.sendNext();
  }

  private sendNext(): void {
    const first = this.queue[0];
    if (this.state !== "open" || this.inFlight || !first) return;
    this.inFlight = true;
    this.socket?.send(first.message);
  }

  private expectTraffic(): void {
    this.setTimer(PING_AFTER_MS, () => this.ping());
  }

  private ping(): void {
    this.socket?.send({ t: "ping" });
    this.setTimer(PONG_TIMEOUT_MS, () => this.lost());
  }

  private lost(closeCode = 0): void {
    this.closeSocket();
    if (closeCode === CLOSE_REPLACED || closeCode === CLOSE_PROTOCOL) {
      this.abandonQueue();
      return this.setState(closeCode === CLOSE_REPLACED ? "replaced" : "outdated");
    }
    this.setState("waiting");
    this.setTimer(this.reconnectDelay(), () => this.connect());
  }

  /**
   * The delay a restarting server asked for, once. Otherwise exponential back-off, reset by any update, with jitter:
   * the clients of a server that failed do not all return at the same moment, so the first delay may be zero.
   */
  private reconnectDelay(): number {
    const requested = this.restartDelay;
    this.restartDelay = null;
    if (requested !== null) return requested;
    const longest = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.attempts);
    const shortest = this.attempts === 0 ? 0 : longest / 4;
    this.attempts++;
    return shortest + this.env.random() * (longest - shortest);
  }

  private closeSocket(): void {
    this.cancelTimer();
    const socket = this.socket;
    this.socket = null; // before closing, so that its last events are ignored
    socket?.close();
  }

  private abandonQueue(): void {
    const abandoned = this.queue;
    this.queue = [];
    this.inFlight = false;
    for (const { resolve } of abandoned) resolve(null);
  }

  private setTimer(ms: number, act: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.env.after(ms, act);
  }

  private setState(state: ConnectionState): void {
    if (this.state === state) return;
    this.state = state;
    this.emit({ t: "state", state });
  }
}
