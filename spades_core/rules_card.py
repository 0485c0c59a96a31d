"""The rules of one table in plain words, for players; every client shows these sentences."""

from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.wording import plural

NUMBERS = {5: "five", 10: "ten"}


def rules_card(rules: RuleSet) -> tuple[str, ...]:
    """Return complete sentences, beginning with how the game is won. Usual rules are mentioned briefly or left out."""
    return (*_ending(rules), *_cards(rules), *_bidding(rules), *_nil(rules), *_play(rules), *_bags(rules))


def _ending(rules: RuleSet) -> list[str]:
    lines = [f"The first side at {rules.target} points wins."]
    if rules.floor is not None:
        lines.append(f"A side at {_signed(rules.floor)} points or less loses on the spot.")
    if rules.mercy is not None:
        lines.append(f"A lead of {rules.mercy} points or more ends the game.")
    if rules.hand_limit != CLASSIC.hand_limit:
        lines.append(f"After {plural(rules.hand_limit, 'hand')} the side that is ahead wins.")
    return lines


def _cards(rules: RuleSet) -> list[str]:
    match rules.deck:
        case "jokers":
            return [
                "Two jokers replace the two of clubs and the two of hearts. "
                "They are spades: the big joker is the highest, the little joker comes next, then the ace."
            ]
        case "jokers_and_deuces":
            return [
                "Two jokers replace the two of clubs and the two of hearts. The highest spades are the big joker, "
                "the little joker, the two of diamonds, the two of spades and then the ace."
            ]
        case _:
            return []


def _bidding(rules: RuleSet) -> list[str]:
    variant = {
        "partnership": "Partners add their bids to one contract.",
        "mirror": "Everybody bids the number of spades they hold; partners add their bids to one contract.",
        "whiz": "Everybody bids the number of spades they hold, or nil; partners add their bids to one contract.",
        "suicide": "One partner of each side bids nil, the other at least 4.",
    }
    lines = [variant[rules.variant]]
    if rules.min_bid == "side_four":
        lines.append("A side bids at least 4 together; the partner of a nil bids at least 4.")
    if rules.min_bid == "no_ones":
        lines.append("Nobody bids 1.")
    if rules.sum_not_13:
        lines.append("The last bid may not make the sum of all bids 13.")
    lines.append("A contract made earns 10 points a trick, missed it loses as many.")
    if rules.ten_for_200 == "flat":
        lines.append("A contract of 10 or more is worth 200 points, made or missed.")
    if rules.ten_for_200 == "doubled":
        lines.append("A contract of 10 or more is worth 20 points a trick, made or missed.")
    return lines


def _nil(rules: RuleSet) -> list[str]:
    if rules.nil_value is None:
        return ["There is no nil: everybody bids at least 1."]
    failed = {
        "help": "the tricks of a failed nil count for the partner's contract",
        "bags": "the tricks of a failed nil do not help the partner and are bags",
        "nothing": "the tricks of a failed nil count for nothing",
    }
    lines = [
        f"A bid of 0 is nil: {rules.nil_value} points when no trick is taken, {_signed(-rules.nil_value)} when one is; "
        f"{failed[rules.failed_nil_tricks]}."
    ]
    if rules.double_nil == "one_unit":
        lines.append("When both partners bid nil, both must succeed: the two are won or lost together.")
    if rules.double_nil == "forbidden":
        lines.append("Only one partner of a side may bid nil.")
    if rules.blind_nil is not None:
        lines.append("A side 100 or more behind may bid nil before looking at the hand, for 200 points either way.")
    if rules.blind_nil == "swap":
        lines.append("After a blind nil the two partners exchange two cards.")
    return lines


def _play(rules: RuleSet) -> list[str]:
    first = {
        "left_of_dealer": "The player on the dealer's left leads first.",
        "highest_bidder": "The highest bidder leads first.",
        "two_of_clubs": "Whoever holds the two of clubs leads it to the first trick.",
        "lowest_clubs": "The lowest club is led to the first trick, and everybody plays their lowest club.",
    }
    lead = {
        "when_broken": "A spade may be led once one was played on another suit.",
        "any_time": "A spade may be led at any time.",
        "not_first_trick": "A spade may be led at any time but to the first trick.",
    }
    lines = ["Follow suit if you can; spades are always trump.", first[rules.first_lead], lead[rules.lead_spades]]
    if rules.first_dealer == "before_host":
        lines.insert(1, "The host is the first to bid in the first hand, then each next player.")
    if rules.first_trick_spades == "refused":
        lines.append("A player who cannot follow on the first trick plays no spade while holding anything else.")
    return lines


def _bags(rules: RuleSet) -> list[str]:
    worth = "earns nothing" if rules.bag_points == "none" else "earns 1 point"
    if rules.bag_limit is None:
        return [f"A trick beyond the contract {worth} and costs nothing."]
    limit = NUMBERS[rules.bag_limit]
    after = "and the count begins again at 0" if rules.bag_carry == "reset" else "and the rest stay on the count"
    cost = f"every {limit} bags cost {rules.bag_penalty} points"
    lines = [f"A trick beyond the contract is a bag and {worth}; {cost}, {after}."]
    if rules.bag_points == "given_back":
        lines.append(f"With the penalty the {limit} points that those bags earned are given back.")
    return lines


def _signed(points: int) -> str:
    return f"−{-points}" if points < 0 else str(points)
