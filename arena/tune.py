"""`make tune`: fits hand values and win probabilities to self-play and writes them as modules of the bots.

All seats play the rollout policy, some ten thousand hands per minute. Seeds are words, so
they differ from those of reports; the same command writes the same files until the policy or
a parameter changes. `win-weights` bids by the weights that `trick-weights` writes, so it comes second.
`parameter` writes nothing: it measures other values of a bidding parameter.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from types import ModuleType

from arena.regression import Dataset, Feature, least_squares, logistic_regression
from arena.stats import Estimate, estimate, format_estimate
from spades_core.bots.engine.auction import Auction
from spades_core.bots.engine.bid_policy import policy_bid
from spades_core.bots.engine.position import Position, deck_bits
from spades_core.bots.engine.rollout import play_out
from spades_core.bots.engine.utility import NO_SCORE, side_outcome
from spades_core.bots.weights import parameters, trick_weights, win_weights
from spades_core.deck import STANDARD
from spades_core.ruleset import CLASSIC
from spades_core.scoring import game_end, score_side
from spades_core.seats import SIDES, Side, seats_of

SUIT_SIZES = deck_bits(CLASSIC).suit_sizes
MAX_NIL_TRICKS = 3.2
"""A nil is tried on hands that expect at most so many tricks and lack the ace of spades."""
MAX_SPADES = 8
HOPELESS = -6.0
"""The logit of a nil with the ace of spades."""
State = tuple[float, int, bool]
"""Between two hands: the lead of side 0 less the cost of its bags, the points the leader lacks, whether side 0 won."""


@dataclass(frozen=True)
class Override:
    """A value of a bidding parameter for one side."""

    parameter: str
    value: float
    side: Side


def deals(seed: str, count: int) -> Iterator[list[list[int]]]:
    """Yield so many deals: four hands, each as a mask per suit."""
    rng, deck = Random(seed), deck_bits(CLASSIC)
    for _ in range(count):
        cards = sorted(STANDARD.cards, key=lambda _: rng.random())
        yield [deck.masks_of(cards[first : first + 13]) for first in (0, 13, 26, 39)]


def trick_data(count: int) -> Dataset:
    """Return the tricks each hand takes when all seats take what they can."""
    data = Dataset()
    for number, hands in enumerate(deals("tune tricks", count)):
        position = Position(CLASSIC, [4, 4, 4, 4], number & 3)
        position.bags_free = True
        position.set_goals()
        taken = play_out(position, [held[:] for held in hands])
        for held, tricks in zip(hands, taken, strict=True):
            data.add(_trick_features(held), tricks)
    return data


def _trick_features(held: list[int]) -> list[Feature]:
    short, second, _ = sorted(min(held[suit].bit_count(), 3) for suit in range(3))
    features: list[Feature] = [("side", held[suit] >> 9, min(held[suit].bit_count(), 7)) for suit in range(3)]
    features.append(("spades", held[3] >> 9, min(held[3].bit_count(), MAX_SPADES)))
    features.append(("ruffs", min(held[3].bit_count(), 6), short, second))
    return features


def nil_data(count: int, weights: dict[Feature, float]) -> Dataset:
    """Return whether a nil is made when the other seats bid the tricks they expect."""
    data = Dataset()
    for number, hands in enumerate(deals("tune nils", count)):
        expected = [sum(weights.get(feature, 0.0) for feature in _trick_features(held)) for held in hands]
        for seat, held in enumerate(hands):
            if expected[seat] > MAX_NIL_TRICKS or held[3] >> 12:
                continue
            all_bids = [max(1, int(tricks + parameters.BOLDNESS)) for tricks in expected]
            all_bids[seat] = 0
            taken = play_out(Position(CLASSIC, all_bids, number & 3), [other[:] for other in hands])
            data.add([*_nil_features(held), *[("partner",)] * max(0, all_bids[seat ^ 2] - 3)], taken[seat] == 0)
    return data


def _nil_features(held: list[int]) -> list[Feature]:
    low: list[Feature] = [("side", index, rank) for suit in range(3) for index, rank in enumerate(_ranks(held[suit]))]
    high = [("spades", index, rank) for index, rank in enumerate(_ranks(held[3], from_top=True))]
    return [*low, *high, ("base",)]


def _ranks(cards: int, *, from_top: bool = False) -> list[int]:
    """Return the ranks of the four lowest or highest cards, 1 for a two, padded with 0."""
    ranks = [rank for rank in range(1, 14) if cards >> rank - 1 & 1]
    return [*(reversed(ranks) if from_top else ranks), 0, 0, 0, 0][:4]


def game_states(count: int) -> list[State]:
    """Play whole games with the bids of `hard` and the rollout policy."""
    states: list[State] = []
    hands_of_games = deals("tune games", count * CLASSIC.hand_limit)
    for number in range(count):
        scores, bags, hand, outcome, seen = [0, 0], [0, 0], 0, None, []
        while outcome is None:
            _play_hand(next(hands_of_games), number + hand & 3, scores, bags)
            hand += 1
            outcome = game_end(CLASSIC, (scores[0], scores[1]), hand)
            lead = scores[0] - scores[1] - (bags[0] - bags[1]) * CLASSIC.bag_penalty / (CLASSIC.bag_limit or 1)
            seen.append((lead, CLASSIC.target - max(scores)))
        states += [(lead, lacking, outcome.winner == SIDES[0]) for lead, lacking in seen[:-1]]
    return states


def _play_hand(hands: list[list[int]], dealer: int, scores: list[int], bags: list[int]) -> None:
    """Bid and play one hand of a game and update the scores."""
    bids = _bid(hands, dealer, scores)
    taken = play_out(Position(CLASSIC, bids, dealer + 1 & 3), hands)
    for side in SIDES:
        first, second = seats = seats_of(side)
        side_bids, tricks = (bids[first], bids[second]), (taken[first], taken[second])
        result = score_side(CLASSIC, seats, side_bids, tricks, score=scores[side], bags=bags[side])
        scores[side], bags[side] = result.score, result.bags


def _bid(hands: list[list[int]], dealer: int, scores: list[int], override: Override | None = None) -> list[int]:
    """Return four bids of `hard`; a parameter may be overridden for one side."""
    bids: list[int | None] = [None] * 4
    for step in (1, 2, 3, 4):
        seat = dealer + step & 3
        side = seat & 1
        opponents = bids[seat + 1 & 3], bids[seat + 3 & 3]
        auction = Auction(CLASSIC, bids[seat ^ 2], opponents, scores[side], scores[1 - side])
        default = getattr(parameters, override.parameter) if override else None
        if override and override.side == side:
            setattr(parameters, override.parameter, override.value)
        bids[seat] = policy_bid(auction, tuple(range(14)), hands[seat], SUIT_SIZES)
        if override:
            setattr(parameters, override.parameter, default)
    return [bid or 0 for bid in bids]


def parameter_gain(parameter: str, value: float, count: int) -> Estimate | None:
    """Estimate the points per hand that a side gains by another value of a parameter, over duplicate deals."""
    gains = []
    for number, hands in enumerate(deals("tune parameters", count)):
        gain = 0.0
        for side in SIDES:
            bids = _bid(hands, number & 3, [0, 0], Override(parameter, value, side))
            taken = play_out(Position(CLASSIC, bids, number + 1 & 3), [held[:] for held in hands])
            ours, theirs = (_points(bids, taken, each) for each in (side, SIDES[1 - side]))
            gain += (ours - theirs) / 2
        gains.append(gain)
    return estimate(gains)


def _points(bids: list[int], taken: list[int], side: Side) -> float:
    """Return a side's points with each bag at its long-run value."""
    first, second = seats_of(side)
    side_bids, tricks = (bids[first], bids[second]), (taken[first], taken[second])
    return side_outcome(CLASSIC, side_bids, tricks, (False, False), NO_SCORE)[0]


def log_loss(states: list[State], points_per_hand: float, swing: float) -> float:
    """Return how badly the lead predicts the winner, in nats per state."""
    total = 0.0
    for lead, lacking, won in states:
        probability = 1 / (1 + exp(-lead / (swing * sqrt(max(1.0, lacking / points_per_hand)))))
        total -= log(max(1e-9, probability if won else 1 - probability))
    return total / len(states)


def trick_weights_source(hands: int) -> str:
    """Fit the values of cards and return them as the source of `trick_weights`."""
    tricks = least_squares(trick_data(hands))
    nils = logistic_regression(nil_data(hands, tricks))
    side = [_fill([tricks.get(("side", honours, n)) for n in range(8)]) for honours in range(16)]
    spades = [_fill([tricks.get(("spades", honours, n)) for n in range(MAX_SPADES + 1)]) for honours in range(16)]
    ruffs = [
        [_fill([tricks.get(("ruffs", length, short, second)) for second in range(4)]) for short in range(4)]
        for length in range(7)
    ]
    low = [_fill([nils.get(("side", index, rank)) for rank in range(14)]) for index in range(4)]
    high = [_fill([nils.get(("spades", index, rank)) for rank in range(14)]) for index in range(4)]
    for row in high:
        row[13] = HOPELESS
    return "\n".join(
        [
            f'"""Weights of tricks and nils, fitted to {hands} deals of self-play by `make tune`; do not edit."""\n',
            _table(
                "SIDE_SUIT_TRICKS", side, "Tricks of a side suit by its honours (AKQJ as bits), then by its length."
            ),
            _table("SPADE_TRICKS", spades, "Tricks of the spades by the same."),
            _table(
                "RUFF_TRICKS",
                ruffs,
                "Tricks by ruffs: by spades, then by the lengths of the two shortest side suits.",
            ),
            _table(
                "NIL_SIDE_SUIT_LOGITS",
                low,
                "Logits of nil by the four lowest cards of a side suit: rank 1 for a two, 0 for none.",
            ),
            _table("NIL_SPADE_LOGITS", high, "The same by the four highest spades."),
            f"NIL_PARTNER_LOGIT = {nils[('partner',)]:.3f}",
            '"""Logit of nil for each trick that the partner bids above three."""',
            f"NIL_BASE_LOGIT = {nils[('base',)]:.3f}",
            '"""Logit of nil of every hand."""\n',
        ]
    )


def _fill(row: list[float | None]) -> list[float]:
    """Replace missing values by their nearest neighbours in the row."""
    known = [index for index, value in enumerate(row) if value is not None]
    if not known:
        return [0.0] * len(row)
    return [row[min(known, key=lambda other: abs(other - index))] or 0.0 for index in range(len(row))]


def _table(name: str, rows: list[list[float]] | list[list[list[float]]], docstring: str) -> str:
    lines = "\n".join(f"    {_format(row)}," for row in rows)
    return f'{name} = (\n{lines}\n)\n"""{docstring}"""'


def _format(row: object) -> str:
    return f"({', '.join(map(_format, row))})" if isinstance(row, list) else f"{row:.2f}"


def win_weights_source(games: int) -> str:
    """Find the values by which a lead predicts the winner best and return them as the source of `win_weights`."""
    states = game_states(games)
    pairs = [(points, swing) for points in range(40, 201, 20) for swing in range(30, 111, 5)]
    points, swing = min(pairs, key=lambda pair: log_loss(states, *pair))
    return f'''"""Weights of a lead, fitted to {games} games of self-play by `make tune`; do not edit."""

POINTS_PER_HAND = {points}
"""Points by which the leader of a game comes nearer to the target in a hand."""
LEAD_SCALE = {swing}
"""Lead in points worth one logit of winning with a hand to come; it grows with the square root of the hands."""
'''


def _write(module: ModuleType, source: str) -> None:
    assert module.__file__ is not None
    Path(module.__file__).write_text(source, "utf-8")
    print(f"written: {module.__file__}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="tune", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    tricks = commands.add_parser("trick-weights", help="fit the values of cards")
    tricks.add_argument("--hands", type=int, default=60_000)
    wins = commands.add_parser("win-weights", help="fit how safe a lead is")
    wins.add_argument("--games", type=int, default=2_000)
    parameter = commands.add_parser("parameter", help="measure other values of a bidding parameter")
    parameter.add_argument("name")
    parameter.add_argument("values", type=float, nargs="+")
    parameter.add_argument("--deals", type=int, default=4_000)
    options = parser.parse_args()
    match options.command:
        case "trick-weights":
            _write(trick_weights, trick_weights_source(options.hands))
        case "win-weights":
            _write(win_weights, win_weights_source(options.games))
        case _:
            for value in options.values:
                gain = parameter_gain(options.name, value, options.deals)
                print(f"{options.name} = {value:g}: {format_estimate(gain, digits=2)} points per hand")


if __name__ == "__main__":
    main()
