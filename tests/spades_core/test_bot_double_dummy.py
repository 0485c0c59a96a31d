"""The double-dummy search against brute force, and its share in the expert's values."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from spades_core.bots.engine.double_dummy import DoubleDummy
from spades_core.bots.engine.observation import Observation
from spades_core.bots.engine.position import CardBit, Hands, Position
from spades_core.bots.engine.rollout import after_card, play_out
from spades_core.bots.engine.utility import Utility
from spades_core.bots.levels.expert import CardEvaluator
from spades_core.bots.weights import parameters
from spades_core.deck import DECKS
from spades_core.ruleset import RuleSet
from spades_core.state import Table
from spades_core.views import view_for
from tests.spades_core.playout import deck_tables
from tests.spades_core.random_games import play_game


class RandomUtility:
    """A random utility of every outcome, so that few cards are equally good."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.values = rng, {}

    def value(self, taken: list[int]) -> float:
        return self.values.setdefault(tuple(taken), self.rng.randrange(100))


def cards_of(masks: list[int]) -> list[CardBit]:
    return [(suit, 1 << rank) for suit, mask in enumerate(masks) for rank in range(13) if mask >> rank & 1]


def on_turn(position: Position) -> int:
    return position.last_seat + 1 & 3 if position.trick_size else position.winner


def played(position: Position, hands: Hands, card_bit: CardBit) -> tuple[Position, Hands]:
    return after_card(position, hands, on_turn(position), card_bit)


def brute_force(position: Position, hands: Hands, utility: RandomUtility, own_seat: int) -> float:
    if not position.tricks_left:
        return utility.value(position.taken)
    seat = on_turn(position)
    values = [
        brute_force(*played(position, hands, card_bit), utility, own_seat)
        for card_bit in cards_of(position.legal_cards(hands[seat]))
    ]
    return min(values) if seat - own_seat & 1 else max(values)


def ending(rng: Random) -> tuple[Position, Hands]:
    """A position two or three tricks before the end, with up to three cards on the table."""
    left = rng.choice((2, 3, 3))
    taken = [0, 0, 0, 0]
    for _ in range(13 - left):
        taken[rng.randrange(4)] += 1
    rules = RuleSet(lead_spades=rng.choice(("when_broken", "any_time")))
    position = Position(rules, [rng.choice((0, 3, 4)) for _ in range(4)], rng.randrange(4), taken)
    drawn = rng.sample(cards_of([8191] * 4), 4 * left)
    hands = [[0, 0, 0, 0] for _ in range(4)]
    for number, (suit, bit) in enumerate(drawn):
        hands[number & 3][suit] |= bit
    position.unplayed = [sum(held[suit] for held in hands) for suit in range(4)]
    for _ in range(rng.randrange(4)):
        position, hands = played(position, hands, rng.choice(cards_of(position.legal_cards(hands[on_turn(position)]))))
    return position, hands


def test_it_finds_the_value_of_brute_force() -> None:
    rng = Random(31)
    for number in range(120):
        position, hands = ending(rng)
        utility = RandomUtility(Random(number))
        found = DoubleDummy(utility, number & 3).value(position, hands)  # type: ignore[arg-type]
        assert found == brute_force(position, hands, utility, number & 3), number


def test_one_search_evaluates_several_cards() -> None:
    rng = Random(32)
    for number in range(60):
        position, hands = ending(rng)
        utility = RandomUtility(Random(number))
        search = DoubleDummy(utility, number & 3)  # type: ignore[arg-type]
        for card_bit in cards_of(position.legal_cards(hands[on_turn(position)])):
            after = played(position, hands, card_bit)
            assert search.value(*after) == brute_force(*after, utility, number & 3), number


def endings(left: int) -> Iterator[tuple[Table, Hands]]:
    """Tables of random games with so many tricks left, and their hands by suit."""
    rng = Random(33)
    for _ in range(3):
        for commit in play_game(rng, void_rate=0):
            table = commit.after
            hand = table.game.hand if table.game else None
            if table.phase == "playing" and hand and table.turn is not None:
                view = view_for(table.turn, table)
                if sum(seat.taken for seat in view.seats) == 13 - left and len(view.legal_cards) > 1:
                    split = deck_tables(DECKS[view.rules.deck]).split
                    yield table, [split(held) for held in hand.held]


def values(left: int) -> Iterator[tuple[float, float, float]]:
    """Of each card the expert's value, and those by a rollout and by double-dummy search."""
    for table, hands in endings(left):
        assert table.turn is not None
        view = view_for(table.turn, table)
        seen = Observation.from_view(view)
        utility = Utility(view, seen.position.bids)
        evaluator = CardEvaluator(seen, utility, hands, Random(1))
        for card_bit in seen.distinct_cards():
            after, rest = played(evaluator.position, hands, card_bit)
            best = DoubleDummy(utility, seen.own_seat).value(after, rest)
            rollout = utility.value(play_out(after, rest, evaluator.dice, parameters.ROLLOUT_NOISE))
            yield evaluator.value(card_bit), rollout, best


@pytest.mark.parametrize("left", [4, 3, 2])
def test_in_the_last_four_tricks_the_search_is_half_of_the_value(left: int) -> None:
    found = list(values(left))
    assert all(value == (rollout + best) / 2 for value, rollout, best in found)
    assert any(rollout != best for _, rollout, best in found), "the two never differ"


def test_before_the_last_four_tricks_the_search_does_not_count() -> None:
    assert all(value == rollout for value, rollout, _ in islice(values(5), 20))
