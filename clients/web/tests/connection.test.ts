import { beforeEach, describe, expect, it } from "vitest";
import { Connection } from "../src/connection";
import type { Left, Refusal } from "../src/protocol";
import type { Answer, ConnectionState, Request, SourceEvent } from "../src/source";
import { FakeClient, FakeEnvironment } from "./fakes";
import { update, viewOf } from "./samples";

const play = (card: string): Request => ({ t: "play", on: "5f2c9ab04417d3e8", card });
const join: Request = { t: "join_table", code: "KQXZP", n: 3, e: "e3" };
const left = (re: string): Left => ({ t: "left", re });
const refusal = (re: string | null, more: Partial<Refusal> = {}): Refusal => ({
  t: "refusal",
  code: "no",
  text: "No.",
  field: null,
  re,
  ...more,
});
const savingPaused = (re: string | null): Refusal => refusal(re, { code: "saving_paused", text: "Saving is paused." });

let env: FakeEnvironment;
let client: FakeClient;
let connection: Connection;
let events: SourceEvent[];

beforeEach(() => {
  env = new FakeEnvironment();
  client = new FakeClient();
  connection = new Connection(env, client);
  events = [];
  connection.onUpdate((event) => events.push(event));
  connection.open();
});

const ofType = (type: SourceEvent["t"]): SourceEvent[] => events.filter((event) => event.t === type);
const states = (): ConnectionState[] => events.flatMap((event) => (event.t === "state" ? [event.state] : []));

function reconnect(ms = 600): void {
  env.time.advance(ms);
  env.socket.welcome();
}

/** Breaks the connection a number of times. Returns the delays before it is reopened. */
function delays(attempts: number): number[] {
  return Array.from({ length: attempts }, () => {
    const before = env.sockets.length;
    const start = env.time.now;
    env.socket.events.closed(1006);
    for (env.time.advance(0); env.sockets.length === before;) env.time.advance(50);
    return env.time.now - start;
  });
}

describe("a connection", () => {
  it("starts with a hello and passes on the token", () => {
    env.socket.welcome("secret");
    expect(env.socket.sent[0]).toMatchObject({ t: "hello", name: "Jo", token: null, connected_at: 1 });
    expect(client.token).toBe("secret");
    expect(states()).toEqual(["connecting", "open"]);
  });

  it("is closed when no welcome comes", () => {
    env.socket.events.opened();
    env.time.advance(8_000);
    expect(connection.state).toBe("waiting");
    expect(env.sockets[0].closed).toBe(true);
  });

  it("sends a ping after ten seconds of silence", () => {
    env.socket.welcome();
    env.time.advance(9_999);
    expect(env.socket.sent).toHaveLength(1);
    env.time.advance(1);
    expect(env.socket.sent.at(-1)).toEqual({ t: "ping" });
    env.socket.receive({ t: "pong" });
    env.time.advance(9_999);
    expect(connection.state).toBe("open");
  });

  it("is lost when a ping is not answered", () => {
    env.socket.welcome();
    env.time.advance(15_000);
    expect(connection.state).toBe("waiting");
  });

  it("sends a ping at once when the device wakes up", () => {
    env.socket.welcome();
    connection.reconnectNow();
    expect(env.socket.sent.at(-1)).toEqual({ t: "ping" });
    env.time.advance(5_000);
    expect(connection.state).toBe("waiting");
  });

  it("ends when the name is rejected", () => {
    env.socket.events.opened();
    env.socket.receive(refusal(null, { field: "name" }));
    expect(events.at(-1)).toEqual({ t: "name_rejected", text: "No." });
    expect(connection.state).toBe("idle");
  });
});

describe("reconnecting", () => {
  it("waits longer with each attempt, up to eight seconds", () => {
    expect(delays(8)).toEqual([600, 1_200, 2_400, 4_800, 8_000, 8_000, 8_000, 8_000]);
  });

  it("is spread at random, the first attempt from zero on", () => {
    env.randomValue = 0;
    expect(delays(6)).toEqual([0, 300, 600, 1_200, 2_000, 2_000]);
  });

  it("starts over with a short delay after an update", () => {
    for (let attempt = 0; attempt < 4; attempt++) {
      env.socket.events.closed(1006);
      reconnect(8_000);
    }
    env.socket.receive(update(1, viewOf({})));
    expect(delays(1)).toEqual([600]);
  });

  it("waits as long as a restarting server asks, once", () => {
    env.socket.welcome();
    env.socket.receive({ t: "restarting", ms: 3_000 });
    env.socket.events.closed(4003);
    env.time.advance(2_999);
    expect(env.sockets).toHaveLength(1);
    env.time.advance(1);
    expect(env.sockets).toHaveLength(2);
    expect(delays(1)).toEqual([600]);
  });

  it("waits as long when the server is restarting instead of sending a welcome", () => {
    env.socket.events.opened();
    env.socket.receive({ t: "restarting", ms: 3_000 });
    env.socket.events.closed(4003);
    env.time.advance(2_999);
    expect(env.sockets).toHaveLength(1);
    env.time.advance(1);
    expect(env.sockets).toHaveLength(2);
  });

  it("happens at once when the network is back", () => {
    env.socket.events.closed(1006);
    connection.reconnectNow();
    expect(env.sockets).toHaveLength(2);
  });

  it("sends the token and rejoins the table", () => {
    env.socket.welcome("secret");
    client.rejoin = join;
    env.socket.events.closed(1006);
    env.time.advance(600);
    env.socket.welcome("secret");
    expect(env.socket.sent[0]).toMatchObject({ t: "hello", token: "secret" });
    expect(env.socket.requests()).toEqual([{ ...join, id: "id1" }]);
    env.socket.receive(refusal("id1"));
    expect(events.at(-1)).toEqual({ t: "rejoin_refused", refusal: refusal("id1") });
  });

  it("ignores the last events of the old socket", () => {
    env.socket.welcome();
    env.socket.events.closed(1006);
    env.time.advance(600);
    env.sockets[0].receive(left("x"));
    env.sockets[0].events.closed(4001);
    expect(ofType("left")).toEqual([]);
    expect(connection.state).toBe("connecting");
  });

  it("does not happen by itself when the seat was opened elsewhere", () => {
    env.socket.welcome();
    env.socket.events.closed(4001);
    env.time.advance(60_000);
    expect(connection.state).toBe("replaced");
    expect(env.sockets).toHaveLength(1);
    connection.open();
    expect(env.sockets).toHaveLength(2);
  });

  it("does not happen with a client the server does not understand", () => {
    env.socket.events.opened();
    env.socket.receive(refusal(null, { field: "protocol" }));
    env.socket.events.closed(4004);
    env.time.advance(60_000);
    expect(connection.state).toBe("outdated");
  });
});

describe("a request", () => {
  const [first, second] = [
    { ...play("QS"), id: "id1" },
    { ...play("2C"), id: "id2" },
  ];

  it("waits for the welcome and is answered by its id", async () => {
    const answer = connection.ask(play("QS"));
    expect(env.socket.sent).toEqual([]);
    env.socket.welcome();
    expect(env.socket.requests()).toEqual([first]);
    env.socket.receive(left("id1"));
    expect(await answer).toEqual(left("id1"));
  });

  it("is sent when the one before is answered", () => {
    env.socket.welcome();
    void connection.ask(play("QS"));
    void connection.ask(play("2C"));
    expect(env.socket.requests()).toEqual([first]);
    env.socket.receive(left("id1"));
    expect(env.socket.requests()).toEqual([first, second]);
  });

  it("is sent again with the same id after a reconnect, behind the rejoin", async () => {
    env.socket.welcome();
    client.rejoin = join;
    const answer = connection.ask(play("QS"));
    env.socket.events.closed(1006);
    reconnect();
    expect(env.socket.requests()).toEqual([{ ...join, id: "id2" }]);
    env.socket.receive(left("id2"));
    expect(env.socket.requests()).toEqual([{ ...join, id: "id2" }, first]);
    env.socket.receive(left("id1"));
    expect(await answer).toEqual(left("id1"));
  });

  it("to join makes a rejoin unnecessary", () => {
    client.rejoin = { ...join, n: 1 } as Request;
    void connection.ask(join);
    env.socket.welcome();
    expect(env.socket.requests()).toEqual([{ ...join, id: "id1" }]);
  });

  it("is sent again, silently, when the server closed the table", async () => {
    env.socket.welcome();
    client.rejoin = join;
    const answer = connection.ask(play("QS"));
    env.socket.receive(refusal("id1", { code: "closed" }));
    expect([connection.state, env.sockets[0].closed]).toEqual(["waiting", true]);
    reconnect();
    env.socket.receive(left("id2"));
    expect(env.socket.requests()).toEqual([{ ...join, id: "id2" }, first]);
    env.socket.receive(left("id1"));
    expect(await answer).toEqual(left("id1"));
    expect(ofType("refusal")).toEqual([]);
  });

  it("to join is repeated with growing delays while only a newer server knows the table, and the player is told", async () => {
    env.socket.welcome();
    const answer = connection.ask(join);
    const text = "Table KQXZP needs a newer server.";
    for (const delay of [600, 1_200, 2_400]) {
      env.socket.receive(refusal("id1", { code: "newer", text }));
      expect([connection.state, ofType("delayed").at(-1)]).toEqual(["waiting", { t: "delayed", text }]);
      reconnect(delay);
      expect(env.socket.requests()).toEqual([{ ...join, id: "id1" }]);
    }
    env.socket.receive(left("id1"));
    expect(await answer).toEqual(left("id1"));
    expect(ofType("delayed")).toHaveLength(3);
  });

  it("that cannot be saved yet is delayed, and answered once it is saved", async () => {
    env.socket.welcome();
    const answer = connection.ask(play("QS"));
    env.socket.receive(savingPaused(null));
    expect(events.at(-1)).toEqual({ t: "delayed", text: "Saving is paused." });
    expect(ofType("refusal")).toEqual([]);
    env.socket.receive(left("id1"));
    expect(await answer).toEqual(left("id1"));
  });

  it("to join is repeated while the store is unavailable, and the player is told", async () => {
    env.socket.welcome();
    const answer = connection.ask(join);
    env.socket.receive(savingPaused("id1"));
    expect([connection.state, ofType("delayed")]).toEqual(["waiting", [{ t: "delayed", text: "Saving is paused." }]]);
    reconnect();
    env.socket.receive(left("id1"));
    expect(await answer).toEqual(left("id1"));
  });

  it("that is malformed is answered with the refusal, and the next one is sent", async () => {
    env.socket.welcome();
    const answer = connection.ask(play("QS"));
    void connection.ask(play("2C"));
    env.socket.receive(refusal(null, { code: "malformed", field: "card" }));
    expect(await answer).toMatchObject({ t: "refusal", text: "No.", re: "id1" });
    expect(env.socket.requests()).toEqual([first, second]);
  });

  it("resolves to null when the connection is closed", async () => {
    const answers: Promise<Answer>[] = [connection.ask(play("QS")), connection.ask(play("2C"))];
    connection.close();
    expect(await Promise.all(answers)).toEqual([null, null]);
  });
});
