import { describe, expect, it } from "vitest";
import type { HandScored, RuleSet, ScoreLine } from "../src/protocol";
import { bidMeaning } from "../src/text/bids";
import { eventText } from "../src/text/events";
import { scoreLineText, totalText } from "../src/text/scores";
import {
  formatPoints,
  formatSigned,
  ownSeatLabel,
  sideName,
  sideSummary,
  statusLine,
  turnText,
  winnerText,
} from "../src/text/table";
import { seat, underRules, viewOf } from "./samples";

const openTrick = (winning: number) => ({ plays: [{ seat: 1, card: "5H" }], winning, stage: "open" as const });

describe("texts about the table", () => {
  it("name the suit led and the winner so far", () => {
    expect(statusLine(viewOf({}), openTrick(2))).toBe("Hearts led · Mara is winning");
    expect(statusLine(viewOf({}), openTrick(0))).toBe("Hearts led · You are winning");
    expect(statusLine(viewOf({}), { ...openTrick(1), stage: "complete" })).toBe("Ilya takes the trick");
    expect(statusLine(viewOf({ turn: 0 }), null)).toBe("You lead");
  });

  it("address the viewer as you, first of the side", () => {
    expect(sideName(viewOf({ you: 2 }), 0)).toBe("You & Jo");
    expect(sideName(viewOf({}), 1)).toBe("Ilya & Otto");
    expect(ownSeatLabel(viewOf({ turn: 0 }))).toBe("Your turn");
    expect(turnText(viewOf({ turn: 1 }))).toBe("It is Ilya’s turn to play.");
  });

  it("count tricks and bags with their nouns", () => {
    const view = viewOf({});
    view.sides[0] = { score: 312, bags: 4, contract: 7, taken: 7, helping: 6, new_bags: 0 };
    expect(sideSummary(view, 0)).toBe("6 of 7, 4 bags");
    view.sides[0] = { ...view.sides[0], taken: 9, helping: 8, new_bags: 1 };
    expect(sideSummary(view, 0)).toBe("8 of 7, 5 bags");
  });

  it("explain a bid by the contract", () => {
    const view = viewOf({ phase: "bidding" });
    expect(bidMeaning(view, 4)).toBe("Mara bid 3; with your 4 the contract is 7.");
    view.seats[2] = seat("Mara", { bid: null });
    expect(bidMeaning(view, 4)).toBe("Mara has not bid yet; your 4 is your half of the contract.");
    expect(bidMeaning(view, 0)).toContain("take no trick");
  });

  it("announce events in whole sentences", () => {
    const view = viewOf({});
    expect(eventText({ t: "card_played", seat: 2, card: "KH" }, view, null)).toBe("Mara plays the king of hearts.");
    expect(eventText({ t: "bid_placed", seat: 0, bid: 0, blind: false }, view, null)).toBe("You bid nil.");
    expect(
      eventText(
        { t: "seat_left", seat: 1 },
        viewOf({ seats: [seat("Jo"), seat("", { kind: "empty" }), seat("Mara"), seat("Otto")] }),
        view,
      ),
    ).toBe("Ilya left the table.");
  });

  it("name the winners", () => {
    expect(winnerText(viewOf({ outcome: { t: "game_ended", winner: 0, reason: "target" } }))).toBe("You and Mara win");
    expect(winnerText(viewOf({ outcome: { t: "game_ended", winner: null, reason: "hand_limit" } }))).toBe(
      "The game is a draw",
    );
  });

  it("write points with a sign", () => {
    expect([formatSigned(70), formatSigned(-100), formatSigned(0), formatPoints(-8)]).toEqual([
      "+70",
      "−100",
      "0",
      "−8",
    ]);
  });
});

describe("texts for the score", () => {
  const side = { contract: 7, taken: 5, helping: 5, lines: [], points: 0, score: 0, bags: 0 };
  const hand: HandScored = {
    t: "hand_scored",
    number: 1,
    bids: [4, 0, 3, 5],
    taken: [2, 1, 3, 7],
    sides: [side, side],
  };

  it("explain every kind of line", () => {
    const words = (kind: HandScored["sides"][0]["lines"][0]["kind"], count: number, of: number | null = null): string =>
      scoreLineText(viewOf({}), hand, 0, { kind, points: 0, count, seat: of });
    expect(words("contract_made", 7)).toBe("Contract of 7 made");
    expect(words("contract_set", 7)).toBe("Contract of 7 missed by 2");
    expect(words("overtricks", 1)).toBe("1 bag");
    expect(words("nil_made", 0, 2)).toBe("Nil by Mara made");
    expect(words("nil_failed", 2, 0)).toBe("Nil by you broken by 2 tricks");
    expect(words("bag_penalty", 1)).toBe("Tenth bag");
  });

  it("count tricks towards a contract as the server does", () => {
    const missed: HandScored = { ...hand, sides: [{ ...side, contract: 4, taken: 5, helping: 3 }, side] };
    const line = { kind: "contract_set" as const, points: -40, count: 4, seat: null };
    expect(scoreLineText(viewOf({}), missed, 0, line)).toBe("Contract of 4 missed by 1");
  });

  it("cover every house rule", () => {
    const words = (kind: ScoreLine["kind"], count: number, rules: Partial<RuleSet> = {}): string =>
      scoreLineText(underRules(rules), hand, 0, { kind, points: 0, count, seat: 2 });
    expect(words("ten_made", 11)).toBe("Contract of 11 made");
    expect(words("blind_nil_made", 0)).toBe("Blind nil by Mara made");
    expect(words("blind_nil_failed", 1)).toBe("Blind nil by Mara broken by 1 trick");
    expect(words("double_nil_failed", 3)).toBe("Nil by both broken by 3 tricks");
    expect(words("bags_given_back", 10)).toBe("Points of 10 bags given back");
    expect(words("bag_penalty", 2, { bag_limit: 5 })).toBe("Fifth bag, 2 times");
    expect(words("overtricks", 2, { bag_limit: null })).toBe("2 extra tricks");
    expect(totalText(underRules({ bag_limit: null }), 3)).toBe("Score");
  });
});
