import pytest

from spades_core.events import GameEnded
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.scoring import game_end
from spades_core.seats import SIDES
from tests.spades_core.scenarios import after_hands, play_sweep

OURS, THEIRS = SIDES


@pytest.mark.rule("R60")
@pytest.mark.parametrize(
    ("scores", "winner"), [((500, 499), OURS), ((523, 0), OURS), ((0, 500), THEIRS), ((-150, 612), THEIRS)]
)
def test_five_hundred_wins(scores, winner) -> None:
    assert game_end(CLASSIC, scores, 7) == GameEnded(winner, "target")


@pytest.mark.rule("R60", "R63")
@pytest.mark.parametrize("scores", [(0, 0), (499, 499), (499, -199), (-199, -199), (0, -199), (77, 78)])
def test_short_of_both_ends_the_game_goes_on(scores) -> None:
    assert game_end(CLASSIC, scores, 7) is None


@pytest.mark.rule("R61")
@pytest.mark.parametrize(("scores", "winner"), [((501, 500), OURS), ((500, 501), THEIRS), ((530, 612), THEIRS)])
def test_with_both_over_the_target_the_higher_wins(scores, winner) -> None:
    assert game_end(CLASSIC, scores, 7) == GameEnded(winner, "target")


@pytest.mark.rule("R62")
@pytest.mark.parametrize("score", [500, 501, 777])
def test_equal_over_the_target_another_hand_is_played(score) -> None:
    assert game_end(CLASSIC, (score, score), 99) is None


@pytest.mark.rule("R63")
@pytest.mark.parametrize(("scores", "winner"), [((-200, 0), THEIRS), ((-199, -200), OURS), ((499, -345), OURS)])
def test_two_hundred_below_loses_on_the_spot(scores, winner) -> None:
    assert game_end(CLASSIC, scores, 1) == GameEnded(winner, "floor")


@pytest.mark.rule("R64")
@pytest.mark.parametrize(("scores", "winner"), [((-200, -201), OURS), ((-260, -250), THEIRS)])
def test_with_both_at_the_floor_the_higher_wins(scores, winner) -> None:
    assert game_end(CLASSIC, scores, 7) == GameEnded(winner, "floor")


@pytest.mark.rule("R65")
@pytest.mark.parametrize("score", [-200, -222])
def test_equal_at_the_floor_another_hand_is_played(score) -> None:
    assert game_end(CLASSIC, (score, score), 99) is None


@pytest.mark.rule("R67")
@pytest.mark.parametrize(("scores", "winner"), [((1, 0), OURS), ((-150, -149), THEIRS), ((499, 498), OURS)])
def test_after_a_hundred_hands_the_side_ahead_wins(scores, winner) -> None:
    assert game_end(CLASSIC, scores, 99) is None
    assert game_end(CLASSIC, scores, 100) == GameEnded(winner, "hand_limit")


@pytest.mark.rule("R68")
@pytest.mark.parametrize("score", [0, -40, 499, 500, 640, -200, -300])
def test_after_a_hundred_hands_equal_scores_are_a_draw(score) -> None:
    assert game_end(CLASSIC, (score, score), 100) == GameEnded(None, "hand_limit")


@pytest.mark.rule("R60", "R67")
def test_a_target_reached_in_the_last_hand_is_a_target_reached() -> None:
    assert game_end(CLASSIC, (500, 0), 100) == GameEnded(OURS, "target")
    assert game_end(CLASSIC, (-200, 0), 100) == GameEnded(THEIRS, "floor")


def test_the_numbers_are_those_of_the_rule_set() -> None:
    rules = RuleSet(target=150, floor=-300, hand_limit=2)
    assert game_end(rules, (150, 0), 1) == GameEnded(OURS, "target")
    assert game_end(rules, (0, -300), 1) == GameEnded(OURS, "floor")
    assert game_end(rules, (1, 0), 2) == GameEnded(OURS, "hand_limit")
    assert game_end(rules, (149, -299), 1) is None


@pytest.mark.rule("R60")
def test_the_winning_hand_ends_the_game_at_the_table() -> None:
    scenario = after_hands((370, 460))
    events = play_sweep(scenario, 12, 1, 1, 1)
    assert events[-1] == GameEnded(OURS, "target")
    assert scenario.table.phase == "over"
    assert scenario.view(None).outcome == GameEnded(OURS, "target")


@pytest.mark.rule("R61")
def test_the_higher_of_two_winners_at_the_table() -> None:
    scenario = after_hands((375, 306))
    assert play_sweep(scenario, 12, 0, 1, 0)[-1] == GameEnded(THEIRS, "target")
    scenario = after_hands((377, 306))
    assert play_sweep(scenario, 12, 0, 1, 0)[-1] == GameEnded(OURS, "target")


@pytest.mark.rule("R62")
def test_equal_winners_at_the_table_play_on() -> None:
    scenario = after_hands((376, 306))
    assert play_sweep(scenario, 12, 0, 1, 0)[-1].t == "hand_scored"
    assert scenario.table.phase == "scored"
    assert play_sweep(scenario, 12, 1, 1, 1)[-1] == GameEnded(OURS, "target")


@pytest.mark.rule("R63")
def test_the_floor_at_the_table() -> None:
    scenario = after_hands((0, -190))
    assert play_sweep(scenario, 12, 1, 1, 0)[-1].t == "hand_scored"
    scenario = after_hands((0, -190))
    assert play_sweep(scenario, 12, 1, 1, 1)[-1] == GameEnded(OURS, "floor")


@pytest.mark.rule("R66")
def test_a_penalty_takes_a_side_back_below_the_target() -> None:
    scenario = after_hands((445, 0), bags=(9, 0))
    assert play_sweep(scenario, 11, 1, 1, 1)[-1].t == "hand_scored"
    assert scenario.view(0).sides[0].score == 445 + 120 + 1 - 100
    scenario = after_hands((445, 0), bags=(8, 0))
    assert play_sweep(scenario, 11, 1, 1, 1)[-1] == GameEnded(OURS, "target")


@pytest.mark.rule("R66")
def test_a_penalty_takes_a_side_to_the_floor() -> None:
    scenario = after_hands((-231, 0), bags=(9, 0))
    assert play_sweep(scenario, 11, 1, 1, 1)[-1] == GameEnded(THEIRS, "floor")
    scenario = after_hands((-231, 0), bags=(8, 0))
    assert play_sweep(scenario, 11, 1, 1, 1)[-1].t == "hand_scored"


@pytest.mark.rule("R67", "R68")
def test_the_hand_limit_at_the_table() -> None:
    rules = RuleSet(hand_limit=3)
    scenario = after_hands((0, 200), hands=2, rules=rules)
    assert play_sweep(scenario, 13, 0, 0, 0)[-1] == GameEnded(THEIRS, "hand_limit")
    scenario = after_hands((-30, 0), hands=2, rules=rules)
    assert play_sweep(scenario, 13, 0, 0, 0)[-1] == GameEnded(None, "hand_limit")
    scenario = after_hands((-30, 0), hands=1, rules=rules)
    assert play_sweep(scenario, 13, 0, 0, 0)[-1].t == "hand_scored"
