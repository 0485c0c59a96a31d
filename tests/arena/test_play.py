"""Hands in the arena follow the rules of a table: `decide` accepts every decision, and views equal `view_for`."""

from itertools import combinations, product
from random import Random

import pytest

from arena.match import Match, opening_table
from arena.play import Lineup, play_hand
from arena.players import RandomBot, load_player
from arena.sampling import HAND_LIMITS, TARGETS, deal, draw_rules, draw_scores, seat_rngs
from arena.stats import Stats
from spades_core.bots.decisions import Decision
from spades_core.commands import LookAtHand, PassCards, PlaceBid, PlayCard
from spades_core.decide import decide
from spades_core.evolve import evolve_all
from spades_core.ruleset import SWITCHES
from spades_core.scoring import game_end
from spades_core.state import Table
from spades_core.views import SeatView, view_for
from tests.spades_core.rule_sets import made

BLIND = "tests.arena.faulty_bots:BidsBlind"


def lineup(bot: str, number: int = 0) -> Lineup:
    return Lineup(number, False, (load_player(bot),) * 4, seat_rngs("test", number), Random(number))


def test_decisions_and_views_agree_with_the_core_under_any_rules() -> None:
    match, kinds = Match("random", "random", "test", rules=None, drawn_scores=True), set()
    for number in range(150):
        expected = [deal(opening_table(match, number), Random(number))]

        def check(table: Table, view: SeatView, decision: Decision, expected: list[Table] = expected) -> None:
            seat = table.turn
            assert seat is not None
            assert view == view_for(seat, table)
            kinds.add("blind" if view.may_look else "bid" if view.legal_bids else "pass" if view.to_pass else "card")
            match decision:
                case bool():
                    events = decide(table, PlaceBid(seat, 0, blind=True) if decision else LookAtHand(seat))
                case int():
                    events = decide(table, PlaceBid(seat, decision))
                case tuple():
                    events = decide(table, PassCards(seat, decision))
                case _:
                    events = decide(table, PlayCard(seat, decision))
            assert table == expected[-1]
            expected.append(evolve_all(table, events))

        stats = Stats()
        after = play_hand(expected[0], lineup(BLIND, number), stats, check)
        assert after == expected[-1]
        assert not stats.faults
    assert kinds == {"blind", "bid", "pass", "card"}


@pytest.mark.parametrize(
    ("bot", "what", "text"),
    [
        ("Illegal", "illegal", ("14", "ZZ", "None", "7")),
        ("Raises", "exception", ("ZeroDivisionError: in the sixth trick (faulty_bots.py:",)),
        ("Exits", "exception", ("SystemExit: in the sixth trick (faulty_bots.py:",)),
        ("RaisesUnprintable", "exception", ("Unprintable: (no message) (faulty_bots.py:",)),
    ],
)
def test_faults_are_recorded_and_the_hand_continues(bot: str, what: str, text: tuple[str, ...]) -> None:
    stats = Stats()
    name = f"tests.arena.faulty_bots:{bot}"
    for number in range(20):
        table = deal(opening_table(Match("", "", "test"), number), Random(number))
        assert play_hand(table, lineup(name, number), stats).phase in ("scored", "over")
    assert stats.faults[name, what] >= 20
    assert stats.faults.total() == stats.faults[name, what]
    assert {fault.what for fault in stats.fault_examples} == {what}
    for fault in stats.fault_examples:
        assert any(part in fault.text for part in text)


def test_random_bot_bids_one_to_four() -> None:
    rng, bids = Random(3), []
    for number in range(40):
        table = deal(opening_table(Match("", "", "test"), number), rng)
        turn = table.turn
        assert turn is not None
        bids.append(RandomBot().choose_bid(view_for(turn, table), rng))
    assert set(bids) == {1, 2, 3, 4}


def test_drawn_rules_cover_all_valid_pairs_of_settings() -> None:
    rng = Random(5)
    drawn = [draw_rules(rng) for _ in range(2000)]
    settings = {**SWITCHES, "target": TARGETS, "hand_limit": HAND_LIMITS}
    for (one, some), (other, others) in combinations(settings.items(), 2):
        seen = {(getattr(rules, one), getattr(rules, other)) for rules in drawn}
        for first, second in product(some, others):
            assert (first, second) in seen or made(**{one: first, other: second}) is None


def test_drawn_scores_are_of_an_unfinished_game() -> None:
    rng, scores = Random(6), []
    for _ in range(2000):
        rules = draw_rules(rng)
        drawn, _bags = draw_scores(rules, rng)
        assert game_end(rules, drawn, 0) is None
        scores += drawn
    assert min(scores) < -300
    assert max(scores) > 900
