"""What a view asks of a bot, what it may answer, and the command that comes of it."""

from random import Random

import pytest

from spades_core.automation import command_of, move
from spades_core.bots import LEVELS
from spades_core.bots.decisions import choose, legal_decisions
from spades_core.commands import DealHand, LookAtHand, PassCards, PlaceBid, PlayCard, StartGame
from spades_core.deck import DECKS, STANDARD, shuffled
from spades_core.schedule import Due
from spades_core.seats import SEATS
from tests.spades_core.core_stories import Story, after_hands, seated
from tests.spades_core.rule_sets import draw_short, rules_with


def far_behind(dealer: int = 3) -> Story:
    """Seat 0 has to bid first, on a hand that lies face down, in a game that is lost but for a blind nil."""
    story = after_hands((320, 470), rules=rules_with(blind_nil="swap"), dealer=dealer)
    story.do(DealHand(shuffled(Random(1), STANDARD)))
    return story


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("seed", range(8))
def test_what_a_bot_chooses_is_one_of_the_options_and_can_be_done(level, seed) -> None:
    rng = Random(f"question {seed}")
    story = seated(draw_short(rng))
    story.do(StartGame(SEATS[0], SEATS[seed % 4]))
    story.do(DealHand(shuffled(rng, DECKS[story.table.rules.deck])))
    while (seat := story.table.turn) is not None:
        view = story.view(seat)
        choice = choose(LEVELS[level], view, rng)
        assert choice in legal_decisions(view)
        story.do(move(seat, choice))


def test_each_kind_of_choice_is_a_command() -> None:
    assert move(SEATS[1], False) == LookAtHand(SEATS[1])
    assert move(SEATS[1], True) == PlaceBid(SEATS[1], 0, blind=True)
    assert move(SEATS[1], 0) == PlaceBid(SEATS[1], 0)
    assert move(SEATS[1], 1) == PlaceBid(SEATS[1], 1)
    assert move(SEATS[1], STANDARD.cards[0]) == PlayCard(SEATS[1], STANDARD.cards[0])
    assert move(SEATS[1], STANDARD.cards[:2]) == PassCards(SEATS[1], STANDARD.cards[:2])


@pytest.mark.parametrize(("level", "blind"), [("easy", False), ("medium", False), ("hard", True), ("expert", True)])
def test_a_bot_is_asked_whether_it_bids_blind_nil(level, blind) -> None:
    story = far_behind()
    assert list(legal_decisions(story.view(0))) == [False, True]
    assert choose(LEVELS[level], story.view(0), Random(1)) is blind


def test_a_bot_that_may_not_bid_blind_is_not_asked() -> None:
    story = far_behind(dealer=0)
    assert story.table.turn == 1
    view = story.view(0)
    assert view.may_look
    assert list(legal_decisions(view)) == [False]
    assert choose(LEVELS["expert"], view, Random(1)) is False


def test_a_thought_takes_the_place_of_what_the_bot_would_choose_now() -> None:
    story = far_behind()
    due = Due(0, "bot_acts", SEATS[0])
    assert command_of(due, story.table, Random(1), False) == LookAtHand(SEATS[0])
    assert command_of(due, story.table, Random(1), True) == PlaceBid(SEATS[0], 0, blind=True)
