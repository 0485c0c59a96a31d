"""Random playouts against decide and evolve: legal cards, the same tricks, legal choices equally likely."""

from collections import Counter
from dataclasses import replace
from math import sqrt
from random import Random
from types import ModuleType

import pytest

from spades_core.commands import PlaceBid, PlayCard
from spades_core.decide import decide
from spades_core.deck import DECKS
from spades_core.evolve import current_hand, evolve_all
from spades_core.legal import legal_cards
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.seats import SEATS
from spades_core.state import Game, Hand, Table, Trick
from tests.spades_core import playout
from tests.spades_core.random_games import play_game
from tests.spades_core.rule_sets import VALUES, draw_rules, rules_with
from tests.spades_core.scenarios import cards, deal

OF_PLAY = ("first_lead", "first_trick_spades", "lead_spades", "deck")
SITUATIONS = {
    "a spade may not be led": (("S A C 32", "H AKQ", "H JT9", "D 876"), {}, False),
    "a ruff opens spades": (("C A D A S A", "S 32 H 4", "H 532", "H 876"), {}, False),
    "a lead to any trick": (("C 23456 S 23456 H 234",), {"lead_spades": "any_time"}, False),
    "later tricks": (
        ("C A5 D 3", "C 43 H A", "S 2 H 2 D A", "C 96 D 9"),
        {"first_lead": "lowest_clubs", "first_trick_spades": "refused"},
        False,
    ),
    "spades are broken": (("S A3 C 2", "S 54 C 3", "H T9 S 2", "D 87 C 9"), {}, True),
    "jokers": (("S B D 2", "D A S K", "S L H Q", "H T9"), {"deck": "jokers_and_deuces"}, False),
    "the first trick": (("C 23456 S 23456 H 234", "D 234567 S AKQ H AKQJ"), {}, False),
    "no ruff yet": (("C 23456 S 23456 H 234", "D 234567 S AKQ H AKQJ"), {"first_trick_spades": "refused"}, False),
    "no spade yet": (("C 23456 S 23456 H 234",), {"lead_spades": "not_first_trick"}, True),
    "the two of clubs": (("C 23 D 23456",), {"first_lead": "two_of_clubs"}, False),
    "into the second trick": (
        ("C 23 H 23456 S AKQJT9", "C 45 D 23456789 S 234", "C 678 H 789TJQKA S 56", ""),
        {"first_lead": "lowest_clubs", "first_trick_spades": "refused", "lead_spades": "not_first_trick"},
        False,
    ),
    "the lowest clubs": (("C 23 D 23456",), {"first_lead": "lowest_clubs"}, False),
}
"""Hands with seat 0 to lead, the last few cards or dealt in full; switches; whether spades are broken.

In "into the second trick" three cards of the first are already played.
"""


BAGS = (3, 9)


def table_with(rules: RuleSet, hand: Hand) -> Table:
    return Table("HRTJK", rules, game=Game(SEATS[0], bags=BAGS, hand=hand))


def new_hand(rng: Random) -> Hand:
    dealer = rng.choice(SEATS)
    first = SEATS[(dealer + 1) & 3]
    return Hand(1, dealer, playout.deal(rng), first, first)


def situation(name: str) -> tuple[RuleSet, Hand]:
    """Return a situation by name; of earlier tricks only the number is known."""
    hands, switches, broken = SITUATIONS[name]
    rules = rules_with(**switches)
    each = [cards(hand) for hand in hands]
    before = 13 - len(each[0]) if len(each[0]) < 4 else 0
    if not before:
        order = deal(*hands, deck=DECKS[rules.deck])
        each = [order[first : first + 13] for first in range(0, 52, 13)]
    first, second, third, fourth = (DECKS[rules.deck].mask_of(hand) for hand in each)
    tricks, held = (Trick(SEATS[0], (), SEATS[0]),) * before, (first, second, third, fourth)
    hand = Hand(1, SEATS[3], held, SEATS[0], SEATS[0], (3, 3, 3, 3), tricks=tricks, broken=broken)
    for _ in range(3 if name == "into the second trick" else 0):
        legal = legal_cards(rules, hand, hand.turn)
        hand = current_hand(after_card(table_with(rules, hand), (legal & -legal).bit_length() - 1))
    return rules, hand


def after_card(table: Table, place: int) -> Table:
    """Return the table after a card of the seat on turn; raise CommandRefused if it is not legal."""
    assert table.turn is not None
    card = DECKS[table.rules.deck].cards[place]
    return evolve_all(table, decide(table, PlayCard(table.turn, card)))


def after_bid(table: Table, ready: Hand) -> Table:
    """Return the table after the bid that the seat on turn has in `ready`."""
    assert table.turn is not None
    return evolve_all(table, decide(table, PlaceBid(table.turn, ready.bids[table.turn])))


def check(rules: RuleSet, hand: Hand, rng: Random, play: ModuleType = playout) -> None:
    """Check a playout: `decide` accepts its cards, `evolve` counts the same tricks, `hand` is unchanged."""
    text, table, played = repr(hand), table_with(rules, hand), []
    taken = play.play_out(rules, hand, rng, played)
    for place in played:
        table = after_card(table, place)
    assert current_hand(table).played_out
    assert taken == current_hand(table).taken
    assert play.points(rules, hand, taken, BAGS) == tuple(side.points for side in table.game.sheet[-1].sides)
    assert repr(hand) == text


def tables_to_play(seed: int) -> list[Table]:
    """Return twenty tables of a game under random rules, each with a card to play."""
    rng = Random(seed)
    playing = [commit.after for commit in play_game(rng) if commit.after.phase == "playing"]
    return rng.choices(playing, k=20)


def probabilities(table: Table, left: int) -> dict[tuple[int, ...], float]:
    """Return the probability of each way to play the next `left` cards if all legal cards are equally likely."""
    if left == 0:
        return {(): 1.0}
    hand, result = current_hand(table), {}
    legal = legal_cards(table.rules, hand, hand.turn)
    for place in (place for place in range(52) if legal >> place & 1):
        for line, probability in probabilities(after_card(table, place), left - 1).items():
            result[place, *line] = probability / legal.bit_count()
    return result


def assert_as_likely(counts: Counter, expected: dict) -> None:
    """Chi-square test, with a limit of five standard deviations."""
    total, freedom = counts.total(), len(expected) - 1
    assert set(counts) <= set(expected)
    missed = sum(
        (counts[what] - total * probability) ** 2 / (total * probability) for what, probability in expected.items()
    )
    assert missed <= freedom + 5 * sqrt(2 * freedom)


def check_probabilities(name: str, play: ModuleType = playout) -> None:
    """Compare the next cards: five in an endgame, three in mid-trick, two of a whole hand."""
    (rules, hand), rng, counts = situation(name), Random(name), Counter()
    cards_seen = 5 if hand.tricks else 3 if hand.trick else 2
    for _ in range(5000):
        played: list[int] = []
        play.play_out(rules, hand, rng, played)
        counts[tuple(played[:cards_seen])] += 1
    assert_as_likely(counts, probabilities(table_with(rules, hand), cards_seen))


@pytest.mark.parametrize("seed", range(40))
def test_decide_accepts_a_playout(seed) -> None:
    rng = Random(seed)
    for _ in range(5):
        rules = draw_rules(rng)
        check(rules, playout.bid_out(rules, new_hand(rng), rng), rng)


@pytest.mark.parametrize(("switch", "value"), [(name, value) for name in OF_PLAY for value in VALUES[name]])
def test_every_switch_of_the_play(switch, value) -> None:
    rng, rules = Random(f"{switch} {value}"), rules_with(**{switch: value})
    for _ in range(20):
        check(rules, playout.bid_out(rules, new_hand(rng), rng), rng)


@pytest.mark.parametrize("seed", range(20))
def test_a_playout_starts_anywhere(seed) -> None:
    """In mid-trick, after blind nils and passed cards."""
    for table in tables_to_play(seed):
        check(table.rules, current_hand(table), Random(seed))


def test_those_tables_are_of_every_kind() -> None:
    hands = [current_hand(table) for seed in range(20) for table in tables_to_play(seed)]
    assert {len(hand.trick) for hand in hands} == {0, 1, 2, 3}
    assert {len(hand.tricks) for hand in hands} == set(range(13))
    assert {hand.broken for hand in hands} == {False, True}
    assert any(any(hand.blind) for hand in hands)


@pytest.mark.parametrize("seed", range(40))
def test_decide_accepts_the_bids(seed) -> None:
    """From any point of the bidding, the bids lead to the hand of `evolve`."""
    rng = Random(seed)
    rules = draw_rules(rng)
    table = table_with(rules, new_hand(rng))
    while table.phase == "bidding":
        ready, bidding = playout.bid_out(rules, current_hand(table), rng), table
        while bidding.phase == "bidding":
            bidding = after_bid(bidding, ready)
        assert ready == current_hand(bidding)
        table = after_bid(table, ready)
    assert playout.bid_out(rules, current_hand(table), rng) is current_hand(table)


def test_after_a_blind_nil_there_are_cards_to_pass() -> None:
    rules, rng = rules_with(blind_nil="swap"), Random(7)
    hand = replace(new_hand(rng), face_down=(True, True, True, True))
    table = table_with(rules, hand)
    hand = current_hand(evolve_all(table, decide(table, PlaceBid(hand.turn, 0, blind=True))))
    ready = playout.bid_out(rules, hand, rng)
    assert ready.to_pass == (hand.leader, SEATS[(hand.leader + 2) & 3])
    assert ready.turn == hand.leader
    with pytest.raises(AssertionError):
        playout.play_out(rules, ready, rng)


@pytest.mark.parametrize("name", SITUATIONS)
def test_every_legal_card_is_equally_likely(name) -> None:
    check_probabilities(name)


def test_every_bid_is_equally_likely() -> None:
    rng = Random(3)
    hand = new_hand(rng)
    counts = Counter(bid for _ in range(3000) for bid in playout.bid_out(CLASSIC, hand, rng).bids)
    assert_as_likely(counts, dict.fromkeys(range(14), 1 / 14))


def test_every_deal_is_equally_likely() -> None:
    """Count the seat of each card, and whether neighbours in the deck are in the same hand."""
    rng, where, pairs = Random(5), Counter(), Counter()
    for _ in range(4000):
        held = playout.deal(rng)
        assert [mask.bit_count() for mask in held] == [13] * 4
        assert sum(held) == (1 << 52) - 1
        seat_of = [next(seat for seat in SEATS if held[seat] >> place & 1) for place in range(52)]
        where.update(enumerate(seat_of))
        pairs.update(zip(seat_of[::2], seat_of[1::2], strict=True))
    assert_as_likely(where, {(place, seat): 1 / 208 for place in range(52) for seat in SEATS})
    together, apart = 1 / 4 * 12 / 51, 1 / 4 * 13 / 51
    assert_as_likely(pairs, {(one, two): together if one == two else apart for one in SEATS for two in SEATS})


def test_the_same_seed_gives_the_same_hand() -> None:
    one, two = (playout.bid_out(CLASSIC, new_hand(Random(9)), Random(9)) for _ in range(2))
    assert one == two
    assert playout.play_out(CLASSIC, one, Random(1)) == playout.play_out(CLASSIC, two, Random(1))
