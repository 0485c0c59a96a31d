"""The swap: a hand played over with cards dealt otherwise that one seat never saw, and that seat's choices compared.

A bot that looks at nothing but its view and its stream cannot tell the
difference. The other bots are asked again too, with what they would hold then,
so that nothing they could have left behind for their partner is about the true cards.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from arena.known import bits_of, shown_to_lack
from arena.play import Choice, Seated, after, chosen
from arena.tally import Tally
from spades_core.evolve import current_hand
from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Table
from spades_core.views import SeatView, view_for

SWAPS = 120


@dataclass(frozen=True, slots=True)
class Step:
    """A choice, and the table and the view before it."""

    table: Table
    view: SeatView
    choice: Choice


def decides_by_unseen_cards(
    dealt: Table, steps: list[Step], seated: Seated, rng: Random
) -> Iterator[tuple[Step, bool]]:
    """Every choice of a seat up to some step, both drawn, and whether it is another when the hand is dealt otherwise.

    `seated` has the streams of chance as they were when the hand was dealt.
    """
    table, ignored = dealt, Tally()
    while table == dealt:  # as at the end of a hand, where nothing is left to be swapped
        until = rng.randrange(len(steps))
        seat = steps[until].view.you
        assert seat is not None
        table = otherwise(dealt, steps[until], seat, rng)
    for step in steps[: until + 1]:
        turn = table.turn
        assert turn is not None
        view = view_for(turn, table)
        choice = chosen(view, turn, seated, ignored)
        if turn == seat:
            assert view == step.view
            yield step, choice != step.choice
        table = after(table, turn, step.choice)


def otherwise(dealt: Table, step: Step, seat: Seat, rng: Random) -> Table:
    """The table as dealt, but what others hold at `step` changed hands, as far as `seat` cannot know better."""
    held = list(_swapped(step, seat, rng))
    before, now = current_hand(dealt), current_hand(step.table)
    for other in SEATS:
        held[other] |= before.held[other] & ~now.held[other]  # what it has played since
    hand = replace(before, held=(held[0], held[1], held[2], held[3]))
    assert dealt.game is not None
    return replace(dealt, game=replace(dealt.game, hand=hand))


def _swapped(step: Step, seat: Seat, rng: Random) -> BySeat[int]:
    """From the true cards, many single swaps between two others that both may hold what they get."""
    held, lacks = list(current_hand(step.table).held), shown_to_lack(step.view)
    others = [other for other in SEATS if other != seat]
    bits = {other: bits_of(held[other]) for other in others}
    for _ in range(SWAPS):
        one, other = rng.sample(others, 2)
        if not bits[one] or not bits[other]:
            continue
        first, second = rng.randrange(len(bits[one])), rng.randrange(len(bits[other]))
        given, got = bits[one][first], bits[other][second]
        if not given & lacks[other] and not got & lacks[one]:
            bits[one][first], bits[other][second] = got, given
    for other in others:
        held[other] = sum(bits[other])
    return held[0], held[1], held[2], held[3]
