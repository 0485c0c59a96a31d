import { beforeEach, describe, expect, it } from "vitest";
import { type Scene, ScenePlayer } from "../src/scene_player";
import { FakeTime } from "./fakes";
import { handReceived, lastCard, update, viewOf } from "./samples";

let time: FakeTime;
let shown: Scene[];
let player: ScenePlayer;

beforeEach(() => {
  time = new FakeTime();
  shown = [];
  player = new ScenePlayer((scene) => shown.push(scene), time.after);
});

const now = (): Scene => shown[shown.length - 1];

describe("the scene player", () => {
  it("shows the first update at once", () => {
    player.add(update(1, viewOf({})));
    expect(now().n).toBe(1);
  });

  it("shows a complete trick, then collects it, then shows the table", () => {
    player.add(update(1, viewOf({})));
    player.add(lastCard(2));
    expect(now().trick).toMatchObject({ stage: "complete", winning: 3 });
    expect(now().trick?.plays).toHaveLength(4);
    time.advance(1_200);
    expect(now().trick?.stage).toBe("collected");
    time.advance(220);
    expect(now().trick).toBeNull();
    expect(now().n).toBe(2);
  });

  it("lets nobody act while a complete trick is shown", () => {
    player.add(update(1, viewOf({})));
    player.add(lastCard(2, { turn: 0, legal_cards: ["QS"] }));
    expect(now().view).toMatchObject({ turn: null, legal_cards: [] });
    time.advance(1_420);
    expect(now().view).toMatchObject({ turn: 0, legal_cards: ["QS"] });
  });

  it("shows the score of a hand only after its last trick", () => {
    const before = viewOf({});
    before.sides[0].score = 100;
    player.add(update(1, before));
    const ended = lastCard(2, { phase: "scored" });
    ended.view.sides[0].score = 170;
    player.add(ended);
    expect(now().view.phase).toBe("playing");
    expect(now().view.sides[0].score).toBe(100);
    time.advance(1_420);
    expect(now().view.phase).toBe("scored");
    expect(now().view.sides[0].score).toBe(170);
  });

  it("counts the bags of a hand as new until its score is shown", () => {
    player.add(update(1, viewOf({})));
    const ended = lastCard(2, { phase: "scored" });
    ended.view.sides[0].bags = 2;
    const lines = [{ kind: "overtricks" as const, points: 2, count: 2, seat: null }];
    const side = { contract: 6, taken: 8, helping: 8, lines: [], points: 0, score: 0, bags: 0 };
    ended.events.push({
      t: "hand_scored",
      number: 1,
      bids: [3, 3, 3, 3],
      taken: [4, 3, 4, 2],
      sides: [{ ...side, lines }, side],
    });
    player.add(ended);
    expect(now().view.sides[0]).toMatchObject({ bags: 0, new_bags: 2 });
    time.advance(1_420);
    expect(now().view.sides[0]).toMatchObject({ bags: 2, new_bags: 0 });
  });

  it("gives each event once, with its scene", () => {
    player.add(update(1, viewOf({})));
    const ended = lastCard(2, { phase: "over" });
    ended.events.push({ t: "game_ended", winner: 0, reason: "target" });
    player.add(ended);
    time.advance(5_000);
    expect(shown.flatMap((scene) => scene.events.map((event) => event.t))).toEqual([
      "card_played",
      "trick_taken",
      "game_ended",
    ]);
  });

  it("is never more than two seconds behind", () => {
    player.add(update(1, viewOf({})));
    player.add(lastCard(2));
    for (let n = 3; n < 10; n++) player.add(update(n, viewOf({}), [{ t: "card_played", seat: 0, card: "2C" }]));
    time.advance(2_000);
    expect(now().n).toBe(9);
  });

  it("skips the animation on request", () => {
    player.add(update(1, viewOf({})));
    player.add(lastCard(2));
    player.skipAnimation();
    expect(now()).toMatchObject({ n: 2, trick: null });
  });

  it("skips to a fresh update", () => {
    player.add(update(1, viewOf({})));
    player.add(lastCard(2));
    player.add({ ...lastCard(9), fresh: true });
    expect(now()).toMatchObject({ n: 9, trick: null });
  });

  it("drops the rest of a voided hand", () => {
    const bidding = viewOf({ phase: "bidding" });
    player.add(update(1, viewOf({})));
    player.add(lastCard(2));
    expect(now().trick?.stage).toBe("complete");
    player.add(update(3, bidding, [{ t: "hand_voided", number: 1 }, handReceived(1)]));
    expect(now()).toMatchObject({ n: 3, view: bidding, trick: null });
    const soFar = shown.length;
    time.advance(5_000);
    expect(shown).toHaveLength(soFar);
  });

  it("does not show the last trick of the previous hand", () => {
    player.add(update(1, viewOf({})));
    const dealt = lastCard(5);
    dealt.events.push(handReceived(2));
    player.add(dealt);
    expect(now().trick).toBeNull();
  });
});
