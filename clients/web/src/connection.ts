// The connection to the server: one socket at a time, opened again whenever it breaks.
//
// Requests wait in a queue and only the first is on its way; it is sent again, with
// the same id, after every reconnect until it is answered. Socket, timers and chance
// are handed in, so all of this is tested without a network and without waiting.

import {
  CLOSE_PROTOCOL,
  CLOSE_REPLACED,
  PROTOCOL,
  type ClientMessage,
  type Left,
  type Presence,
  type Refusal,
  type ServerMessage,
  type Update,
  type Welcome,
} from "./protocol";

export type ConnectionState = "idle" | "connecting" | "open" | "waiting" | "replaced" | "outdated";
export type Request = Extract<ClientMessage, { id: string }>;
/** null: the page stopped asking before an answer came. */
export type Answer = Update | Left | Refusal | null;

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
  dial(events: SocketEvents): Socket;
  /** Runs `act` later; the result takes it back. */
  after(ms: number, act: () => void): () => void;
  /** 0 to 1 */
  random(): number;
  /** ms since 1970 */
  now(): number;
}

export interface Owner {
  stateChanged(link: ConnectionState): void;
  introduction(): { name: string; token: string | null };
  welcomed(welcome: Welcome): void;
  /** A hello that was not accepted; the wire is idle again. */
  helloRejected(refusal: Refusal): void;
  received(message: Update | Presence | Refusal | Left): void;
  /** The table cannot be had just now; the wire goes on trying. */
  delayed(refusal: Refusal): void;
  /** How to come back to the table after a reconnect, if there is one. */
  resume(): Request | null;
  resumed(answer: Answer): void;
}

interface PendingRequest {
  request: Request;
  answered(answer: Answer): void;
  resumes: boolean;
}

const PING_AFTER_MS = 10_000; // nothing heard for so long: ask whether anybody is there
const PONG_TIMEOUT_MS = 5_000; // and how long to wait for that answer
const WELCOME_TIMEOUT_MS = 8_000; // from dialling to welcome
const FIRST_DELAY_MS = 600;
const MAX_DELAY_MS = 8_000;

export class Connection {
  state: ConnectionState = "idle";
  private socket: Socket | null = null;
  private queue: PendingRequest[] = [];
  private inFlight = false;
  private attempts = 0;
  private connectedAt = 0;
  private restartDelay: number | null = null;
  private cancelTimer: () => void = () => {};

  constructor(
    private readonly env: Environment,
    private readonly owner: Owner,
  ) {}

  /** Connects unless that is already done or under way. */
  open(): void {
    if (this.socket) return;
    this.attempts = 0;
    this.restartDelay = null;
    this.dial();
  }

  /** Hangs up for good; whoever waits for an answer is told there is none. */
  close(): void {
    this.closeSocket();
    this.abandonQueue();
    this.setState("idle");
  }

  ask(request: Request): Promise<Answer> {
    return new Promise((answered) => {
      this.queue.push({ request, answered, resumes: false });
      this.sendNext();
    });
  }

  /** The device woke up or found its network: try now, or make sure that the socket still lives. */
  reconnectNow(): void {
    if (this.state === "waiting") this.dial();
    else if (this.state === "open") this.probe();
  }

  private dial(): void {
    this.closeSocket();
    this.setState("connecting");
    this.setTimer(WELCOME_TIMEOUT_MS, () => this.lost());
    this.connectedAt = Math.max(this.connectedAt + 1, this.env.now()); // clocks are put back now and then
    const mine = (act: () => void) => (): void => {
      if (this.socket === socket) act();
    };
    const socket: Socket = this.env.dial({
      opened: () => mine(() => this.sendHello())(),
      received: (message) => mine(() => this.receive(message))(),
      closed: (code) => mine(() => this.lost(code))(),
    });
    this.socket = socket;
  }

  private sendHello(): void {
    this.socket?.send({ t: "hello", ...this.owner.introduction(), connected_at: this.connectedAt, protocol: PROTOCOL });
  }

  private receive(message: ServerMessage): void {
    if (message.t === "welcome") return this.welcomed(message);
    if (message.t === "restarting") {
      this.restartDelay = message.ms;
      return;
    }
    if (this.state === "connecting") {
      // Any other refusal of a hello is followed by a close that says what to do.
      if (message.t === "refusal" && message.field === "name") this.rejectHello(message);
      return;
    }
    this.watchForSilence();
    if (message.t === "pong") return;
    if (message.t === "refusal") return this.receiveRefusal(message);
    if (message.t === "update") this.attempts = 0;
    this.owner.received(message);
    if ("re" in message) this.settle(message);
  }

  /**
   * `closed`: the table moves, and one comes back to it as after any break, with what was asked.
   * `newer`: so too, for a server of a newer version knows it; but this may take a while, so the player is told.
   * `saving_paused`: as `newer` if it answers a request; else the request is held and answered later.
   * `malformed` never knows whose answer it is: that of the request on its way, which would wait forever else.
   */
  private receiveRefusal(refusal: Refusal): void {
    const { code, re } = refusal;
    const takesAWhile = code === "newer" || code === "saving_paused";
    if (takesAWhile) this.owner.delayed(refusal);
    if (code === "saving_paused" && re === null) return;
    if (takesAWhile || code === "closed") return this.lost();
    const unread = code === "malformed" && re === null && this.inFlight;
    const answer = unread ? { ...refusal, re: this.queue[0].request.id } : refusal;
    this.owner.received(answer);
    this.settle(answer);
  }

  private welcomed(welcome: Welcome): void {
    this.owner.welcomed(welcome);
    this.watchForSilence();
    this.queueResume();
    this.setState("open");
    this.inFlight = false;
    this.sendNext();
  }

  /** Coming back to the table goes before everything else that waits, unless that itself brings us to one. */
  private queueResume(): void {
    this.queue = this.queue.filter((waiting) => !waiting.resumes);
    const first = this.queue[0]?.request.t;
    const request = this.owner.resume();
    if (!request || first === "join_table" || first === "make_table") return;
    this.queue.unshift({ request, answered: (answer) => this.owner.resumed(answer), resumes: true });
  }

  private rejectHello(refusal: Refusal): void {
    this.close();
    this.owner.helloRejected(refusal);
  }

  private settle(answer: Update | Refusal | Left): void {
    const first = this.queue[0];
    if (!first || first.request.id !== answer.re) return;
    this.queue.shift();
    this.inFlight = false;
    first.answered(answer);
    this.sendNext();
  }

  private sendNext(): void {
    const first = this.queue[0];
    if (this.state !== "open" || this.inFlight || !first) return;
    this.inFlight = true;
    this.socket?.send(first.request);
  }

  private watchForSilence(): void {
    this.setTimer(PING_AFTER_MS, () => this.probe());
  }

  private probe(): void {
    this.socket?.send({ t: "ping" });
    this.setTimer(PONG_TIMEOUT_MS, () => this.lost());
  }

  private lost(code = 0): void {
    this.closeSocket();
    if (code === CLOSE_REPLACED || code === CLOSE_PROTOCOL) {
      this.abandonQueue();
      return this.setState(code === CLOSE_REPLACED ? "replaced" : "outdated");
    }
    this.setState("waiting");
    this.setTimer(this.reconnectDelay(), () => this.dial());
  }

  /**
   * What the server asked for, once. Else it doubles with every attempt until we hear of a table again, and is drawn
   * at random, the first one from nothing on: not everybody at a server that died comes back in the same moment.
   */
  private reconnectDelay(): number {
    const told = this.restartDelay;
    this.restartDelay = null;
    if (told !== null) return told;
    const longest = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.attempts);
    const shortest = this.attempts === 0 ? 0 : longest / 4;
    this.attempts++;
    return shortest + this.env.random() * (longest - shortest);
  }

  private closeSocket(): void {
    this.cancelTimer();
    const socket = this.socket;
    this.socket = null; // first, so that its last words are not heard
    socket?.close();
  }

  private abandonQueue(): void {
    const waiting = this.queue;
    this.queue = [];
    this.inFlight = false;
    for (const { answered } of waiting) answered(null);
  }

  private setTimer(ms: number, act: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.env.after(ms, act);
  }

  private setState(link: ConnectionState): void {
    if (this.state === link) return;
    this.state = link;
    this.owner.stateChanged(link);
  }
}
