import { describe, expect, it } from "vitest";
import type { HandScored } from "../src/protocol";
import { lineWords, ruleWords } from "../src/score_words";
import {
  bidSentence,
  eventWords,
  ownWords,
  plain,
  said,
  sideName,
  sideWords,
  signed,
  turnWords,
  winnerWords,
} from "../src/words";
import { seat, viewOf } from "./pictures";

const lying = (winning: number) => ({ plays: [{ seat: 1, card: "5H" }], winning, stage: "lying" as const });

describe("what is said at the table", () => {
  it("names the suit led and who is winning", () => {
    expect(said(viewOf({}), lying(2))).toBe("Hearts led · Mara is winning");
    expect(said(viewOf({}), lying(0))).toBe("Hearts led · You are winning");
    expect(said(viewOf({}), { ...lying(1), stage: "resting" })).toBe("Ilya takes the trick");
    expect(said(viewOf({ turn: 0 }), null)).toBe("You lead");
  });

  it("speaks to the viewer as you, first of the side", () => {
    expect(sideName(viewOf({ you: 2 }), 0)).toBe("You & Jo");
    expect(sideName(viewOf({}), 1)).toBe("Ilya & Otto");
    expect(ownWords(viewOf({ turn: 0 }))).toBe("Your turn");
    expect(turnWords(viewOf({ turn: 1 }))).toBe("It is Ilya’s turn to play.");
  });

  it("counts tricks and bags with their nouns", () => {
    const view = viewOf({});
    view.sides[0] = { score: 312, bags: 4, contract: 7, taken: 6 };
    expect(sideWords(view, 0)).toBe("6 of 7, 4 bags");
    view.sides[0].taken = 8;
    expect(sideWords(view, 0)).toBe("8 of 7, 5 bags");
  });

  it("says what a bid makes of the contract", () => {
    const view = viewOf({ phase: "bidding" });
    expect(bidSentence(view, 4)).toBe("Mara bid 3; with your 4 the contract is 7.");
    view.seats[2] = seat("Mara", { bid: null });
    expect(bidSentence(view, 4)).toBe("Mara has not bid yet; your 4 is your half of the contract.");
    expect(bidSentence(view, 0)).toContain("take no trick");
  });

  it("announces events in whole sentences", () => {
    const view = viewOf({});
    expect(eventWords({ t: "card_played", seat: 2, card: "KH" }, view, null)).toBe("Mara plays the king of hearts.");
    expect(eventWords({ t: "bid_placed", seat: 0, bid: 0 }, view, null)).toBe("You bid nil.");
    expect(
      eventWords(
        { t: "seat_left", seat: 1 },
        viewOf({ seats: [seat("Jo"), seat("", { kind: "empty" }), seat("Mara"), seat("Otto")] }),
        view,
      ),
    ).toBe("Ilya left the table.");
  });

  it("says who won", () => {
    expect(winnerWords(viewOf({ outcome: { t: "game_ended", winner: 0, reason: "target" } }))).toBe("You and Mara win");
    expect(winnerWords(viewOf({ outcome: { t: "game_ended", winner: null, reason: "hand_limit" } }))).toBe(
      "The game is a draw",
    );
  });

  it("writes points with a sign", () => {
    expect([signed(70), signed(-100), plain(-8)]).toEqual(["+70", "−100", "−8"]);
  });
});

describe("the score in words", () => {
  const side = { contract: 7, taken: 5, lines: [], points: 0, score: 0, bags: 0 };
  const hand: HandScored = {
    t: "hand_scored",
    number: 1,
    bids: [4, 0, 3, 5],
    taken: [2, 1, 3, 7],
    sides: [side, side],
  };

  it("explains every kind of line", () => {
    const words = (kind: HandScored["sides"][0]["lines"][0]["kind"], count: number, of: number | null = null): string =>
      lineWords(viewOf({}), hand, 0, { kind, points: 0, count, seat: of });
    expect(words("contract_made", 7)).toBe("Contract of 7 made");
    expect(words("contract_set", 7)).toBe("Contract of 7 missed by 2");
    expect(words("overtricks", 1)).toBe("1 bag");
    expect(words("nil_made", 0, 2)).toBe("Nil by Mara made");
    expect(words("nil_failed", 2, 0)).toBe("Nil by you broken by 2 tricks");
    expect(words("bag_penalty", 1)).toBe("Tenth bag");
  });

  it("tells the rules with the numbers of the table", () => {
    const rules = { ...viewOf({}).rules, target: 250, bag_limit: 5, bag_penalty: 50 };
    expect(ruleWords(rules).join(" ")).toContain("Every fifth bag costs 50 points.");
    expect(ruleWords(rules).join(" ")).toContain("The first side at 250 wins");
  });
});
