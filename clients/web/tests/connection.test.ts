import { beforeEach, describe, expect, it } from "vitest";
import type { Left, Refusal } from "../src/protocol";
import { Connection, type Answer, type Request } from "../src/connection";
import { FakeOwner, FakeEnvironment } from "./fakes";
import { update, viewOf } from "./samples";

const play = (id: string): Request => ({ t: "play", id, on: "5f2c9ab04417d3e8", card: "QS" });
const join: Request = { t: "join_table", id: "back", code: "KQXZP", n: 3, e: "e3" };
const left = (re: string): Left => ({ t: "left", re });
const refusal = (re: string | null, field: string | null = null): Refusal => ({
  t: "refusal",
  code: "no",
  text: "No.",
  field,
  re,
});

/** The delays between losing a connection and opening the next one. */
function waits(attempts: number): number[] {
  return Array.from({ length: attempts }, () => {
    const before = world.sockets.length;
    const start = world.time.now;
    world.socket.events.closed(1006);
    for (world.time.pass(0); world.sockets.length === before;) world.time.pass(50);
    return world.time.now - start;
  });
}

let world: FakeEnvironment;
let owner: FakeOwner;
let connection: Connection;

beforeEach(() => {
  world = new FakeEnvironment();
  owner = new FakeOwner();
  connection = new Connection(world, owner);
  connection.open();
});

describe("a connection", () => {
  it("says hello first and keeps the token", () => {
    world.socket.welcome("secret");
    expect(world.socket.sent[0]).toMatchObject({ t: "hello", name: "Jo", token: null, connected_at: 1 });
    expect(owner.token).toBe("secret");
    expect(owner.links).toEqual(["connecting", "open"]);
  });

  it("is given up when no welcome comes", () => {
    world.socket.events.opened();
    world.time.pass(8_000);
    expect(connection.state).toBe("waiting");
    expect(world.sockets[0].closed).toBe(true);
  });

  it("asks after ten quiet seconds whether anybody is there", () => {
    world.socket.welcome();
    world.time.pass(9_999);
    expect(world.socket.sent).toHaveLength(1);
    world.time.pass(1);
    expect(world.socket.sent.at(-1)).toEqual({ t: "ping" });
    world.socket.say({ t: "pong" });
    world.time.pass(9_999);
    expect(connection.state).toBe("open");
  });

  it("is dead when the ping is not answered", () => {
    world.socket.welcome();
    world.time.pass(15_000);
    expect(connection.state).toBe("waiting");
  });

  it("is tested at once when the device wakes up", () => {
    world.socket.welcome();
    connection.reconnectNow();
    expect(world.socket.sent.at(-1)).toEqual({ t: "ping" });
    world.time.pass(5_000);
    expect(connection.state).toBe("waiting");
  });

  it("ends with a name that is not accepted", () => {
    world.socket.events.opened();
    world.socket.say(refusal(null, "name"));
    expect(owner.rejections).toHaveLength(1);
    expect(connection.state).toBe("idle");
  });
});

describe("reconnecting", () => {
  it("waits longer each time, up to eight seconds", () => {
    expect(waits(8)).toEqual([600, 1_200, 2_400, 4_800, 8_000, 8_000, 8_000, 8_000]);
  });

  it("is spread by chance, the first attempt down to no wait at all", () => {
    world.randomValue = 0;
    expect(waits(6)).toEqual([0, 300, 600, 1_200, 2_000, 2_000]);
  });

  it("starts over with a short wait when something of a table was heard", () => {
    for (let attempt = 0; attempt < 4; attempt++) {
      world.socket.events.closed(1006);
      world.time.pass(8_000);
      world.socket.welcome();
    }
    world.socket.say(update(1, viewOf({})));
    const before = world.sockets.length;
    world.socket.events.closed(1006);
    world.time.pass(600);
    expect(world.sockets).toHaveLength(before + 1);
  });

  it("waits as long as a server asks that restarts, and then as after any break", () => {
    world.socket.welcome();
    world.socket.say({ t: "restarting", ms: 3_000 });
    world.socket.events.closed(4003);
    world.time.pass(2_999);
    expect(world.sockets).toHaveLength(1);
    world.time.pass(1);
    expect(world.sockets).toHaveLength(2);
    world.socket.events.closed(1006);
    world.time.pass(600);
    expect(world.sockets).toHaveLength(3);
  });

  it("waits so too when the server says it instead of a welcome", () => {
    world.socket.events.opened();
    world.socket.say({ t: "restarting", ms: 3_000 });
    world.socket.events.closed(4003);
    world.time.pass(2_999);
    expect(world.sockets).toHaveLength(1);
    world.time.pass(1);
    expect(world.sockets).toHaveLength(2);
  });

  it("happens at once when the network is back", () => {
    world.socket.events.closed(1006);
    connection.reconnectNow();
    expect(world.sockets).toHaveLength(2);
  });

  it("says hello with the token and goes back to the table", () => {
    world.socket.welcome("secret");
    owner.resumeWith = join;
    world.socket.events.closed(1006);
    world.time.pass(600);
    world.socket.welcome("secret");
    expect(world.socket.sent[0]).toMatchObject({ t: "hello", token: "secret" });
    expect(world.socket.requests()).toEqual([join]);
    world.socket.say(refusal("back"));
    expect(owner.resumeAnswers).toHaveLength(1);
  });

  it("ignores the last words of the old socket", () => {
    world.socket.welcome();
    world.socket.events.closed(1006);
    world.time.pass(600);
    world.sockets[0].say(left("x"));
    world.sockets[0].events.closed(4001);
    expect(owner.heard).toEqual([]);
    expect(connection.state).toBe("connecting");
  });

  it("does not happen by itself when the seat was opened elsewhere", () => {
    world.socket.welcome();
    world.socket.events.closed(4001);
    world.time.pass(60_000);
    expect(connection.state).toBe("replaced");
    expect(world.sockets).toHaveLength(1);
    connection.open();
    expect(world.sockets).toHaveLength(2);
  });

  it("does not happen with a client that the server does not understand", () => {
    world.socket.events.opened();
    world.socket.say(refusal(null, "protocol"));
    world.socket.events.closed(4004);
    world.time.pass(60_000);
    expect(connection.state).toBe("outdated");
  });
});

describe("a request", () => {
  it("waits for the welcome and is answered by its id", async () => {
    const answer = connection.ask(play("a"));
    expect(world.socket.sent).toEqual([]);
    world.socket.welcome();
    expect(world.socket.requests()).toEqual([play("a")]);
    world.socket.say(left("a"));
    expect(await answer).toEqual(left("a"));
  });

  it("goes out when the one before is answered", () => {
    world.socket.welcome();
    void connection.ask(play("a"));
    void connection.ask(play("b"));
    expect(world.socket.requests()).toEqual([play("a")]);
    world.socket.say(left("a"));
    expect(world.socket.requests()).toEqual([play("a"), play("b")]);
  });

  it("is sent again with the same id after a reconnect, behind the way back to the table", async () => {
    world.socket.welcome();
    owner.resumeWith = join;
    const answer = connection.ask(play("a"));
    world.socket.events.closed(1006);
    world.time.pass(600);
    world.socket.welcome();
    expect(world.socket.requests()).toEqual([join]);
    world.socket.say(left("back"));
    expect(world.socket.requests()).toEqual([join, play("a")]);
    world.socket.say(left("a"));
    expect(await answer).toEqual(left("a"));
  });

  it("to join is itself the way back", () => {
    owner.resumeWith = { ...join, id: "other" };
    void connection.ask(join);
    world.socket.welcome();
    expect(world.socket.requests()).toEqual([join]);
  });

  it("is sent again when the table was put away meanwhile, and nothing is said of it", async () => {
    world.socket.welcome();
    owner.resumeWith = join;
    const answer = connection.ask(play("a"));
    world.socket.say({ ...refusal("a"), code: "closed" });
    expect([connection.state, world.sockets[0].closed]).toEqual(["waiting", true]);
    world.time.pass(600);
    world.socket.welcome();
    world.socket.say(left("back"));
    expect(world.socket.requests()).toEqual([join, play("a")]);
    world.socket.say(left("a"));
    expect(await answer).toEqual(left("a"));
    expect(owner.heard.some((message) => message.t === "refusal")).toBe(false);
  });

  it("to join is asked again, ever later, while only a newer server knows the table, and the player is told", async () => {
    world.socket.welcome();
    const answer = connection.ask(join);
    const newer: Refusal = { ...refusal("back"), code: "newer", text: "Table KQXZP needs a newer server." };
    for (const wait of [600, 1_200, 2_400]) {
      world.socket.say(newer);
      expect([connection.state, owner.delays.at(-1)]).toEqual(["waiting", newer]);
      world.time.pass(wait);
      world.socket.welcome();
      expect(world.socket.requests()).toEqual([join]);
    }
    world.socket.say(left("back"));
    expect(await answer).toEqual(left("back"));
    expect(owner.delays).toHaveLength(3);
  });

  it("that cannot be saved yet is held up, and not answered before it is", async () => {
    world.socket.welcome();
    const answer = connection.ask(play("a"));
    const paused: Refusal = { ...refusal(null), code: "saving_paused", text: "Saving is paused." };
    world.socket.say(paused);
    expect(owner.delays).toEqual([paused]);
    expect(owner.heard).not.toContainEqual(paused);
    world.socket.say(left("a"));
    expect(await answer).toEqual(left("a"));
  });

  it("to join is asked again while the store is away, and the player is told", async () => {
    world.socket.welcome();
    const answer = connection.ask(join);
    const paused: Refusal = { ...refusal("back"), code: "saving_paused", text: "Saving is paused." };
    world.socket.say(paused);
    expect([connection.state, owner.delays.at(-1)]).toEqual(["waiting", paused]);
    world.time.pass(600);
    world.socket.welcome();
    world.socket.say(left("back"));
    expect(await answer).toEqual(left("back"));
  });

  it("that could not be read is answered with the sentence, and the next one goes out", async () => {
    world.socket.welcome();
    const answer = connection.ask(play("a"));
    void connection.ask(play("b"));
    world.socket.say({ ...refusal(null, "card"), code: "malformed" });
    expect(await answer).toMatchObject({ t: "refusal", text: "No.", re: "a" });
    expect(world.socket.requests()).toEqual([play("a"), play("b")]);
  });

  it("that nobody will answer any more ends with nothing", async () => {
    const answers: Promise<Answer>[] = [connection.ask(play("a")), connection.ask(play("b"))];
    connection.close();
    expect(await Promise.all(answers)).toEqual([null, null]);
  });
});
