"""The host chooses the level of each bot, and the bot plays at it."""

from dataclasses import dataclass, field
from random import Random

import pytest

from server.store.memory_log import MemoryLog
from spades_core.automation import command_for_due
from spades_core.bots import LEVELS
from spades_core.bots.levels import medium
from spades_core.cards import Card
from spades_core.commands import DealHand, LeaveSeat, OpenTable, PlaceBid, SeatBot, StartGame, TakeSeat
from spades_core.decide import decide
from spades_core.events import BotLevelChanged, BotSeated
from spades_core.evolve import evolve_all
from spades_core.protocol.messages import AddBot, NextHand, Refusal, Start, Update
from spades_core.ruleset import CLASSIC
from spades_core.schedule import Due, Pace
from spades_core.seats import SEATS, Level, Seat
from spades_core.state import Table
from spades_core.views import SeatView
from tests.server.tables.fixtures import FakeViewer, open_table, server_on
from tests.spades_core.scenarios import SUIT_EACH


@dataclass
class RecordingBot:
    """A medium bot that records the views it was given."""

    played_for: set[Seat] = field(default_factory=set)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        self._note(view)
        return medium.choose_bid(view, rng)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        self._note(view)
        return medium.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        self._note(view)
        return medium.choose_card(view, rng)

    def _note(self, view: SeatView) -> None:
        assert view.you is not None
        self.played_for.add(view.you)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> dict[Level, RecordingBot]:
    """Replace the three levels that decide in the process of the table."""
    bots: dict[Level, RecordingBot] = {level: RecordingBot() for level in ("easy", "medium", "hard")}
    for level, bot in bots.items():
        monkeypatch.setitem(LEVELS, level, bot)
    return bots


def test_each_bot_plays_at_its_own_level_and_an_absent_person_is_played_at_the_default_level(watched) -> None:
    table = Table()
    for command in (
        OpenTable("HRTJK", CLASSIC, "p0", "Mara"),
        TakeSeat("p1", "Ben", SEATS[1]),
        SeatBot(SEATS[0], SEATS[2], "easy"),
        StartGame(SEATS[0], SEATS[3], "medium"),
        DealHand(SUIT_EACH),
        LeaveSeat(SEATS[1]),
        PlaceBid(SEATS[0], 13),
    ):
        table = evolve_all(table, decide(table, command))
    for seat in SEATS[1:]:
        command = command_for_due(Due(0, "bot_acts", seat), table, Random(1))
        assert isinstance(command, PlaceBid)
        table = evolve_all(table, decide(table, command))
    assert {level: bot.played_for for level, bot in watched.items()} == {"easy": {2}, "medium": {3}, "hard": {1}}


async def test_the_host_sets_and_changes_the_level_of_a_bot_and_sets_the_others_at_the_start() -> None:
    anna = FakeViewer("Anna")
    async with server_on(MemoryLog()) as tables:
        table = await open_table(tables, anna)
        added = await anna.ask(table, AddBot("1", SEATS[1], "expert"))
        changed = await anna.ask(table, AddBot("2", SEATS[1], "easy"))
        begun = await anna.ask(table, Start("3", "medium"))
        assert isinstance(added, Update)
        assert added.events == (BotSeated(SEATS[1], "Otto", "expert"),)
        assert isinstance(changed, Update)
        assert changed.events == (BotLevelChanged(SEATS[1], "easy"),)
        assert isinstance(begun, Update)
        assert [seat.level for seat in begun.view.seats] == [None, "easy", "medium", "medium"]


async def test_the_default_level_is_hard() -> None:
    anna = FakeViewer("Anna")
    async with server_on(MemoryLog()) as tables:
        table = await open_table(tables, anna)
        await anna.ask(table, AddBot("1", SEATS[1]))
        await anna.ask(table, Start("2"))
        assert [seat.level for seat in anna.view.seats] == [None, "hard", "hard", "hard"]


async def test_a_level_changed_between_hands_holds_from_the_next_hand_without_delaying_it(watched) -> None:
    anna, rng, pace = FakeViewer("Anna"), Random(5), Pace()
    async with server_on(MemoryLog(), pace) as tables:
        table = await open_table(tables, anna)
        await anna.ask(table, Start("start", "easy"))
        while anna.view.phase != "scored" or anna.view.hand_number == 0:
            if await anna.act(table, rng) is None:
                await anna.until_next_message()
        assert watched["medium"].played_for == set()
        left = anna.updates[-1].ms_left
        changed = await anna.ask(table, AddBot("change", SEATS[2], "medium"))
        assert isinstance(changed, Update)
        assert changed.ms_left is not None
        assert left is not None
        assert changed.ms_left <= left
        await anna.ask(table, NextHand("next", anna.updates[-1].e))
        await anna.until_view(lambda view: view.phase == "bidding")
        refused = await anna.ask(table, AddBot("late", SEATS[2], "easy"))
        assert isinstance(refused, Refusal)
        assert refused.code == "wrong_phase"
        await anna.until_view(lambda view: view.seats[2].bid is not None or view.turn == 0)
        while anna.view.seats[2].bid is None:
            await anna.act(table, rng)
            await anna.until_view(lambda view: view.seats[2].bid is not None or view.turn == 0)
    assert watched["medium"].played_for == {2}
