"""Inferences from a view are true, and redealt hands are consistent with what the seat has known."""

from random import Random

from arena.blunders.hidden_cards import Step, redeal
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
    """Return a deal and every decision of four medium bots in it."""
    dealt, steps = deal(opening_table(Match("", "", "test"), number), Random(number)), []

    def remember(table: Table, view: SeatView, decision: Decision) -> None:
        steps.append(Step(table, view, decision))

    players = (load_player("medium"),) * 4
    play_hand(dealt, Lineup(number, False, players, seat_rngs("test", number), Random(1)), Stats(), remember)
    return dealt, steps


def test_inferences_are_true() -> None:
    proven = sure = holding = 0
    for number in range(40):
        for step in steps_of(number)[1]:
            if step.view.phase != "playing":
                continue
            known, held = infer(step.view), current_hand(step.table).held
            others = [seat for seat in SEATS if seat != known.seat]
            assert known.held == held[known.seat]
            assert known.unseen == sum(held[seat] for seat in others)
            for seat in others:
                assert not held[seat] & known.excluded[seat]
                proven += bool(known.excluded[seat] & known.unseen)
            for bit in bits_of(known.sure_winners):
                suit = STANDARD.follow_mask[STANDARD.cards[bit.bit_length() - 1]]
                assert not any(held[seat] & suit & -bit for seat in others)
                sure += 1
            for bit in bits_of(known.legal) if step.view.trick else ():
                trick = (*step.view.trick.cards, STANDARD.cards[bit.bit_length() - 1]) if step.view.trick else ()
                ahead = winning_seat(STANDARD, current_hand(step.table).leader, trick) == known.seat
                assert ahead == bool(bit & known.winners)
                if ahead:
                    holding += known.holds(bit)
                    assert known.holds(bit) or not known.plays_last
    assert min(proven, sure, holding) > 500


def test_redealt_hand_is_legal_and_looks_the_same_to_the_seat() -> None:
    rng, changed = Random(8), 0
    for number in range(40):
        dealt, steps = steps_of(number)
        last = rng.randrange(len(steps))
        seat = steps[last].view.you
        assert seat is not None
        table = redeal(dealt, steps[last], seat, rng)
        held, true = current_hand(table).held, current_hand(dealt).held
        assert sum(held) == sum(true) == STANDARD.mask_of(STANDARD.cards)
        assert {cards.bit_count() for cards in held} == {13}
        changed += held != true
        for step in steps[: last + 1]:
            turn = table.turn
            assert turn is not None
            view = view_for(turn, table)
            assert turn != seat or view == step.view
            assert legal(view, step.decision) == step.decision
            table = apply_decision(table, turn, step.decision)
    assert changed > 30
