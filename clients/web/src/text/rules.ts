// Texts for the rules: a label and description of each switch, and a name for each of its values.

import { changedSwitches, type RuleSelection } from "../house_rules";
import { BLIND_NIL_DEFICIT, BLIND_NIL_POINTS, PRESETS } from "../protocol";
import { count } from "./table";

export interface SwitchText {
  label: string;
  /** One line for the switch, or one for each value. */
  description: string | Record<string, string>;
  /** Undefined for whole numbers. */
  values?: Record<string, string>;
  /** By how much one tap changes a whole number. */
  step?: number;
}

export interface Group {
  title: string;
  switches: Record<string, SwitchText>;
}

const WINNING: Group = {
  title: "Winning",
  switches: {
    target: { label: "Points to win", description: "The first side there wins.", step: 50 },
    floor: {
      label: "Losing score",
      description: "A side that falls this low loses on the spot.",
      values: { off: "None", "-200": "−200", "-300": "−300", "-500": "−500" },
    },
    mercy: {
      label: "Winning lead",
      description: "A side this far ahead wins at once.",
      values: { off: "None", "300": "300 ahead" },
    },
    hand_limit: { label: "Hand limit", description: "After this many hands the side ahead wins.", step: 4 },
  },
};

const BIDDING: Group = {
  title: "Bidding",
  switches: {
    variant: {
      label: "What you may bid",
      description: {
        partnership: "Everybody bids what they think they take.",
        mirror: "Everybody bids the number of spades they hold.",
        whiz: "The number of spades you hold, or nil.",
        suicide: "One partner bids nil, the other at least 4.",
      },
      values: { partnership: "Any number", mirror: "Mirror", whiz: "Whiz", suicide: "Suicide" },
    },
    min_bid: {
      label: "Smallest bid",
      description: {
        off: "Every number may be bid.",
        side_four: "Two partners bid at least 4 together.",
        no_ones: "A bid is nil, or 2 and more.",
      },
      values: { off: "None", side_four: "4 a side", no_ones: "Nobody bids 1" },
    },
    sum_not_13: {
      label: "Bids that add up to 13",
      description: "Whether the last bid may bring the total to 13.",
      values: { off: "Allowed", on: "Not allowed" },
    },
    ten_for_200: {
      label: "Contracts of 10 or more",
      description: "What they win when made, and cost when missed.",
      values: { off: "10 a trick", doubled: "20 a trick", flat: "200 points" },
    },
  },
};

const NIL: Group = {
  title: "Nil",
  switches: {
    nil_value: {
      label: "Value of a nil",
      description: "A promise to take no trick: won when kept, lost when broken.",
      values: { off: "No nil", "50": "50 points", "100": "100 points", "150": "150 points" },
    },
    failed_nil_tricks: {
      label: "Tricks of a broken nil",
      description: {
        help: "They count for the partner’s contract.",
        bags: "They do not help the partner, and count as bags.",
        nothing: "They do not help the partner, and are not bags.",
      },
      values: { help: "Help", bags: "Count as bags", nothing: "Do not count" },
    },
    double_nil: {
      label: "Nil by both partners",
      description: {
        two_nils: "Each is won or lost by itself.",
        one_unit: "Both must be kept, or both are lost.",
        forbidden: "After a nil the partner bids at least 1.",
      },
      values: { two_nils: "Two nils", one_unit: "All or nothing", forbidden: "Not allowed" },
    },
    blind_nil: {
      label: "Blind nil",
      description: {
        off: "Everybody sees their cards before they bid.",
        on: `Nil before looking, when ${BLIND_NIL_DEFICIT} behind: ${BLIND_NIL_POINTS} points either way.`,
        swap: `${BLIND_NIL_POINTS} points when ${BLIND_NIL_DEFICIT} behind; then the partners exchange two cards.`,
      },
      values: { off: "No", on: "Yes", swap: "Yes, with a swap" },
    },
  },
};

const BAGS: Group = {
  title: "Bags",
  switches: {
    bag_limit: {
      label: "Bags until the penalty",
      description: "A bag is a trick beyond the contract.",
      values: { off: "No penalty", "5": "5 bags", "10": "10 bags" },
    },
    bag_penalty: {
      label: "Bag penalty",
      description: "What a full count of bags costs.",
      values: { "50": "50 points", "100": "100 points", "150": "150 points" },
    },
    bag_points: {
      label: "Points for a bag",
      description: {
        one: "It stays with you, whatever the penalty.",
        none: "Only the contract earns points.",
        given_back: "The penalty takes what those bags earned as well.",
      },
      values: { one: "1 point", none: "Nothing", given_back: "1, given back" },
    },
    bag_carry: {
      label: "After the penalty",
      description: "What becomes of bags beyond a full count.",
      values: { remainder: "They stay", reset: "Count from 0" },
    },
  },
};

const PLAY: Group = {
  title: "Play",
  switches: {
    first_dealer: {
      label: "First dealer",
      description: {
        drawn: "The first dealer is drawn at random.",
        before_host: "The host bids and leads first, then each next player.",
      },
      values: { drawn: "At random", before_host: "Before the host" },
    },
    first_lead: {
      label: "First trick",
      description: {
        left_of_dealer: "The player on the dealer’s left leads any card.",
        highest_bidder: "Whoever bid highest leads any card.",
        two_of_clubs: "Whoever holds the two of clubs leads it.",
        lowest_clubs: "Everybody plays their lowest club.",
      },
      values: {
        left_of_dealer: "Left of dealer",
        highest_bidder: "Highest bidder",
        two_of_clubs: "Two of clubs",
        lowest_clubs: "Lowest clubs",
      },
    },
    first_trick_spades: {
      label: "Spades on the first trick",
      description: {
        allowed: "Yes, if you cannot follow suit.",
        refused: "Only if you hold nothing but spades.",
      },
      values: { allowed: "Allowed", refused: "Not allowed" },
    },
    lead_spades: {
      label: "Leading spades",
      description: {
        when_broken: "Once a spade was played on another suit.",
        any_time: "From the first trick on.",
        not_first_trick: "From the second trick on.",
      },
      values: { when_broken: "When broken", any_time: "Any time", not_first_trick: "Not at first" },
    },
  },
};

const CARDS: Group = {
  title: "Cards",
  switches: {
    deck: {
      label: "Deck",
      description: {
        standard: "52 cards, the ace of spades highest.",
        jokers: "Two jokers are the highest spades; 2♣ and 2♥ stay in the box.",
        jokers_and_deuces: "Highest are two jokers, 2♦ and 2♠; 2♣ and 2♥ stay in the box.",
      },
      values: { standard: "Standard", jokers: "With jokers", jokers_and_deuces: "Jokers and deuces" },
    },
  },
};

export const GROUPS: readonly Group[] = [WINNING, BIDDING, NIL, BAGS, PLAY, CARDS];

export const describeSwitch = ({ description }: SwitchText, value: string): string =>
  typeof description === "string" ? description : (description[value] ?? "");

export const PRESET_NAMES: Record<keyof typeof PRESETS, string> = { classic: "Classic", casual: "Casual" };

export const PRESET_DESCRIPTIONS: Record<keyof typeof PRESETS, string> = {
  classic: `The usual game to ${PRESETS.classic.target}: a broken nil still helps its partner, and a side at −${PRESETS.classic.floor.slice(1)} has lost.`,
  casual: `A gentler game to ${PRESETS.casual.target}: no score is too low, the host begins, and a broken nil’s tricks count for nothing.`,
};

/** On the card of the player's own rules: what differs from their base. */
export function ownRulesText(selection: RuleSelection): string {
  const names = changedSwitches(selection);
  const base = PRESET_NAMES[selection.base];
  if (!names.length) return `Begin with ${base} and change what you like.`;
  const labels = GROUPS.flatMap((group) => Object.entries(group.switches))
    .filter(([name]) => names.includes(name))
    .map(([, text]) => text.label.toLowerCase());
  const shown = labels.slice(0, 3).join(", ");
  const more = labels.length > 3 ? ` and ${labels.length - 3} more` : "";
  return `${base}, except for ${shown}${more}.`;
}

/** "Classic", "Classic with 3 changes". */
export function selectionText(selection: RuleSelection): string {
  if (selection.mode !== "own") return PRESET_NAMES[selection.mode];
  const changes = changedSwitches(selection).length;
  const base = PRESET_NAMES[selection.base];
  return changes ? `${base} with ${count(changes, "change")}` : base;
}
