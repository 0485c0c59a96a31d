import { describe, expect, it } from "vitest";
import {
  changedSwitches,
  clamp,
  formatRules,
  parseRules,
  ruleErrorOf,
  startFrom,
  withMode,
  withSwitch,
} from "../src/house_rules";
import { PRESETS, RANGES, type SeatView, SWITCHES } from "../src/protocol";
import { bidMeaning, bidRestrictions, faceDownText } from "../src/text/bids";
import { eventText } from "../src/text/events";
import { describeSwitch, GROUPS, ownRulesText, selectionText } from "../src/text/rules";
import {
  bagsText,
  contractText,
  currentBags,
  endReason,
  isSet,
  passingHint,
  seatStatus,
  statusLine,
} from "../src/text/table";
import { seat, underRules, viewOf } from "./samples";

const own = (text: string) => ({ mode: "own" as const, ...parseRules(text) });

describe("the rules of the next table", () => {
  it("are written as a preset and the changes to it", () => {
    expect(formatRules({ ...startFrom("classic"), mode: "casual" })).toBe("casual");
    const rules = withSwitch(withSwitch(startFrom("classic"), "target", "300"), "blind_nil", "on");
    expect(formatRules(rules)).toBe("classic,target=300,blind_nil=on");
    expect(formatRules(withSwitch(rules, "target", "500"))).toBe("classic,blind_nil=on");
  });

  it("are parsed, without whatever this version does not know", () => {
    const text = "casual,target=250,deck=jokers";
    expect(formatRules(own(text))).toBe(text);
    expect(formatRules(own("casual,target=250,moon=full,deck=tarot,nil_value"))).toBe("casual,target=250");
    expect(formatRules(own("strange"))).toBe("classic");
  });

  it("start from the selected preset, and keep changes while a preset is selected", () => {
    const casual = withMode({ ...startFrom("classic"), mode: "casual" }, "own");
    expect(casual).toMatchObject({ mode: "own", base: "casual", values: PRESETS.casual });
    const changes = withSwitch(casual, "deck", "jokers");
    const back = withMode(withMode(changes, "classic"), "own");
    expect([back.base, changedSwitches(back)]).toEqual(["casual", ["deck"]]);
  });

  it("clamp numbers to their range", () => {
    expect(["50", "1050", "305"].map((text) => clamp("target", Number(text)))).toEqual(["100", "1000", "305"]);
    expect(clamp("hand_limit", Number("many"))).toBe("1");
  });

  it("show the refusal of the server at the switch it names", () => {
    const refused = { t: "refusal", code: "bad_rules", re: "1" } as const;
    const text = "These rules cannot be played: without nil there is no blind nil.";
    expect(ruleErrorOf({ ...refused, text, field: "blind_nil" })).toEqual({ switch: "blind_nil", text });
    expect(ruleErrorOf({ ...refused, text, field: null })).toEqual({ switch: "", text });
  });
});

describe("the switches", () => {
  const all = Object.fromEntries(GROUPS.flatMap((group) => Object.entries(group.switches)));

  it("all have one label, a description, and a name for every value", () => {
    expect(Object.keys(all).sort()).toEqual(Object.keys(SWITCHES).sort());
    expect(GROUPS.flatMap((group) => Object.keys(group.switches))).toHaveLength(Object.keys(SWITCHES).length);
    for (const [name, values] of Object.entries(SWITCHES)) {
      if (name in RANGES) expect(describeSwitch(all[name], "")).not.toBe("");
      else expect(Object.keys(all[name].values ?? {}).sort()).toEqual([...values].sort());
      for (const value of values) expect(describeSwitch(all[name], value), `${name}=${value}`).not.toBe("");
    }
  });

  it("that were changed are listed on the card of the player's own rules", () => {
    expect(ownRulesText(startFrom("casual"))).toBe("Begin with Casual and change what you like.");
    expect(ownRulesText(own("classic,target=300"))).toBe("Classic, except for points to win.");
    expect(ownRulesText(own("classic,target=300,deck=jokers,mercy=300,blind_nil=on"))).toBe(
      "Classic, except for points to win, winning lead, blind nil and 1 more.",
    );
    expect(selectionText(own("classic,target=300"))).toBe("Classic with 1 change");
    expect(selectionText({ ...own("classic,target=300"), mode: "casual" })).toBe("Casual");
  });
});

describe("restricted bids", () => {
  const mine = [seat("Jo", { bid: null }), seat("Ilya"), seat("Mara", { bid: 2 }), seat("Otto")] as const;
  const words = (rules: Parameters<typeof underRules>[0], legal: number[]): string =>
    bidRestrictions(underRules(rules, { phase: "bidding", legal_bids: legal, seats: [...mine] }));

  it("are explained", () => {
    const all = Array.from({ length: 14 }, (_, bid) => bid);
    expect(words({}, all)).toBe("");
    expect(words({ variant: "mirror" }, [4])).toBe("Mirror: you bid the spades you hold.");
    expect(words({ variant: "whiz" }, [0, 4])).toBe("Whiz: you bid the spades you hold, or nil.");
    expect(words({ variant: "suicide" }, [0])).toBe("Suicide: Mara did not, so you bid nil.");
    expect(words({ nil_value: null }, all.slice(1))).toBe("There is no nil at this table.");
    expect(words({ min_bid: "side_four" }, all.slice(2))).toBe("With Mara you bid at least 4 together.");
    expect(words({ sum_not_13: true }, all.slice(0, 5))).toBe("The bids may not add up to 13, so not 5.");
  });

  it("are not the second nil of a pair, but it is explained", () => {
    const seats = [mine[0], mine[1], seat("Mara", { bid: 0 }), mine[3]] as never;
    expect(bidMeaning(underRules({ double_nil: "one_unit" }, { seats }), 0)).toContain("both of you take no trick");
  });
});

describe("a blind nil", () => {
  it("is offered, confirmed, and shown to the others", () => {
    const view = underRules({ blind_nil: "swap" }, { phase: "bidding", may_look: true, may_bid_blind: true });
    expect(faceDownText(view, false)).toContain("before you look");
    expect(faceDownText(view, true)).toBe(
      "No trick at all, unseen: +200, or −200. Then you and Mara exchange two cards.",
    );
    expect(faceDownText({ ...view, turn: 1 }, false)).toContain("when it is your turn");
    view.seats[1] = seat("Ilya", { bid: null, face_down: true });
    view.seats[3] = seat("Otto", { bid: 0, blind: true });
    expect([1, 3].map((at) => seatStatus(view, at))).toEqual(["has not looked", "bid blind nil"]);
    expect(eventText({ t: "bid_placed", seat: 3, bid: 0, blind: true }, view, null)).toBe("Otto bids blind nil.");
    expect(eventText({ t: "hand_looked_at", seat: 1, cards: [] }, view, null)).toBe("Ilya looks at the cards.");
    expect(eventText({ t: "hand_looked_at", seat: 3, cards: [] }, view, null)).toBe("");
  });

  it("is followed by an exchange of two cards", () => {
    const view = viewOf({ phase: "passing", turn: 1 });
    expect(statusLine(view, null)).toBe("Ilya passes two cards to Otto");
    expect(passingHint({ ...view, turn: 0 })).toBe("Mara bid nil: low cards help most.");
    const passed = { t: "cards_passed" as const, seat: 2, to: 0, cards: ["AS", "BS"] };
    expect(eventText(passed, view, null)).toBe("Mara passes you the ace of spades and the big joker.");
    expect(eventText({ ...passed, seat: 1, to: 3, cards: [] }, view, null)).toBe("Ilya passes two cards to Otto.");
  });
});

describe("house rules at the table", () => {
  const sides = (helping: number, new_bags: number): SeatView["sides"] => [
    { score: 0, bags: 3, contract: 4, taken: 6, helping, new_bags },
    { score: 0, bags: 0, contract: 6, taken: 0, helping: 0, new_bags: 0 },
  ];

  it("count tricks towards a contract as the server does", () => {
    const help = viewOf({ sides: sides(6, 2) });
    expect([contractText(help, 0), currentBags(help, 0)]).toEqual(["6 of 4", 5]);
    const bags = viewOf({ sides: sides(4, 2) });
    expect([contractText(bags, 0), currentBags(bags, 0)]).toEqual(["4 of 4", 5]);
    expect(isSet(bags, 0)).toBe(false);
  });

  it("leave out bags without a bag penalty", () => {
    expect(bagsText(underRules({ bag_limit: null }), 0)).toBe("");
  });

  it("name the suit led by the deck", () => {
    const trick = { plays: [{ seat: 1, card: "2D" }], winning: 1, stage: "open" as const };
    expect(statusLine(underRules({ deck: "jokers_and_deuces" }), trick)).toBe("Spades led · Ilya is winning");
    expect(statusLine(viewOf({}), trick)).toBe("Diamonds led · Ilya is winning");
  });

  it("explain the end of the game", () => {
    const outcome = { t: "game_ended" as const, winner: 0, reason: "mercy" as const };
    expect(endReason(underRules({ mercy: 300 }, { outcome }))).toBe("A lead of 300 points or more ends the game.");
    expect(endReason(underRules({ hand_limit: 1 }, { outcome: { ...outcome, reason: "hand_limit" } }))).toBe(
      "After 1 hand the side ahead wins.",
    );
  });
});
