// Fakes for tests: an Environment without network and clock, a Client of a Connection, and a TableSource.

import type { Client, Environment, Socket, SocketEvents } from "../src/connection";
import type { ClientMessage, ServerMessage, Welcome } from "../src/protocol";
import type { Answer, Request, SourceEvent, TableSource } from "../src/source";

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

  welcome(token = "token"): void {
    this.events.opened();
    this.receive({ t: "welcome", token, name: "Jo", version: "1" });
  }

  receive(message: ServerMessage): void {
    this.events.received(message);
  }

  requests(): ClientMessage[] {
    return this.sent.filter((message) => "id" in message);
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

  advance(ms: number): void {
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

/** Request ids are "id1", "id2" and so on. */
export class FakeEnvironment implements Environment {
  time = new FakeTime();
  sockets: FakeSocket[] = [];
  randomValue = 1;
  private ids = 0;

  openSocket(events: SocketEvents): Socket {
    const socket = new FakeSocket(events);
    this.sockets.push(socket);
    return socket;
  }

  after = this.time.after;
  random = (): number => this.randomValue;
  now = (): number => this.time.now;
  newId = (): string => `id${++this.ids}`;

  get socket(): FakeSocket {
    return this.sockets[this.sockets.length - 1];
  }
}

export class FakeClient implements Client {
  token: string | null = null;
  rejoin: Request | null = null;

  credentials = () => ({ name: "Jo", token: this.token });
  welcomed = (welcome: Welcome): void => {
    this.token = welcome.token;
  };
  rejoinRequest = (): Request | null => this.rejoin;
}

/** A source whose answers and events come from the test. */
export class FakeSource implements TableSource {
  isOpen = false;
  requests: Request[] = [];
  emit: (event: SourceEvent) => void = () => {};
  answer: (answer: Answer) => void = () => {};

  open(): void {
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }

  ask(request: Request): Promise<Answer> {
    this.requests.push(request);
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  onUpdate(listener: (event: SourceEvent) => void): void {
    this.emit = listener;
  }
}
