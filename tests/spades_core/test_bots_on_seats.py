"""Bots at a table: adding and removing them, their levels and changes of level (RULES.md: R5, R6, R75 to R77)."""

from dataclasses import replace
from typing import get_args

import pytest

from spades_core.bots import LEVELS
from spades_core.commands import DealHand, LeaveSeat, OpenTable, RemoveBot, ReturnToSeat, SeatBot, StartGame, TakeSeat
from spades_core.events import BotLevelChanged, BotSeated, GameStarted, SeatLeft
from spades_core.ruleset import CLASSIC
from spades_core.seating import BOT_NAMES
from spades_core.seats import DEFAULT_LEVEL, SEATS, Level
from tests.spades_core.scenarios import SUIT_EACH, Scenario, dealt, play_sweep, seated, started


@pytest.mark.rule("R5")
@pytest.mark.parametrize("command", [SeatBot, RemoveBot, StartGame])
def test_only_the_host_adds_and_removes_bots_and_starts(command) -> None:
    scenario = seated(people=2)
    scenario.do(SeatBot(SEATS[0], SEATS[3]))
    target = SEATS[2] if command is SeatBot else SEATS[3]
    assert scenario.refuses(command(SEATS[1], target), "not_host").startswith("Only the host, Mara, can ")
    assert scenario.do(command(SEATS[0], target))


@pytest.mark.rule("R5")
@pytest.mark.parametrize("command", [SeatBot, RemoveBot, StartGame])
@pytest.mark.parametrize("bids", [None, (), (3, 3, 3), (3, 3, 3, 3)])
def test_bots_and_starts_wait_for_the_end_of_the_game(command, bids) -> None:
    scenario = started() if bids is None else dealt()
    scenario.bid(*(bids or ()))
    scenario.refuses(command(SEATS[0], SEATS[3]), "wrong_phase")


@pytest.mark.rule("R5")
@pytest.mark.parametrize("dealt_yet", [False, True])
def test_a_bot_of_this_game_is_not_removed_before_its_end(dealt_yet) -> None:
    scenario = started(people=2)
    scenario.do(*([DealHand(SUIT_EACH)] if dealt_yet else []))
    scenario.refuses(RemoveBot(SEATS[0], SEATS[3]), "wrong_phase")


@pytest.mark.rule("R5")
def test_a_bot_is_added_to_an_empty_seat_and_removed_from_its_own() -> None:
    scenario = seated(people=2)
    assert scenario.do(SeatBot(SEATS[0], SEATS[3])) == (BotSeated(SEATS[3], "Otto", DEFAULT_LEVEL),)
    assert scenario.refuses(SeatBot(SEATS[0], SEATS[1]), "seat_taken") == "Ben sits there."
    assert scenario.do(SeatBot(SEATS[0], SEATS[2])) == (BotSeated(SEATS[2], "Wilma", DEFAULT_LEVEL),)
    assert scenario.do(RemoveBot(SEATS[0], SEATS[3])) == (SeatLeft(SEATS[3]),)
    scenario.refuses(RemoveBot(SEATS[0], SEATS[3]), "no_bot")
    scenario.refuses(RemoveBot(SEATS[0], SEATS[1]), "no_bot")


@pytest.mark.rule("R6")
def test_bots_take_the_empty_seats_when_a_game_starts() -> None:
    scenario = seated(people=2)
    events = scenario.do(StartGame(SEATS[0], SEATS[1]))
    bots = BotSeated(SEATS[2], "Otto", DEFAULT_LEVEL), BotSeated(SEATS[3], "Wilma", DEFAULT_LEVEL)
    assert events == (*bots, GameStarted(SEATS[1]))


@pytest.mark.rule("R6")
def test_bots_do_not_take_the_names_of_people() -> None:
    scenario = Scenario()
    scenario.do(OpenTable("HRTJK", CLASSIC, "p", "Otto"), TakeSeat("q", "Hugo", SEATS[1]))
    scenario.do(StartGame(SEATS[0], SEATS[0]))
    names = [seat.name for seat in scenario.table.seats if seat]
    assert sorted(names) == sorted(BOT_NAMES)


@pytest.mark.rule("R75")
@pytest.mark.parametrize("level", get_args(Level))
def test_the_host_chooses_how_strong_a_bot_is_and_everybody_sees_it(level) -> None:
    scenario = seated(people=2)
    assert scenario.do(SeatBot(SEATS[0], SEATS[3], level)) == (BotSeated(SEATS[3], "Otto", level),)
    assert scenario.table.bot_level(SEATS[3]) == level
    for viewer in (0, 1, None):
        assert [seat.level for seat in scenario.view(viewer).seats] == [None, None, None, level]


@pytest.mark.rule("R75")
def test_bots_that_take_the_empty_seats_have_the_level_of_the_start_and_those_that_sat_keep_theirs() -> None:
    scenario = seated(people=1)
    scenario.do(SeatBot(SEATS[0], SEATS[2], "expert"), StartGame(SEATS[0], SEATS[1], "easy"))
    assert [scenario.table.bot_level(seat) for seat in SEATS] == [None, "easy", "expert", "easy"]


@pytest.mark.rule("R75")
def test_the_default_level_of_a_bot_is_hard() -> None:
    scenario = seated(people=2)
    scenario.do(SeatBot(SEATS[0], SEATS[2]), StartGame(SEATS[0], SEATS[1]))
    assert [scenario.table.bot_level(seat) for seat in SEATS] == [None, None, "hard", "hard"]


def test_the_levels_are_listed_from_the_weakest_to_the_strongest() -> None:
    assert tuple(LEVELS) == get_args(Level)


def between_games_with_a_bot() -> Scenario:
    scenario = seated(people=3)
    scenario.do(SeatBot(SEATS[0], SEATS[3], "easy"))
    return scenario


def between_hands_with_a_bot() -> Scenario:
    scenario = between_games_with_a_bot()
    scenario.do(StartGame(SEATS[0], SEATS[3]))
    play_sweep(scenario, 1, 1, 1, 1)
    assert scenario.table.phase == "scored"
    return scenario


@pytest.mark.rule("R76")
@pytest.mark.parametrize("table", [between_games_with_a_bot, between_hands_with_a_bot])
def test_the_host_changes_the_level_of_a_bot_between_games_and_between_hands(table) -> None:
    scenario = table()
    before = scenario.table.seats[3]
    assert scenario.do(SeatBot(SEATS[0], SEATS[3], "expert")) == (BotLevelChanged(SEATS[3], "expert"),)
    assert scenario.table.seats[3] == replace(before, level="expert")
    assert scenario.do(SeatBot(SEATS[0], SEATS[3], "expert")) == ()


@pytest.mark.rule("R76")
@pytest.mark.parametrize("bids", [(), (3, 3, 3, 3)])
def test_nobody_changes_the_level_of_a_bot_during_a_hand(bids) -> None:
    scenario = between_hands_with_a_bot()
    scenario.do(DealHand(SUIT_EACH))
    scenario.bid(*bids)
    text = scenario.refuses(SeatBot(SEATS[0], SEATS[3], "expert"), "wrong_phase")
    assert text == "You cannot change a bot's level during a hand, only between hands."


@pytest.mark.rule("R75", "R76")
def test_only_the_host_changes_the_level_of_a_bot() -> None:
    for scenario in (between_games_with_a_bot(), between_hands_with_a_bot()):
        text = scenario.refuses(SeatBot(SEATS[1], SEATS[3], "expert"), "not_host")
        assert text == "Only the host, Mara, can change a bot's level."


@pytest.mark.rule("R76")
def test_the_level_of_a_person_who_is_away_cannot_be_changed() -> None:
    scenario = between_hands_with_a_bot()
    scenario.do(LeaveSeat(SEATS[1]))
    scenario.refuses(SeatBot(SEATS[0], SEATS[1], "expert"), "wrong_phase")


@pytest.mark.rule("R77")
def test_the_bot_that_plays_for_a_person_who_is_away_is_hard() -> None:
    scenario = dealt()
    scenario.do(LeaveSeat(SEATS[1]))
    assert scenario.table.bot_level(SEATS[1]) == "hard"
    assert scenario.view(0).seats[1].level == "hard"
    scenario.do(ReturnToSeat(SEATS[1]))
    assert scenario.view(0).seats[1].level is None


@pytest.mark.rule("R77", "R73")
def test_a_hard_bot_plays_for_a_person_who_took_a_bots_seat_and_left() -> None:
    scenario = between_hands_with_a_bot()
    scenario.do(TakeSeat("new", "Eve", SEATS[3]))
    assert scenario.table.bot_level(SEATS[3]) is None
    scenario.do(LeaveSeat(SEATS[3]))
    assert scenario.table.bot_level(SEATS[3]) == "hard"
