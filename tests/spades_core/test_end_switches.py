"""The switches for the end of a game and for its first dealer."""

import pytest

from spades_core.commands import DealHand, LeaveSeat, StartGame, TakeSeat
from spades_core.events import GameEnded, GameStarted
from spades_core.ruleset import CASUAL
from spades_core.scoring import game_end
from spades_core.seats import SEATS, SIDES
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import PLAYERS, SUIT_EACH, after_hands, play_sweep, seated

OURS, THEIRS = SIDES


def ends(scores, hands: int = 7, **switches):
    ended = game_end(rules_with(**switches), scores, hands)
    return ended and (ended.winner, ended.reason)


@pytest.mark.rule("R120")
@pytest.mark.parametrize("target", [100, 250, 1000])
def test_the_target(target) -> None:
    assert ends((target, 0), target=target) == (OURS, "target")
    assert ends((target, target + 1), target=target) == (THEIRS, "target")
    assert ends((target - 1, 0), target=target) is None
    assert ends((target, target), target=target) is None


@pytest.mark.rule("R121")
@pytest.mark.parametrize("floor", [-200, -300, -500])
def test_the_floor(floor) -> None:
    assert ends((floor, 0), floor=floor) == (THEIRS, "floor")
    assert ends((floor, floor - 1), floor=floor) == (OURS, "floor")
    assert ends((floor + 1, 0), floor=floor) is None
    assert ends((floor, floor), floor=floor) is None


@pytest.mark.rule("R121")
@pytest.mark.parametrize("scores", [(-200, 0), (-5000, 499), (-700, -900)])
def test_without_a_floor_nobody_loses_by_falling(scores) -> None:
    assert ends(scores, floor=None) is None
    assert game_end(CASUAL, scores, 7) is None


@pytest.mark.rule("R122")
@pytest.mark.parametrize(
    ("scores", "ended"),
    [
        ((300, 0), (OURS, "mercy")),
        ((299, 0), None),
        ((-150, 150), (THEIRS, "mercy")),
        ((-150, 149), None),
        ((499, 199), (OURS, "mercy")),
    ],
)
def test_mercy(scores, ended) -> None:
    assert ends(scores, mercy=300) == ended
    assert ends(scores) is None


@pytest.mark.rule("R122")
def test_mercy_at_the_table() -> None:
    scenario = after_hands((240, 67), rules=rules_with(mercy=300))
    assert play_sweep(scenario, 10, 2, 2, 1)[-1] == GameEnded(OURS, "mercy")
    scenario = after_hands((240, 67), rules=rules_with())
    assert play_sweep(scenario, 10, 2, 2, 1)[-1].t == "hand_scored"


@pytest.mark.rule("R123")
@pytest.mark.parametrize("limit", [1, 7, 200])
def test_the_hand_limit(limit) -> None:
    assert ends((10, 20), hands=limit, hand_limit=limit) == (THEIRS, "hand_limit")
    assert ends((20, 20), hands=limit, hand_limit=limit) == (None, "hand_limit")
    assert ends((10, 20), hands=limit - 1, hand_limit=limit) is None


@pytest.mark.rule("R124")
def test_the_reason_if_several_ends_coincide() -> None:
    every = {"floor": -200, "mercy": 300, "hand_limit": 7}
    assert ends((500, -200), **every) == (OURS, "target")
    assert ends((499, -200), **every) == (OURS, "floor")
    assert ends((499, 199), **every) == (OURS, "mercy")
    assert ends((499, 200), **every) == (OURS, "hand_limit")


@pytest.mark.rule("R120", "R123")
def test_equal_winners_play_on_until_the_hand_limit() -> None:
    assert ends((500, 500), hands=6, hand_limit=7, mercy=300) is None
    assert ends((500, 500), hands=7, hand_limit=7, mercy=300) == (None, "hand_limit")


@pytest.mark.rule("R125", "R141")
@pytest.mark.parametrize("drawn", SEATS)
def test_the_host_bids_and_leads_first_and_then_the_next_seat(drawn) -> None:
    scenario = seated(CASUAL)
    assert scenario.do(StartGame(SEATS[0], drawn)) == (GameStarted(SEATS[3]),)
    leaders = []
    for _ in range(5):
        scenario.do(DealHand(SUIT_EACH))
        assert scenario.table.turn == (scenario.hand.dealer + 1) % 4
        scenario.bid(1, 1, 1, 1)
        leaders.append(scenario.table.turn)
        scenario.play_out()
    assert leaders == [0, 1, 2, 3, 0]


@pytest.mark.rule("R125")
def test_the_host_is_whoever_is_host_then() -> None:
    scenario = seated(rules_with(first_dealer="before_host"), people=3)
    scenario.do(TakeSeat(PLAYERS[0], "Mara", SEATS[3]))
    assert scenario.do(StartGame(SEATS[3], SEATS[0]))[-1] == GameStarted(SEATS[2])
    scenario = seated(CASUAL)
    scenario.do(LeaveSeat(SEATS[0]))
    assert scenario.do(StartGame(SEATS[1], SEATS[3]))[-1] == GameStarted(SEATS[0])


@pytest.mark.rule("R11")
@pytest.mark.parametrize("drawn", SEATS)
def test_drawn_is_drawn(drawn) -> None:
    assert seated().do(StartGame(SEATS[0], drawn)) == (GameStarted(drawn),)
