"""The medium bot under other rules than classic: switches, decks, variants, and passing."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from spades_core.bots.levels import medium
from spades_core.bots.levels.medium.medium_observation import ACE, ALL_CARDS, DECK_SUITS, MediumObservation
from spades_core.cards import Card
from spades_core.commands import DealHand, LookAtHand, OpenTable, PassCards, PlaceBid, PlayCard, StartGame
from spades_core.deck import DECKS, shuffled
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS
from spades_core.views import SeatView
from tests.spades_core.rule_sets import draw_rules, rules_with
from tests.spades_core.scenarios import Scenario, after_hands, cards, deal, dealt, started

DECISIONS = 20_000
KINDS_OF_GAME: tuple[dict[str, Any], ...] = ({"target": 100, "hand_limit": 4}, {"blind_nil": "swap", "hand_limit": 7})
"""Short games, and some long enough for a side to fall behind and bid blind nil."""
GOOD_NIL = "H 23457 D 2346 C 3578"
"""No spade and no high card; all but 2H and 2D are in every deck."""


def bot_acts(scenario: Scenario, rng: Random) -> str:
    """Let the bot act, check that it is legal, and return the kind of decision."""
    seat = scenario.table.turn
    assert seat is not None
    view = scenario.view(seat)
    if view.may_bid_blind and rng.random() < 0.5:
        scenario.do(PlaceBid(seat, 0, blind=True))
        return "bid blind"
    if view.may_look:
        scenario.do(LookAtHand(seat))
        return "look"
    if view.legal_bids:
        bid = medium.choose_bid(view, rng)
        assert bid in view.legal_bids, (view, bid)
        scenario.do(PlaceBid(seat, bid))
        return "bid"
    if view.to_pass:
        passed = medium.choose_pass(view, rng)
        assert len(set(passed)) == 2, (view, passed)
        assert set(passed) <= set(view.hand), (view, passed)
        scenario.do(PassCards(seat, passed))
        return "pass"
    card = medium.choose_card(view, rng)
    assert card in view.legal_cards, (view, card)
    scenario.do(PlayCard(seat, card))
    return "card"


def test_it_decides_legally_under_random_rules() -> None:
    rng, seen, rule_sets = Random(31), Counter[str](), 0
    while seen["bid"] + seen["pass"] + seen["card"] < DECISIONS:
        rules = draw_rules(rng, **rng.choice(KINDS_OF_GAME))
        scenario, rule_sets = Scenario(), rule_sets + 1
        scenario.do(OpenTable("HRTJK", rules, "secret", "Mara"), StartGame(SEATS[0], rng.choice(SEATS)))
        while scenario.table.phase != "over":
            if scenario.table.phase == "scored":
                scenario.do(DealHand(shuffled(rng, DECKS[rules.deck])))
            else:
                seen[bot_acts(scenario, rng)] += 1
    assert rule_sets > 50
    assert min(seen["bid"], seen["look"]) > 50
    assert seen["pass"] > 20


# Bidding


def usual_bid(scenario: Scenario) -> int:
    turn = scenario.table.turn
    assert turn is not None
    bids = Counter(medium.choose_bid(scenario.view(turn), Random(seed)) for seed in range(40))
    return bids.most_common(1)[0][0]


def test_in_mirror_it_bids_its_spades() -> None:
    assert usual_bid(dealt("S 2345", rules=rules_with(variant="mirror"))) == 4


@pytest.mark.parametrize(
    ("hand", "bid"), [("S 2 H 23457 D 2346 C 235", 0), ("S AKQ H A D 23456 C 2345", 3), ("S 234 H AK D 23456 C 234", 3)]
)
def test_in_whiz_it_bids_nil_or_its_spades(hand, bid) -> None:
    assert usual_bid(dealt(hand, rules=rules_with(variant="whiz"))) == bid


def test_in_suicide_a_good_hand_for_nil_bids_it() -> None:
    rules = rules_with(variant="suicide")
    assert usual_bid(dealt("S 2 H 23457 D 2346 C 235", rules=rules)) == 0
    assert usual_bid(dealt("S AKQ H AK D 23456 C 234", rules=rules)) == 5
    assert usual_bid(dealt("S A2 H K6 D 23456 C 2345", rules=rules)) == 4, "too high for a nil, and four is the least"


@pytest.mark.parametrize("hand", ["S K2 H 2345 D 2346 C 235", "S A H 65432 D 5432 C 432"])
def test_a_bid_that_is_not_legal_does_not_become_a_nil(hand) -> None:
    assert usual_bid(dealt(hand)) == 1
    assert usual_bid(dealt(hand, rules=rules_with(min_bid="no_ones"))) == 2


def test_without_nil_it_bids_one_on_the_worst_hand() -> None:
    assert usual_bid(dealt(GOOD_NIL)) == 0
    assert usual_bid(dealt(GOOD_NIL, rules=rules_with(nil_value=None))) == 1


def test_a_cheap_nil_needs_a_safer_hand() -> None:
    hand = "S Q2 H 23458 D 2349 C 34"
    assert usual_bid(dealt(hand)) == 0
    assert usual_bid(dealt(hand, rules=rules_with(nil_value=50))) > 0


def test_if_the_bids_may_not_total_thirteen_it_bids_the_next_best() -> None:
    scenario = dealt("S AKQ2 H A432 D K32 C 32", dealer=0, rules=rules_with(sum_not_13=True))
    scenario.bid(3, 3, 3)
    assert usual_bid(scenario) in (3, 5)


@pytest.mark.parametrize("deck", ["jokers", "jokers_and_deuces"])
def test_jokers_count_as_tricks(deck) -> None:
    rules = rules_with(deck=deck)
    weak = deal("S 34 H 34567 D 345 C 345", deck=DECKS[deck])
    strong = deal(
        "BS LS H 34567 D 345 C 345".replace("H 34567 D 345 C 345", "3H 4H 5H 6H 7H 3D 4D 5D 3C 4C 5C"), deck=DECKS[deck]
    )
    bids = []
    for order in (weak, strong):
        scenario = started(rules)
        scenario.do(DealHand(order))
        bids.append(usual_bid(scenario))
    assert bids == [0, 2]


@pytest.mark.parametrize("deck", ["standard", "jokers", "jokers_and_deuces"])
def test_it_makes_most_contracts_with_any_deck(deck) -> None:
    rng, contracts, made = Random(32), 0, 0
    for number in range(200):
        scenario = started(rules_with(deck=deck), dealer=number % 4)
        scenario.do(DealHand(shuffled(rng, DECKS[deck])))
        while scenario.table.turn is not None:
            bot_acts(scenario, rng)
        assert scenario.table.game is not None
        for side in scenario.table.game.sheet[-1].sides:
            contracts += side.contract > 0
            made += any(line.kind == "contract_made" for line in side.lines)
    assert made / contracts > 0.8


# Passing


def passing(hand: str, partner: str, rules: RuleSet) -> Scenario:
    """Seat 0 bid blind nil on `hand` and passes now."""
    scenario = after_hands((0, 300), rules=rules)
    scenario.do(DealHand(deal(hand, "", partner)))
    scenario.do(PlaceBid(SEATS[0], 0, blind=True), PlaceBid(SEATS[1], 4), LookAtHand(SEATS[2]), PlaceBid(SEATS[2], 4))
    scenario.do(PlaceBid(SEATS[3], 3))
    assert (scenario.table.phase, scenario.table.turn) == ("passing", 0)
    return scenario


def passed_by(view: SeatView) -> set[Card]:
    return set(medium.choose_pass(view, Random(1)))


@pytest.mark.parametrize(
    ("hand", "given"),
    [
        ("S AQ32 H AK2 D 432 C 432", "AS QS"),
        ("S K2 H AK2 D 5432 C 5432", "KS AH"),
        ("S 2 H 98765432 D K2 C 32", "2S KD"),
        ("S 2 H 65432 D 5432 C 432", "2S 6H"),
    ],
)
def test_a_blind_nil_passes_its_most_dangerous_cards(hand, given) -> None:
    scenario = passing(hand, "", rules_with(blind_nil="swap"))
    assert passed_by(scenario.view(0)) == set(cards(given))


@pytest.mark.parametrize(
    ("hand", "given"),
    [("S 2345 H AK3 D A42 C AK5", "2D 3H"), ("S 23456789TJQ H AK", "2S 3S"), ("S 234 H 32 D 2 C AKQ5678", "2D 2H")],
)
def test_its_partner_passes_low_cards_back(hand, given) -> None:
    scenario = passing("H QJT987654", hand, rules_with(blind_nil="swap"))
    scenario.do(PassCards(SEATS[0], medium.choose_pass(scenario.view(0), Random(1))))
    assert scenario.table.turn == 2
    assert passed_by(scenario.view(2)) == set(cards(given))


# Cards


def three_tricks_played(rules: RuleSet) -> Scenario:
    """Everybody bid one and both sides have it; seat 0 leads QH and seat 3 plays last with KH JH TH."""
    scenario = dealt("H AQ C 27", "H 25 C AK", "H 36 C 34", "H KJT4 C 56 D 2345678", rules=rules)
    scenario.bid(1, 1, 1, 1)
    scenario.play("2C AC 3C 5C KC 4C 6C 7C 2H 3H 4H AH QH 5H 6H")
    return scenario


def card_of(scenario: Scenario) -> Card:
    turn = scenario.table.turn
    assert turn is not None
    (card,) = {medium.choose_card(scenario.view(turn), Random(seed)) for seed in range(8)}
    return card


def test_it_ducks_only_if_bags_cost() -> None:
    assert card_of(three_tricks_played(rules_with())) == "JH"
    assert card_of(three_tricks_played(rules_with(bag_limit=None))) == "KH"


def test_without_a_bag_limit_the_number_of_bags_changes_nothing() -> None:
    rng, rules = Random(33), rules_with(bag_limit=None)
    for _ in range(20):
        order, stream = shuffled(rng), rng.randrange(2**32)
        few, many = (after_hands((100, 100), bags, rules=rules) for bags in ((0, 0), (9, 37)))
        for scenario in (few, many):
            scenario.do(DealHand(order))
            own = Random(stream)
            while scenario.table.turn is not None:
                bot_acts(scenario, own)
        assert few.log[-60:-1] == many.log[-60:-1], "all but the score"


@pytest.mark.parametrize(("failed_nil_tricks", "card"), [("help", "KH"), ("bags", "JH"), ("nothing", "JH")])
def test_a_broken_nil_takes_more_tricks_only_if_they_help(failed_nil_tricks, card) -> None:
    rules = rules_with(failed_nil_tricks=failed_nil_tricks)
    scenario = dealt("H AQ C 2", "H 25 C 6", "H 36 C 7", "H KJT4 C K D 23456789", rules=rules)
    scenario.bid(2, 5, 2, 0)
    scenario.play("2C 6C 7C KC 4H AH 2H 3H QH 5H 6H")
    assert scenario.hand.taken == (1, 0, 0, 1)
    assert card_of(scenario) == card


# What it observes


def test_a_spade_led_shows_voids_only_if_spades_were_barred() -> None:
    for lead_spades, shown in (("any_time", False), ("not_first_trick", True), ("when_broken", True)):
        scenario = dealt("S AKQJT98765432", "H 2", "H 3", "H 4", rules=rules_with(lead_spades=lead_spades))
        scenario.bid(13, 0, 0, 0)
        scenario.play("AS")
        seen = MediumObservation(scenario.view(1))
        assert (seen.may_hold[0] == seen.unseen & seen.spades) == shown


def test_a_ruff_on_the_first_trick_shows_voids_only_if_it_is_refused() -> None:
    for first_trick_spades, shown in (("allowed", False), ("refused", True)):
        rules = rules_with(first_trick_spades=first_trick_spades)
        scenario = dealt("H A", "S AKQJT98765432", "H 3", "H 4", rules=rules)
        scenario.bid(1, 13, 0, 0)
        scenario.play("AH 2S")
        seen = MediumObservation(scenario.view(2))
        assert (seen.may_hold[1] == seen.unseen & seen.spades) == shown


def test_ranks_and_suits_of_each_deck() -> None:
    standard, jokers, deuces = (DECK_SUITS[deck] for deck in ("standard", "jokers", "jokers_and_deuces"))
    for suits in (standard, jokers, deuces):
        assert sum(suits.all) == ALL_CARDS
        for card in ("AC", "AD", "AH", "AS"):
            assert suits.rank_of(suits.deck.bit[Card(card)]) == ACE
        assert suits.rank_of(suits.deck.bit[Card("3C")]) == 1
    assert standard.rank_of(standard.deck.bit[Card("2S")]) == 0
    assert [jokers.rank_of(jokers.deck.bit[Card(card)]) for card in ("2S", "LS", "BS")] == [0, 13, 14]
    highest = [Card(card) for card in ("2S", "2D", "LS", "BS")]
    assert [deuces.rank_of(deuces.deck.bit[card]) for card in highest] == [13, 14, 15, 16]
    assert all(deuces.suit_of(deuces.deck.bit[card]) == deuces.spades for card in highest)
