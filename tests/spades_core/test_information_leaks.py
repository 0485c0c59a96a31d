"""No viewer is sent a card that it may not know, in random games with drawn rules.

Some of these games have hands face down and passed cards. test_leak_mutants shows
that the check finds leaks.
"""

import pytest

from spades_core.events import CardsPassed, HandDealt, HandLookedAt, HandReceived
from spades_core.seats import SEATS
from spades_core.views import redact
from tests.scale import cases
from tests.spades_core.information_leaks import VIEWERS, cards_named, check_game
from tests.spades_core.scenarios import SUIT_EACH, cards

GAMES = cases(100, 1000)
ALL_HANDS = (SUIT_EACH[:13], SUIT_EACH[13:26], SUIT_EACH[26:39], SUIT_EACH[39:])


@pytest.mark.rule("R15", "R70", "R97", "R99", "R108")
def test_no_viewer_is_sent_hidden_cards() -> None:
    seen = [check_game(seed) for seed in range(GAMES)]
    assert sum(game.steps for game in seen) > 60 * GAMES
    assert sum(game.face_down for game in seen) > GAMES // 20
    assert sum(game.passed for game in seen) > GAMES // 25
    assert sum(game.voided for game in seen) > GAMES // 5


def test_the_check_recognizes_cards() -> None:
    game = check_game(1)
    assert game.named > 5 * 10 * game.steps
    assert cards_named(["your KS", "2D,BS", "LS"]) == {"KS", "2D", "BS", "LS"}


@pytest.mark.rule("R15", "R97")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_deal_is_sent_with_the_viewers_own_hand_only(viewer) -> None:
    down = (True, False, True, False)
    told = redact(viewer, HandDealt(3, SEATS[1], ALL_HANDS, down))
    assert told == HandReceived(3, SEATS[1], viewer, ALL_HANDS[viewer] if viewer in (1, 3) else (), down)


@pytest.mark.rule("R97")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_cards_of_a_hand_turned_up_are_sent_to_its_owner_only(viewer) -> None:
    told = redact(viewer, HandLookedAt(SEATS[1], ALL_HANDS[1]))
    assert told == HandLookedAt(SEATS[1], ALL_HANDS[1] if viewer == 1 else ())


@pytest.mark.rule("R99")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_passed_cards_are_sent_to_the_two_partners_only(viewer) -> None:
    passed = cards("AS 2C")
    told = redact(viewer, CardsPassed(SEATS[3], SEATS[1], passed))
    assert told == CardsPassed(SEATS[3], SEATS[1], passed if viewer in (1, 3) else ())
