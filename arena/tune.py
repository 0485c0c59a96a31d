"""`make tune`: finds by self-play what cards are worth and how safe a lead is, and writes it down for the bots.

Everybody plays the policy of rollouts, some ten thousand hands a minute. Seeds are words,
never the numbers of reports: the same command writes the same files, as long as the policy
and the parameters are the same. A lead is judged in games of bots that bid by the tables, so
`cards` comes before `leads`. `knob` changes nothing; it tells what other values would bring.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from types import ModuleType

from arena.fitting import Feature, Rows, least_squares, logistic
from spades_core.bots.engine import bid_policy
from spades_core.bots.engine.auction import Auction
from spades_core.bots.engine.position import Position, places_of
from spades_core.bots.engine.rollout import play_out
from spades_core.bots.engine.utility import NO_SHEET, ending
from spades_core.bots.weights import parameters, trick_weights, win_weights
from spades_core.deck import STANDARD
from spades_core.ruleset import CLASSIC
from spades_core.scoring import game_end, score_side
from spades_core.seats import SIDES, Side, seats_of

SIZES = places_of(CLASSIC).full
NIL_TRICKS = 3.2
"""A nil is tried on hands that expect no more tricks than this and lack the ace of spades."""
LONGEST = 8
HOPELESS = -6.0
State = tuple[float, int, bool]
"""Between two hands: the lead of side 0 with what its bags will cost, what the leader lacks, whether side 0 won."""


@dataclass(frozen=True)
class Tried:
    """Another value of a knob, for one side."""

    knob: str
    value: float
    side: Side


def deals(seed: str, count: int) -> Iterator[list[list[int]]]:
    """Four hands by suit, so many times."""
    rng, deck = Random(seed), places_of(CLASSIC)
    for _ in range(count):
        cards = sorted(STANDARD.cards, key=lambda _: rng.random())
        yield [deck.by_suit(cards[first : first + 13]) for first in (0, 13, 26, 39)]


def tricks_of_hands(count: int) -> Rows:
    """What each hand takes when everybody takes what they can."""
    rows = Rows()
    for number, hands in enumerate(deals("tune tricks", count)):
        position = Position(CLASSIC, [4, 4, 4, 4], number & 3)
        position.bags_free = True
        position.set_modes()
        taken = play_out(position, [held[:] for held in hands])
        for held, won in zip(hands, taken, strict=True):
            rows.add(_of_tricks(held), won)
    return rows


def _of_tricks(held: list[int]) -> list[Feature]:
    """What about a hand decides how many tricks it takes."""
    short, second, _ = sorted(min(held[suit].bit_count(), 3) for suit in range(3))
    features: list[Feature] = [("side", held[suit] >> 9, min(held[suit].bit_count(), 7)) for suit in range(3)]
    features.append(("spades", held[3] >> 9, min(held[3].bit_count(), LONGEST)))
    features.append(("ruffs", min(held[3].bit_count(), 6), short, second))
    return features


def nils_of_hands(count: int, tricks: dict[Feature, float]) -> Rows:
    """Whether a nil on a hand is kept when the others bid what they expect by `tricks`."""
    rows = Rows()
    for number, hands in enumerate(deals("tune nils", count)):
        worth = [sum(tricks.get(feature, 0.0) for feature in _of_tricks(held)) for held in hands]
        for seat, held in enumerate(hands):
            if worth[seat] > NIL_TRICKS or held[3] >> 12:
                continue
            all_bids = [max(1, int(each + parameters.BOLDNESS)) for each in worth]
            all_bids[seat] = 0
            taken = play_out(Position(CLASSIC, all_bids, number & 3), [other[:] for other in hands])
            rows.add([*_of_nils(held), *[("partner",)] * max(0, all_bids[seat ^ 2] - 3)], taken[seat] == 0)
    return rows


def _of_nils(held: list[int]) -> list[Feature]:
    """What about a hand decides whether its nil is kept."""
    low: list[Feature] = [("side", place, rank) for suit in range(3) for place, rank in enumerate(_ranks(held[suit]))]
    high = [("spades", place, rank) for place, rank in enumerate(_ranks(held[3], from_top=True))]
    return [*low, *high, ("base",)]


def _ranks(cards: int, *, from_top: bool = False) -> list[int]:
    """Of the four lowest or highest cards, 1 for a two; 0 when there is none."""
    ranks = [rank for rank in range(1, 14) if cards >> rank - 1 & 1]
    return [*(reversed(ranks) if from_top else ranks), 0, 0, 0, 0][:4]


def states_of_games(count: int) -> list[State]:
    """Whole games of `hard` bids and the policy's play."""
    states: list[State] = []
    order = deals("tune games", count * CLASSIC.hand_limit)
    for number in range(count):
        scores, bags, hand, end, seen = [0, 0], [0, 0], 0, None, []
        while end is None:
            _play_hand(next(order), number + hand & 3, scores, bags)
            hand += 1
            end = game_end(CLASSIC, (scores[0], scores[1]), hand)
            lead = scores[0] - scores[1] - (bags[0] - bags[1]) * CLASSIC.bag_penalty / (CLASSIC.bag_limit or 1)
            seen.append((lead, CLASSIC.target - max(scores)))
        states += [(lead, lacking, end.winner == SIDES[0]) for lead, lacking in seen[:-1]]
    return states


def _bid_out(hands: list[list[int]], dealer: int, scores: list[int], tried: Tried | None = None) -> list[int]:
    """Four bids of `hard`, one side's with another value of a knob."""
    made: list[int | None] = [None] * 4
    for step in (1, 2, 3, 4):
        seat = dealer + step & 3
        side = seat & 1
        opponents = made[seat + 1 & 3], made[seat + 3 & 3]
        auction = Auction(CLASSIC, made[seat ^ 2], opponents, scores[side], scores[1 - side])
        usual = getattr(parameters, tried.knob) if tried else None
        if tried and tried.side == side:
            setattr(parameters, tried.knob, tried.value)
        made[seat] = bid_policy.bid(auction, tuple(range(14)), hands[seat], SIZES)
        if tried:
            setattr(parameters, tried.knob, usual)
    return [each or 0 for each in made]


def gain(knob: str, value: float, count: int) -> tuple[float, float]:
    """Points a hand that a side wins by another value of a knob of bidding, in duplicate, and half the 95 % range."""
    gains = []
    for number, hands in enumerate(deals("tune parameters", count)):
        pair = 0.0
        for side in SIDES:
            bid = _bid_out(hands, number & 3, [0, 0], Tried(knob, value, side))
            taken = play_out(Position(CLASSIC, bid, number + 1 & 3), [held[:] for held in hands])
            ours, theirs = (_points(bid, taken, each) for each in (side, SIDES[1 - side]))
            pair += (ours - theirs) / 2
        gains.append(pair)
    mean = sum(gains) / count
    return mean, 1.96 * sqrt(sum((each - mean) ** 2 for each in gains)) / count


def _points(bid: list[int], taken: list[int], side: Side) -> float:
    """With each bag at what it costs in the long run."""
    one, other = seats_of(side)
    return ending(CLASSIC, (bid[one], bid[other]), (taken[one], taken[other]), (False, False), NO_SHEET)[0]


def _play_hand(hands: list[list[int]], dealer: int, scores: list[int], bags: list[int]) -> None:
    """One hand of a game: bid, played, and written on the sheet."""
    bid = _bid_out(hands, dealer, scores)
    taken = play_out(Position(CLASSIC, bid, dealer + 1 & 3), hands)
    for side in SIDES:
        seats = seats_of(side)
        one, other = seats
        promised, won = (bid[one], bid[other]), (taken[one], taken[other])
        result = score_side(CLASSIC, seats, promised, won, score=scores[side], bags=bags[side])
        scores[side], bags[side] = result.score, result.bags


def loss(states: list[State], points_a_hand: float, swing: float) -> float:
    """How badly a lead foretells the winner with these parameters, in nats a state."""
    total = 0.0
    for lead, lacking, won in states:
        chance = 1 / (1 + exp(-lead / (swing * sqrt(max(1.0, lacking / points_a_hand)))))
        total -= log(max(1e-9, chance if won else 1 - chance))
    return total / len(states)


def text_of_tables(hands: int) -> str:
    """The module that the bots read."""
    tricks = least_squares(tricks_of_hands(hands))
    nils = logistic(nils_of_hands(hands, tricks))
    side = [_filled([tricks.get(("side", honours, n)) for n in range(8)]) for honours in range(16)]
    spades = [_filled([tricks.get(("spades", honours, n)) for n in range(LONGEST + 1)]) for honours in range(16)]
    ruffs = [
        [_filled([tricks.get(("ruffs", length, short, second)) for second in range(4)]) for short in range(4)]
        for length in range(7)
    ]
    low = [_filled([nils.get(("side", place, rank)) for rank in range(14)]) for place in range(4)]
    high = [_filled([nils.get(("spades", place, rank)) for rank in range(14)]) for place in range(4)]
    for row in high:
        row[13] = HOPELESS  # the ace of spades
    return "\n".join(
        [
            f'"""What cards are worth: written by `make tune` from {hands} deals of self-play, not by hand."""\n',
            _table("SIDE", side, "Tricks of a side suit by ace, king, queen and jack as bits, then by its length."),
            _table("SPADES", spades, "The same of spades."),
            _table("RUFFS", ruffs, "Tricks by ruffs: by spades, then by the lengths of the two shortest side suits."),
            _table("NIL_SIDE", low, "For a nil, in logits: the four lowest cards of a side suit by rank, 0 for none."),
            _table("NIL_SPADES", high, "The same of the four highest spades."),
            f"NIL_PARTNER = {nils[('partner',)]:.3f}",
            f"NIL_BASE = {nils[('base',)]:.3f}\n",
        ]
    )


def _filled(row: list[float | None]) -> list[float]:
    """What was never seen is as its nearest neighbour in the row."""
    known = [place for place, value in enumerate(row) if value is not None]
    if not known:
        return [0.0] * len(row)
    return [row[min(known, key=lambda other: abs(other - place))] or 0.0 for place in range(len(row))]


def _table(name: str, rows: list[list[float]] | list[list[list[float]]], meaning: str) -> str:
    lines = "\n".join(f"    {_shown(row)}," for row in rows)
    return f'{name} = (\n{lines}\n)\n"""{meaning}"""'


def _shown(row: object) -> str:
    if isinstance(row, list):
        return f"({', '.join(map(_shown, row))})"
    return f"{row:.2f}"


def text_of_margins(games: int) -> str:
    """The module that tells how safe a lead is: of some values those by which it foretells the winner best."""
    states = states_of_games(games)
    pairs = [(pace, swing) for pace in range(40, 201, 20) for swing in range(30, 111, 5)]
    pace, swing = min(pairs, key=lambda pair: loss(states, *pair))
    return f'''"""How safe a lead is: written by `make tune` from {games} games of self-play, not by hand."""

POINTS_A_HAND = {pace}
"""How fast the leader of a game comes nearer to its target."""
SWING = {swing}
"""By how many points a lead over one more hand is e times as likely to hold as not; with the root of the hands."""
'''


def _write(module: ModuleType, text: str) -> None:
    assert module.__file__ is not None
    Path(module.__file__).write_text(text, "utf-8")
    sys.stdout.write(f"written: {module.__file__}\n")


def main() -> None:
    words = argparse.ArgumentParser(prog="tune", description=__doc__)
    step = words.add_subparsers(dest="step", required=True)
    cards = step.add_parser("cards", help="what cards are worth: trick_weights.py")
    cards.add_argument("--hands", type=int, default=60_000)
    leads = step.add_parser("leads", help="how safe a lead is: win_weights.py")
    leads.add_argument("--games", type=int, default=2_000)
    knob = step.add_parser("knob", help="what other values of a knob of bidding would bring")
    knob.add_argument("name")
    knob.add_argument("values", type=float, nargs="+")
    knob.add_argument("--deals", type=int, default=4_000)
    asked = words.parse_args()
    match asked.step:
        case "cards":
            _write(trick_weights, text_of_tables(asked.hands))
        case "leads":
            _write(win_weights, text_of_margins(asked.games))
        case _:
            for value in asked.values:
                mean, half = gain(asked.name, value, asked.deals)
                sys.stdout.write(f"{asked.name} = {value:g}: {mean:+.2f} ± {half:.2f} points a hand\n")


if __name__ == "__main__":
    main()
