// Surroundings without a network or a clock: sockets that the test opens and closes, timers that it lets pass.

import type { ClientMessage, Left, Presence, Refusal, ServerMessage, Update, Welcome } from "../src/protocol";
import type { Answer, ConnectionState, Owner, Request, Socket, SocketEvents, Environment } from "../src/connection";

export class FakeSocket implements Socket {
  sent: ClientMessage[] = [];
  closed = false;

  constructor(readonly events: SocketEvents) {}

  send(message: ClientMessage): void {
    this.sent.push(message);
  }

  close(): void {
    this.closed = true;
  }

  /** The server lets this connection in. */
  welcome(token = "token"): void {
    this.events.opened();
    this.say({ t: "welcome", token, name: "Jo", version: "1" });
  }

  say(message: ServerMessage): void {
    this.events.received(message);
  }

  requests(): Request[] {
    return this.sent.filter((message): message is Request => "id" in message);
  }
}

interface Timer {
  at: number;
  act: () => void;
}

export class FakeTime {
  now = 0;
  private timers: Timer[] = [];

  after = (ms: number, act: () => void): (() => void) => {
    const timer = { at: this.now + ms, act };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  };

  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.now = next.at;
      next.act();
    }
    this.now = end;
  }
}

export class FakeEnvironment implements Environment {
  time = new FakeTime();
  sockets: FakeSocket[] = [];
  randomValue = 1;

  dial(events: SocketEvents): Socket {
    const socket = new FakeSocket(events);
    this.sockets.push(socket);
    return socket;
  }

  after = this.time.after;
  random = (): number => this.randomValue;
  now = (): number => this.time.now;

  get socket(): FakeSocket {
    return this.sockets[this.sockets.length - 1];
  }
}

export class FakeOwner implements Owner {
  links: ConnectionState[] = [];
  heard: (Update | Presence | Refusal | Left)[] = [];
  rejections: Refusal[] = [];
  delays: Refusal[] = [];
  token: string | null = null;
  resumeWith: Request | null = null;
  resumeAnswers: Answer[] = [];

  stateChanged = (link: ConnectionState): void => void this.links.push(link);
  introduction = () => ({ name: "Jo", token: this.token });
  welcomed = (welcome: Welcome): void => {
    this.token = welcome.token;
  };
  helloRejected = (refusal: Refusal): void => void this.rejections.push(refusal);
  delayed = (refusal: Refusal): void => void this.delays.push(refusal);
  received = (message: Update | Presence | Refusal | Left): void => void this.heard.push(message);
  resume = (): Request | null => this.resumeWith;
  resumed = (answer: Answer): void => void this.resumeAnswers.push(answer);
}
