"""The hidden card test: a hand is replayed with cards redealt that one seat never saw, and its decisions are compared.

A bot that uses only its view and its random stream cannot tell the difference. The other
bots are asked again as well, with the cards they then hold, so that nothing they may have
left behind for their partner is about the true cards.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from arena.blunders.inference import bits_of, excluded_cards
from arena.play import Lineup, apply_decision, choose
from arena.stats import Stats
from spades_core.bots.decisions import Decision
from spades_core.evolve import current_hand
from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Table
from spades_core.views import SeatView, view_for

SWAPS = 120


@dataclass(frozen=True, slots=True)
class Step:
    """A decision, and the table and the view before it."""

    table: Table
    view: SeatView
    decision: Decision


def compare_decisions(dealt: Table, steps: list[Step], lineup: Lineup, rng: Random) -> Iterator[tuple[Step, bool]]:
    """Yield the decisions of a random seat up to a random step, and whether each differs after the redeal.

    `lineup` has the random streams as they were when the hand was dealt.
    """
    table, ignored = dealt, Stats()
    while table == dealt:  # near the end of a hand there may be nothing to swap
        last = rng.randrange(len(steps))
        seat = steps[last].view.you
        assert seat is not None
        table = redeal(dealt, steps[last], seat, rng)
    for step in steps[: last + 1]:
        turn = table.turn
        assert turn is not None
        view = view_for(turn, table)
        decision = choose(view, turn, lineup, ignored)
        if turn == seat:
            assert view == step.view
            yield step, decision != step.decision
        table = apply_decision(table, turn, step.decision)


def redeal(dealt: Table, step: Step, seat: Seat, rng: Random) -> Table:
    """Return the table as dealt, but with the cards the others hold at `step` swapped as far as `seat` cannot know."""
    held = list(_swap_cards(step, seat, rng))
    before, now = current_hand(dealt), current_hand(step.table)
    for other in SEATS:
        held[other] |= before.held[other] & ~now.held[other]  # cards played since the deal
    hand = replace(before, held=(held[0], held[1], held[2], held[3]))
    assert dealt.game is not None
    return replace(dealt, game=replace(dealt.game, hand=hand))


def _swap_cards(step: Step, seat: Seat, rng: Random) -> BySeat[int]:
    """Apply random swaps of a card between two other seats, each of which may hold the card it gets."""
    held, excluded = list(current_hand(step.table).held), excluded_cards(step.view)
    others = [other for other in SEATS if other != seat]
    bits = {other: bits_of(held[other]) for other in others}
    for _ in range(SWAPS):
        first, second = rng.sample(others, 2)
        if not bits[first] or not bits[second]:
            continue
        i, j = rng.randrange(len(bits[first])), rng.randrange(len(bits[second]))
        given, taken = bits[first][i], bits[second][j]
        if not given & excluded[second] and not taken & excluded[first]:
            bits[first][i], bits[second][j] = taken, given
    for other in others:
        held[other] = sum(bits[other])
    return held[0], held[1], held[2], held[3]
