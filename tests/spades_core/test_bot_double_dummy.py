"""The last tricks with all hands open: what the search finds, and what the expert makes of it."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from spades_core.bots.engine.double_dummy import DoubleDummy
from spades_core.bots.engine.observation import see
from spades_core.bots.engine.position import Place, Position, legal
from spades_core.bots.engine.rollout import play_out, tried
from spades_core.bots.engine.utility import Stakes
from spades_core.bots.levels.expert import Trial
from spades_core.bots.weights import parameters
from spades_core.deck import DECKS
from spades_core.ruleset import RuleSet
from spades_core.state import Table
from spades_core.views import view_for
from tests.spades_core.playout import deck_tables
from tests.spades_core.random_games import play_game

Hands = list[list[int]]


class AnyWorth:
    """Endings that are worth anything, so that no card is as good as another by luck."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.worth = rng, {}

    def value(self, taken: list[int]) -> float:
        return self.worth.setdefault(tuple(taken), self.rng.randrange(100))


def places(masks: list[int]) -> list[Place]:
    return [(suit, 1 << rank) for suit, mask in enumerate(masks) for rank in range(13) if mask >> rank & 1]


def on_turn(position: Position) -> int:
    return position.turn + 1 & 3 if position.begun else position.winner


def played(position: Position, hands: Hands, place: Place) -> tuple[Position, Hands]:
    return tried(position, hands, on_turn(position), place)


def by_trying_everything(position: Position, hands: Hands, stakes: AnyWorth, mine: int) -> float:
    if not position.left:
        return stakes.value(position.taken)
    seat = on_turn(position)
    values = [
        by_trying_everything(*played(position, hands, place), stakes, mine)
        for place in places(legal(position, hands[seat]))
    ]
    return min(values) if seat - mine & 1 else max(values)


def ending(rng: Random) -> tuple[Position, Hands]:
    """Two or three tricks before the end, up to three cards on the table."""
    left = rng.choice((2, 3, 3))
    taken = [0, 0, 0, 0]
    for _ in range(13 - left):
        taken[rng.randrange(4)] += 1
    rules = RuleSet(lead_spades=rng.choice(("when_broken", "any_time")))
    position = Position(rules, [rng.choice((0, 3, 4)) for _ in range(4)], rng.randrange(4), taken)
    drawn = rng.sample(places([8191] * 4), 4 * left)
    hands = [[0, 0, 0, 0] for _ in range(4)]
    for number, (suit, bit) in enumerate(drawn):
        hands[number & 3][suit] |= bit
    position.out = [sum(held[suit] for held in hands) for suit in range(4)]
    for _ in range(rng.randrange(4)):
        position, hands = played(position, hands, rng.choice(places(legal(position, hands[on_turn(position)]))))
    return position, hands


def test_it_finds_what_trying_every_card_finds() -> None:
    rng = Random(31)
    for number in range(120):
        position, hands = ending(rng)
        stakes = AnyWorth(Random(number))
        found = DoubleDummy(stakes, number & 3).value(position, hands)  # type: ignore[arg-type]
        assert found == by_trying_everything(position, hands, stakes, number & 3), number


def test_asked_of_several_cards_in_turn_it_finds_the_same_as_asked_of_one() -> None:
    rng = Random(32)
    for number in range(60):
        position, hands = ending(rng)
        stakes = AnyWorth(Random(number))
        asked = DoubleDummy(stakes, number & 3)  # type: ignore[arg-type]
        for place in places(legal(position, hands[on_turn(position)])):
            after = played(position, hands, place)
            assert asked.value(*after) == by_trying_everything(*after, stakes, number & 3), number


def endings(left: int) -> Iterator[tuple[Table, Hands]]:
    """Tables of random games with so many tricks left, and the hands as they really are."""
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


def trials(left: int) -> Iterator[tuple[float, float, float]]:
    """What a card is worth to the expert, by the policy, and to who sees all hands."""
    for table, hands in endings(left):
        assert table.turn is not None
        view = view_for(table.turn, table)
        sight = see(view)
        stakes = Stakes(view, sight.position.bids)
        trial = Trial(sight, stakes, hands, Random(1))
        for place in sight.different():
            after, rest = played(trial.position, hands, place)
            best = DoubleDummy(stakes, sight.me).value(after, rest)
            yield trial.value(place), stakes.value(play_out(after, rest, trial.dice, parameters.NOISE)), best


@pytest.mark.parametrize("left", [4, 3, 2])
def test_in_the_last_four_tricks_the_search_is_half_of_a_cards_value(left: int) -> None:
    found = list(trials(left))
    assert all(value == (by_policy + best) / 2 for value, by_policy, best in found)
    assert any(by_policy != best for _, by_policy, best in found), "no ending told the two apart"


def test_before_them_it_does_not_count() -> None:
    assert all(value == by_policy for value, by_policy, _ in islice(trials(5), 20))
