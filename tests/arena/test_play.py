"""Hands in the arena are the game: every choice is one that decide takes, every view the one that a seat is given."""

from itertools import combinations, product
from random import Random

import pytest

from arena.match import Match, opening_table
from arena.play import Lineup, play_hand
from arena.players import RandomBot, load_player
from arena.sampling import HAND_LIMITS, TARGETS, deal, draw_rules, draw_scores, seat_rngs
from arena.stats import Stats
from spades_core.bots.decisions import Decision
from spades_core.commands import PassCards, PlaceBid, PlayCard
from spades_core.decide import decide
from spades_core.evolve import evolve_all
from spades_core.ruleset import SWITCHES
from spades_core.scoring import game_end
from spades_core.state import Table
from spades_core.views import SeatView, view_for
from tests.spades_core.rule_sets import made

BLIND = "tests.arena.faulty_bots:BidsBlind"


def seated(bot: str, number: int = 0) -> Lineup:
    return Lineup(number, False, (load_player(bot),) * 4, seat_rngs("test", number), Random(number))


def test_every_choice_and_its_view_are_those_of_the_core_whatever_the_rules_and_scores() -> None:
    match, kinds = Match("random", "random", "test", rules=None, drawn_scores=True), set()
    for number in range(150):
        expected = [deal(opening_table(match, number), Random(number))]

        def watch(table: Table, view: SeatView, choice: Decision, expected: list[Table] = expected) -> None:
            seat = table.turn
            assert seat is not None
            assert view == view_for(seat, table)
            kinds.add("bid" if view.legal_bids else "pass" if view.to_pass else "card")
            match choice:
                case int():
                    events = decide(table, PlaceBid(seat, choice))
                case tuple():
                    events = decide(table, PassCards(seat, choice))
                case _:
                    events = decide(table, PlayCard(seat, choice))
            assert table == expected[-1] or not view.trick
            expected.append(evolve_all(table, events))

        tally = Stats()
        apply_decision = play_hand(expected[0], seated(BLIND, number), tally, watch)
        assert apply_decision == expected[-1]
        assert not tally.faults
    assert kinds == {"bid", "pass", "card"}


@pytest.mark.parametrize(
    ("bot", "what", "text"),
    [
        ("Cheater", "illegal", ("14", "ZZ", "None", "7")),
        ("Stumbler", "exception", ("ZeroDivisionError: on the sixth trick (planted.py:",)),
        ("Leaver", "exception", ("SystemExit: on the sixth trick (planted.py:",)),
        ("Speechless", "exception", ("Unspeakable: it cannot say what (planted.py:",)),
    ],
)
def test_what_cannot_be_carried_out_is_counted_and_named_and_the_hand_goes_on(
    bot: str, what: str, text: tuple[str, ...]
) -> None:
    tally = Stats()
    name = f"tests.arena.faulty_bots:{bot}"
    for number in range(20):
        table = deal(opening_table(Match("", "", "test"), number), Random(number))
        assert play_hand(table, seated(name, number), tally).phase in ("scored", "over")
    assert tally.faults[name, what] >= 20
    assert tally.faults.total() == tally.faults[name, what]
    assert {fault.what for fault in tally.named} == {what}
    for fault in tally.named:
        assert any(part in fault.text for part in text)


def test_the_random_bot_bids_modestly_where_it_may() -> None:
    rng, bids = Random(3), []
    for number in range(40):
        table = deal(opening_table(Match("", "", "test"), number), rng)
        turn = table.turn
        assert turn is not None
        bids.append(RandomBot().choose_bid(view_for(turn, table), rng))
    assert set(bids) == {1, 2, 3, 4}


def test_drawn_rules_have_every_two_switches_as_they_can_be_together() -> None:
    rng = Random(5)
    drawn = [draw_rules(rng) for _ in range(2000)]
    for (one, some), (other, others) in combinations(
        {**SWITCHES, "target": TARGETS, "hand_limit": HAND_LIMITS}.items(), 2
    ):
        seen = {(getattr(rules, one), getattr(rules, other)) for rules in drawn}
        for first, second in product(some, others):
            assert (first, second) in seen or made(**{one: first, other: second}) is None


def test_drawn_scores_are_those_of_a_game_that_goes_on() -> None:
    rng, scores = Random(6), []
    for _ in range(2000):
        rules = draw_rules(rng)
        drawn, _bags = draw_scores(rules, rng)
        assert game_end(rules, drawn, 0) is None
        scores += drawn
    assert min(scores) < -300
    assert max(scores) > 900
