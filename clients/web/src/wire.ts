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

export type Link = "idle" | "connecting" | "open" | "waiting" | "replaced" | "outdated";
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

export interface Surroundings {
  dial(events: SocketEvents): Socket;
  /** Runs `act` later; the result takes it back. */
  after(ms: number, act: () => void): () => void;
  /** 0 to 1 */
  random(): number;
  /** ms since 1970 */
  now(): number;
}

export interface Owner {
  linkChanged(link: Link): void;
  introduction(): { name: string; token: string | null };
  welcomed(welcome: Welcome): void;
  /** A hello that was not accepted; the wire is idle again. */
  turnedAway(refusal: Refusal): void;
  received(message: Update | Presence | Refusal | Left): void;
  /** The table cannot be had just now; the wire goes on trying. */
  heldUp(refusal: Refusal): void;
  /** How to come back to the table after a reconnect, if there is one. */
  resume(): Request | null;
  resumed(answer: Answer): void;
}

interface Waiting {
  request: Request;
  answered(answer: Answer): void;
  resumes: boolean;
}

const QUIET_MS = 10_000; // nothing heard for so long: ask whether anybody is there
const ANSWER_MS = 5_000; // and how long to wait for that answer
const GREETING_MS = 8_000; // from dialling to welcome
const FIRST_RETRY_MS = 600;
const LAST_RETRY_MS = 8_000;

export class Wire {
  link: Link = "idle";
  private socket: Socket | null = null;
  private queue: Waiting[] = [];
  private onItsWay = false;
  private attempt = 0;
  private connected_at = 0;
  private toldToWait: number | null = null;
  private cancelTimer: () => void = () => {};

  constructor(
    private readonly around: Surroundings,
    private readonly owner: Owner,
  ) {}

  /** Connects unless that is already done or under way. */
  open(): void {
    if (this.socket) return;
    this.attempt = 0;
    this.toldToWait = null;
    this.dial();
  }

  /** Hangs up for good; whoever waits for an answer is told there is none. */
  close(): void {
    this.hangUp();
    this.forgetQueue();
    this.become("idle");
  }

  ask(request: Request): Promise<Answer> {
    return new Promise((answered) => {
      this.queue.push({ request, answered, resumes: false });
      this.sendNext();
    });
  }

  /** The device woke up or found its network: try now, or make sure that the socket still lives. */
  nudge(): void {
    if (this.link === "waiting") this.dial();
    else if (this.link === "open") this.probe();
  }

  private dial(): void {
    this.hangUp();
    this.become("connecting");
    this.timer(GREETING_MS, () => this.broke());
    this.connected_at = Math.max(this.connected_at + 1, this.around.now()); // clocks are put back now and then
    const mine = (act: () => void) => (): void => {
      if (this.socket === socket) act();
    };
    const socket: Socket = this.around.dial({
      opened: () => mine(() => this.greet())(),
      received: (message) => mine(() => this.hear(message))(),
      closed: (code) => mine(() => this.broke(code))(),
    });
    this.socket = socket;
  }

  private greet(): void {
    this.socket?.send({ t: "hello", ...this.owner.introduction(), connected_at: this.connected_at, protocol: PROTOCOL });
  }

  private hear(message: ServerMessage): void {
    if (message.t === "welcome") return this.begin(message);
    if (message.t === "restarting") {
      this.toldToWait = message.ms;
      return;
    }
    if (this.link === "connecting") {
      // Any other refusal of a hello is followed by a close that says what to do.
      if (message.t === "refusal" && message.field === "name") this.turnAway(message);
      return;
    }
    this.listen();
    if (message.t === "pong") return;
    if (message.t === "refusal") return this.hearRefusal(message);
    if (message.t === "update") this.attempt = 0;
    this.owner.received(message);
    if ("re" in message) this.settle(message);
  }

  /**
   * `closed`: the table moves, and one comes back to it as after any break, with what was asked.
   * `newer`: so too, for a server of a newer version knows it; but this may take a while, so the player is told.
   * `saving_paused`: as `newer` if it answers a request; else the request is held and answered later.
   * `malformed` never knows whose answer it is: that of the request on its way, which would wait forever else.
   */
  private hearRefusal(refusal: Refusal): void {
    const { code, re } = refusal;
    const takesAWhile = code === "newer" || code === "saving_paused";
    if (takesAWhile) this.owner.heldUp(refusal);
    if (code === "saving_paused" && re === null) return;
    if (takesAWhile || code === "closed") return this.broke();
    const unread = code === "malformed" && re === null && this.onItsWay;
    const answer = unread ? { ...refusal, re: this.queue[0].request.id } : refusal;
    this.owner.received(answer);
    this.settle(answer);
  }

  private begin(welcome: Welcome): void {
    this.owner.welcomed(welcome);
    this.listen();
    this.queueResume();
    this.become("open");
    this.onItsWay = false;
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

  private turnAway(refusal: Refusal): void {
    this.close();
    this.owner.turnedAway(refusal);
  }

  private settle(answer: Update | Refusal | Left): void {
    const first = this.queue[0];
    if (!first || first.request.id !== answer.re) return;
    this.queue.shift();
    this.onItsWay = false;
    first.answered(answer);
    this.sendNext();
  }

  private sendNext(): void {
    const first = this.queue[0];
    if (this.link !== "open" || this.onItsWay || !first) return;
    this.onItsWay = true;
    this.socket?.send(first.request);
  }

  private listen(): void {
    this.timer(QUIET_MS, () => this.probe());
  }

  private probe(): void {
    this.socket?.send({ t: "ping" });
    this.timer(ANSWER_MS, () => this.broke());
  }

  private broke(code = 0): void {
    this.hangUp();
    if (code === CLOSE_REPLACED || code === CLOSE_PROTOCOL) {
      this.forgetQueue();
      return this.become(code === CLOSE_REPLACED ? "replaced" : "outdated");
    }
    this.become("waiting");
    this.timer(this.retryDelay(), () => this.dial());
  }

  /**
   * What the server asked for, once. Else it doubles with every attempt until we hear of a table again, and is drawn
   * at random, the first one from nothing on: not everybody at a server that died comes back in the same moment.
   */
  private retryDelay(): number {
    const told = this.toldToWait;
    this.toldToWait = null;
    if (told !== null) return told;
    const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.attempt);
    const shortest = this.attempt === 0 ? 0 : longest / 4;
    this.attempt++;
    return shortest + this.around.random() * (longest - shortest);
  }

  private hangUp(): void {
    this.cancelTimer();
    const socket = this.socket;
    this.socket = null; // first, so that its last words are not heard
    socket?.close();
  }

  private forgetQueue(): void {
    const waiting = this.queue;
    this.queue = [];
    this.onItsWay = false;
    for (const { answered } of waiting) answered(null);
  }

  private timer(ms: number, act: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.around.after(ms, act);
  }

  private become(link: Link): void {
    if (this.link === link) return;
    this.link = link;
    this.owner.linkChanged(link);
  }
}
