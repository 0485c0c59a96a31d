"""What each viewer is told, in a thousand games: nothing it may not know, and enough to see what it sees.

The games draw their rules, so in some of them hands lie face down and cards are
passed. The check is itself put to the test by the leaks of test_leak_mutants.
"""

import pytest

from spades_core.events import CardsPassed, HandDealt, HandLookedAt, HandReceived
from spades_core.seats import SEATS
from spades_core.views import redact
from tests.spades_core.information_leaks import VIEWERS, cards_named, check_game
from tests.spades_core.scenarios import SUIT_EACH, cards

GAMES = 1000
ALL_HANDS = (SUIT_EACH[:13], SUIT_EACH[13:26], SUIT_EACH[26:39], SUIT_EACH[39:])


@pytest.mark.rule("R15", "R70", "R97", "R99", "R108")
def test_a_thousand_games_tell_nobody_what_they_may_not_know() -> None:
    seen = [check_game(seed) for seed in range(GAMES)]
    assert sum(game.commits for game in seen) > 60 * GAMES
    assert sum(game.face_down for game in seen) > 50
    assert sum(game.passed for game in seen) > 40
    assert sum(game.voided for game in seen) > 200


def test_the_check_does_see_cards() -> None:
    game = check_game(1)
    assert game.named > 5 * 10 * game.commits
    assert cards_named(["your KS", "2D,BS", "LS"]) == {"KS", "2D", "BS", "LS"}


@pytest.mark.rule("R15", "R97")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_deal_is_told_to_whoever_may_see_their_hand(viewer) -> None:
    down = (True, False, True, False)
    told = redact(viewer, HandDealt(3, SEATS[1], ALL_HANDS, down))
    assert told == HandReceived(3, SEATS[1], viewer, ALL_HANDS[viewer] if viewer in (1, 3) else (), down)


@pytest.mark.rule("R97")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_that_a_hand_was_turned_up_is_told_to_all_its_cards_to_the_owner(viewer) -> None:
    told = redact(viewer, HandLookedAt(SEATS[1], ALL_HANDS[1]))
    assert told == HandLookedAt(SEATS[1], ALL_HANDS[1] if viewer == 1 else ())


@pytest.mark.rule("R99")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_passed_cards_are_told_to_the_two_partners(viewer) -> None:
    passed = cards("AS 2C")
    told = redact(viewer, CardsPassed(SEATS[3], SEATS[1], passed))
    assert told == CardsPassed(SEATS[3], SEATS[1], passed if viewer in (1, 3) else ())
