import { describe, expect, it } from "vitest";
import { codeFromPath, parseCode } from "../src/address";
import { cardName, cornerText, handText, printedSuit, rowsOf, sorted, suitOf } from "../src/cards";
import { compassPoint, sidesNearFirst } from "../src/seats";
import { viewOf } from "./samples";

describe("a hand", () => {
  it("is sorted into spades, hearts, clubs, diamonds, each high to low", () => {
    expect(sorted("2C AD TH KH 4S QS 8D JC".split(" "), "standard")).toEqual("QS 4S KH TH JC 2C AD 8D".split(" "));
  });

  it("has one row of up to seven cards, or two", () => {
    const cards = sorted("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC".split(" "), "standard");
    expect(rowsOf(cards).map((row) => row.length)).toEqual([7, 6]);
    expect(rowsOf(cards.slice(0, 8)).map((row) => row.length)).toEqual([4, 4]);
    expect(rowsOf(cards.slice(0, 7))).toHaveLength(1);
  });

  it("has jokers and deuces among the spades, depending on the deck", () => {
    const cards = "AD 2D KH LS 2S AS BS 3S".split(" ");
    expect(sorted(cards, "jokers_and_deuces")).toEqual("BS LS 2D 2S AS 3S KH AD".split(" "));
    expect(sorted(cards, "jokers")).toEqual("BS LS AS 3S 2S KH AD 2D".split(" "));
    expect([suitOf("2D", "jokers_and_deuces"), suitOf("2D", "jokers"), printedSuit("2D")]).toEqual(["S", "D", "D"]);
  });

  it("is read with jokers and deuces before the other spades", () => {
    expect([cardName("BS"), cardName("LS"), cornerText("BS")]).toEqual(["big joker", "little joker", "Jo"]);
    expect(handText(["AS", "BS", "2D", "3D"], "jokers_and_deuces")).toBe(
      "big joker, two of diamonds, ace of spades; three of diamonds",
    );
  });

  it("is read by suit and rank", () => {
    expect(cardName("KH")).toBe("king of hearts");
    expect(cornerText("TD")).toBe("10");
    expect(handText(["TH", "QS", "AS"], "standard")).toBe("ace, queen of spades; ten of hearts");
  });
});

describe("seats on the screen", () => {
  it("go clockwise from the viewer's at the bottom", () => {
    const view = viewOf({ you: 1 });
    expect([1, 2, 3, 0].map((seat) => compassPoint(view, seat))).toEqual(["south", "west", "north", "east"]);
    expect(sidesNearFirst(view)).toEqual([1, 0]);
  });
});

describe("a code", () => {
  it("is found in typed and pasted text", () => {
    expect(parseCode("kqxzp")).toBe("KQXZP");
    expect(parseCode(" k-q x z p q")).toBe("KQXZP");
    expect(parseCode("https://cards.example/t/KQXZP?x=1")).toBe("KQXZP");
  });

  it("is read from the address", () => {
    expect(codeFromPath("/t/kqxzp")).toBe("KQXZP");
    expect(codeFromPath("/")).toBeNull();
  });
});
