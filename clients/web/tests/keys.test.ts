import { beforeEach, describe, expect, it } from "vitest";
import { bidAfterKey, TypedBid } from "../src/keys";

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

  it("is two digits when they are typed within a moment", () => {
    expect(type("12")).toEqual([1, 12]);
    expect(type("111")).toEqual([1, 11, 1]);
    type("51");
    now += 1_500;
    expect(type("2")).toEqual([2]);
    expect(type("17")).toEqual([1, 7]);
  });

  it("is only one that is allowed", () => {
    expect(type("n13", [4, 5, 13])).toEqual([undefined, undefined, 13]);
  });

  it("is walked to by arrows, a row being seven", () => {
    expect(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"].map((key) => bidAfterKey(key, all, 3))).toEqual([
      4, 2, 10, 3,
    ]);
    expect([bidAfterKey("ArrowLeft", all, 0), bidAfterKey("End", all, 0)]).toEqual([13, 13]);
    expect(bidAfterKey("ArrowDown", [0, 4], 0)).toBe(4);
    expect(bidAfterKey("x", all, 0)).toBeUndefined();
  });
});
