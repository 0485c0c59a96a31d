"""What the judge of the nevers reads off a view is true, and the swap makes worlds that could be."""

from random import Random

from arena.blunders.hidden_card_test import Step, redeal
from arena.blunders.inference import bits_of, infer
from arena.match import Match, opening_table
from arena.play import Lineup, apply_decision, legal, play_hand
from arena.players import load_player
from arena.sampling import deal, seat_rngs
from arena.stats import Stats
from spades_core.bots.decisions import Decision
from spades_core.deck import STANDARD
from spades_core.evolve import current_hand
from spades_core.legal import winning_seat
from spades_core.seats import SEATS
from spades_core.state import Table
from spades_core.views import SeatView, view_for


def steps_of(number: int) -> tuple[Table, list[Step]]:
    """A hand of four medium bots, choice by choice."""
    dealt, steps = deal(opening_table(Match("", "", "test"), number), Random(number)), []

    def watch(table: Table, view: SeatView, choice: Decision) -> None:
        steps.append(Step(table, view, choice))

    players = (load_player("medium"),) * 4
    play_hand(dealt, Lineup(number, False, players, seat_rngs("test", number), Random(1)), Stats(), watch)
    return dealt, steps


def test_what_is_known_is_true() -> None:
    proven = sure = holding = 0
    for number in range(40):
        for step in steps_of(number)[1]:
            if step.view.phase != "playing":
                continue
            seen, held = infer(step.view), current_hand(step.table).held
            others = [seat for seat in SEATS if seat != seen.me]
            assert seen.held == held[seen.me]
            assert seen.out == sum(held[seat] for seat in others)
            for seat in others:
                assert not held[seat] & seen.lacks[seat]
                proven += bool(seen.lacks[seat] & seen.out)
            for bit in bits_of(seen.sure_winners):
                suit = STANDARD.follow_mask[STANDARD.cards[bit.bit_length() - 1]]
                assert not any(held[seat] & suit & -bit for seat in others)
                sure += 1
            for bit in bits_of(seen.legal) if step.view.trick else ():
                trick = (*step.view.trick.cards, STANDARD.cards[bit.bit_length() - 1]) if step.view.trick else ()
                ahead = winning_seat(STANDARD, current_hand(step.table).leader, trick) == seen.me
                assert ahead == bool(bit & seen.winners)
                if ahead:
                    holding += seen.holds(bit)
                    assert seen.holds(bit) or not seen.last
    assert min(proven, sure, holding) > 500


def test_a_swapped_hand_is_played_by_the_rules_and_looks_the_same_to_who_sees_it() -> None:
    rng, swapped = Random(8), 0
    for number in range(40):
        dealt, steps = steps_of(number)
        until = rng.randrange(len(steps))
        seat = steps[until].view.you
        assert seat is not None
        table = redeal(dealt, steps[until], seat, rng)
        held, true = current_hand(table).held, current_hand(dealt).held
        assert sum(held) == sum(true) == STANDARD.mask_of(STANDARD.cards)
        assert {cards.bit_count() for cards in held} == {13}
        swapped += held != true
        for step in steps[: until + 1]:
            turn = table.turn
            assert turn is not None
            view = view_for(turn, table)
            assert turn != seat or view == step.view
            assert legal(view, step.choice) == step.choice
            table = apply_decision(table, turn, step.choice)
    assert swapped > 30
