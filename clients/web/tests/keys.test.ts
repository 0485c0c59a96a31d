import { beforeEach, describe, expect, it } from "vitest";
import { bidAfterKey, cardAfterKey, TypedBid } from "../src/keys";

const all = Array.from({ length: 14 }, (_, at) => at);

let now: number;
let typed: TypedBid;

beforeEach(() => {
  now = 0;
  typed = new TypedBid(() => now);
});

const type = (keys: string, bids = all) => [...keys].map((key) => typed.read(key, bids));

describe("a bid by keyboard", () => {
  it("is a digit, or N for nil", () => {
    expect(type("4")).toEqual([4]);
    expect(type("nN0")).toEqual([0, 0, 0]);
    expect(type("tx")).toEqual([undefined, undefined]);
  });

  it("has two digits when they are typed within a second", () => {
    expect(type("12")).toEqual([1, 12]);
    expect(type("111")).toEqual([1, 11, 1]);
    type("51");
    now += 1_500;
    expect(type("2")).toEqual([2]);
    expect(type("17")).toEqual([1, 7]);
  });

  it("must be allowed", () => {
    expect(type("n13", [4, 5, 13])).toEqual([undefined, undefined, 13]);
  });

  it("is reached by arrows, in rows of seven", () => {
    expect(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"].map((key) => bidAfterKey(key, all, 3))).toEqual([
      4, 2, 10, 3,
    ]);
    expect([bidAfterKey("ArrowLeft", all, 0), bidAfterKey("End", all, 0)]).toEqual([13, 13]);
    expect(bidAfterKey("ArrowDown", [0, 4], 0)).toBe(4);
    expect(bidAfterKey("x", all, 0)).toBeUndefined();
  });
});

describe("keys in the hand", () => {
  const cards = "AS QS 4S KH TH 2C".split(" ");
  const from = (key: string, at: number): string | undefined => cardAfterKey(key, cards, at, "standard");

  it("move from card to card, and around the ends", () => {
    expect([from("ArrowRight", 0), from("l", 5), from("ArrowLeft", 0), from("j", 1)]).toEqual(["QS", "AS", "2C", "AS"]);
  });

  it("know the spades of the deck", () => {
    expect(cardAfterKey("o", ["BS", "2D", "KH", "3D"], 1, "jokers_and_deuces")).toBe("BS");
    expect(cardAfterKey("d", ["BS", "2D", "KH", "3D"], 0, "jokers_and_deuces")).toBe("3D");
  });

  it("jump to a suit and to its lowest and highest card", () => {
    expect([from("h", 0), from("d", 0), from("u", 1), from("o", 2)]).toEqual(["KH", undefined, "4S", "AS"]);
  });
});
