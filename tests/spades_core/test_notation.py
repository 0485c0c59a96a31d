"""A game written down and read again is the same game; what is not a game is refused, and the line is named."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_core.commands import DealAgain, DealHand, LeaveSeat, ReturnToSeat, SeatBot, StartGame, TakeSeat
from spades_core.events import (
    BidPlaced,
    CardPlayed,
    CardsPassed,
    GameEnded,
    GameStarted,
    HandDealt,
    HandLookedAt,
    HandScored,
    HandVoided,
    LoggedEvent,
    PlayBegan,
    TrickTaken,
)
from spades_core.evolve import evolve_all
from spades_core.notation import NotationError, read_game, write_game
from spades_core.ruleset import CASUAL
from spades_core.seats import SEATS
from spades_core.state import Table
from tests.spades_core.core_stories import SUIT_EACH, Story, deal, play_sweep, seated, started
from tests.spades_core.random_games import LOSSES, play_game

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.spades"))
ONE_HAND = next(path for path in GOLDEN if path.stem == "one_hand").read_text("utf-8")
FIRST_VERSION = (GOLDEN[0].parent / "notation_1" / "unfinished.spades").read_text("utf-8")
OF_THE_GAME = (
    GameStarted,
    HandDealt,
    HandLookedAt,
    BidPlaced,
    CardsPassed,
    PlayBegan,
    CardPlayed,
    TrickTaken,
    HandScored,
    GameEnded,
)


def without_void_hands(events: list[LoggedEvent]) -> list[LoggedEvent]:
    """What is left when nothing of a hand that did not count had happened but that people came and went."""
    left: list[LoggedEvent] = []
    for event in events:
        if isinstance(event, HandVoided):
            dealt = max(at for at, other in enumerate(left) if isinstance(other, HandDealt))
            left[dealt:] = [other for other in left[dealt:] if not isinstance(other, OF_THE_GAME)]
        else:
            left.append(event)
    return left


def what_was_played(events: tuple[LoggedEvent, ...] | list[LoggedEvent]) -> list[object]:
    """A game without who came and went, a hand being the cards in it and not the order in which they lay."""
    return [
        (event.number, event.dealer, tuple(map(frozenset, event.hands)), event.face_down)
        if isinstance(event, HandDealt)
        else event
        for event in events
        if isinstance(event, OF_THE_GAME)
    ]


def random_log(seed: int, losses: float = LOSSES) -> tuple[list[LoggedEvent], Random]:
    """A game with drawn rules, up to its end or to any commit after its start."""
    rng = Random(seed)
    commits = [commit.events for commit in play_game(rng, losses=losses)]
    start = next(at for at, events in enumerate(commits) if any(isinstance(event, GameStarted) for event in events))
    end = len(commits) if rng.random() < 0.5 else rng.randrange(start, len(commits)) + 1
    return [event for events in commits[:end] for event in events], rng


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_game_read_from_what_was_written_is_the_same_and_is_written_the_same(seed: int) -> None:
    log, _ = random_log(seed)
    text = write_game(log)
    game = read_game(text)
    assert what_was_played(game.events) == what_was_played(without_void_hands(log))
    assert write_game(game.events) == text


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_hand_that_is_void_leaves_no_trace(seed: int) -> None:
    log, _ = random_log(seed, losses=0.02)
    assert write_game(log) == write_game(without_void_hands(log))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_game_is_written_the_same_from_the_table_at_its_start_and_what_happened_since(seed: int) -> None:
    log, _ = random_log(seed)
    start = 1 + max(at for at, event in enumerate(log) if isinstance(event, GameStarted))
    assert write_game(log[start:], begun=evolve_all(Table(), tuple(log[:start]))) == write_game(log)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_game_on_file_is_read_and_written_to_the_byte(path: Path) -> None:
    text = path.read_text("utf-8")
    assert write_game(read_game(text).events) == text


def test_a_game_of_the_first_version_is_read_with_medium_bots_and_written_in_the_newest() -> None:
    game = read_game(FIRST_VERSION)
    assert [seat.level for seat in game.seats] == [None, "medium", None, "medium"]
    newest = write_game(game.events)
    assert newest.startswith("Fourth Seat game, notation 2\n")
    assert "\nSouth   player      Cleo\nWest    medium bot  Wilma\n" in newest
    assert read_game(newest) == game


def test_the_names_and_the_bots_are_those_of_the_first_deal() -> None:
    game = read_game(ONE_HAND)
    assert [(seat.name, seat.level) for seat in game.seats] == [
        ("Anna", None),
        ("Ben", None),
        ("Cleo", None),
        ("Otto", "hard"),
    ]
    assert str(game.rules) == "classic,target=150"


def test_a_table_rebuilt_from_the_events_stands_where_the_game_ended() -> None:
    table = read_game(ONE_HAND).table
    assert table.phase == "over"
    assert table.game is not None
    assert table.game.scores == (53, 150)


def test_who_leaves_comes_back_and_sits_down_stands_before_the_line_in_which_it_happened() -> None:
    story = started(people=3)
    story.do(LeaveSeat(SEATS[1]))
    play_sweep(story, 13, 1, 1, 1)
    story.do(ReturnToSeat(SEATS[1]), TakeSeat("secret-of-eve", "Eve", SEATS[3]))
    text = write_game(story.log)
    assert "Dealer  West\nEast    away        Ben\n\nHand 1" in text
    assert text.endswith("East    player      Ben\nWest    player      Eve\n\nEnd     unfinished\n")
    assert write_game(read_game(text).events) == text


def test_the_level_of_a_bot_that_was_changed_between_two_hands_stands_between_them() -> None:
    story = started(people=3)
    play_sweep(story, 13, 1, 1, 1)
    story.do(SeatBot(SEATS[0], SEATS[3], "expert"), DealHand(SUIT_EACH))
    text = write_game(story.log)
    assert text.index("West    hard bot    Otto\nDealer") < text.index("Score")
    assert "\nWest    expert bot  Otto\n\nHand 2" in text
    assert write_game(read_game(text).events) == text


def test_players_who_come_and_go_during_a_trick_stand_before_it() -> None:
    story = started()
    story.do(LeaveSeat(SEATS[2]))
    text = _with_one_trick(story)
    assert "\nSouth   player      Cleo\n     1  North" in text
    assert write_game(read_game(text).events) == text


def test_who_comes_and_goes_during_a_hand_that_is_void_stands_before_the_one_that_counts() -> None:
    story = started(people=3)
    story.do(DealHand(SUIT_EACH))
    story.bid(13, 1)
    story.do(LeaveSeat(SEATS[2]))
    story.bid(1, 1)
    story.play("AS AH")
    story.do(DealAgain(1, deal("S 2")), TakeSeat("secret-of-eve", "Eve", SEATS[3]))
    story.bid(1)
    story.do(DealAgain(1, SUIT_EACH))
    text = write_game(story.log)
    assert text.count("Hand") == 1
    assert (
        "Dealer  West\nSouth   away        Cleo\nWest    player      Eve\n\nHand 1, dealer West\nNorth   S AKQ" in text
    )
    assert "Bids" not in text
    assert write_game(read_game(text).events) == text


def _with_one_trick(story: Story) -> str:
    story.do(DealHand(SUIT_EACH))
    story.bid(13, 1, 1, 1)
    story.play("AS AH")
    story.do(ReturnToSeat(SEATS[2]))
    story.play("AD AC")
    return write_game(story.log)


def test_of_the_games_of_a_table_the_last_one_is_written_and_nothing_of_what_comes_after_it() -> None:
    story = _after_a_game()
    first = write_game(story.log)
    story.do(LeaveSeat(SEATS[3]))
    assert write_game(story.log) == first
    story.do(StartGame(SEATS[0], SEATS[1]))
    second = write_game(story.log)
    assert "West    hard bot    Otto\nDealer  East\n\nEnd     unfinished\n" in second
    assert write_game(read_game(second).events) == second


def test_a_game_may_begin_with_a_bot_that_plays_for_somebody() -> None:
    story = _after_a_game(LeaveSeat(SEATS[0]), LeaveSeat(SEATS[3]))
    assert story.table.host is not None
    story.do(StartGame(story.table.host, SEATS[1]))
    text = write_game(story.log)
    assert "North   away        Mara\n" in text
    assert write_game(read_game(text).events) == text


def _after_a_game(*during: LeaveSeat) -> Story:
    story = started()
    story.do(*during)
    while story.table.phase != "over":
        play_sweep(story, 13, 1, 1, 1)
    return story


def test_where_the_host_leads_first_the_host_is_found_again() -> None:
    story = seated(CASUAL)
    story.do(StartGame(SEATS[0], SEATS[2]))
    game = read_game(write_game(story.log))
    assert game.table.host == SEATS[0]


def test_the_code_of_the_table_and_the_identities_of_the_players_are_not_written() -> None:
    text = write_game(started().log)
    assert "HRTJK" not in text
    assert "secret" not in text


@pytest.mark.parametrize("cut", [1, 2])
def test_events_that_end_within_a_commit_are_not_written(cut: int) -> None:
    log = read_game(ONE_HAND).events
    with pytest.raises(ValueError, match="the events end before what the last one brings about"):
        write_game(log[:-cut])


def test_without_a_game_there_is_nothing_to_write() -> None:
    with pytest.raises(ValueError, match="no game was started"):
        write_game(seated().log)


def test_a_refusal_names_the_line_what_it_says_and_what_is_wrong() -> None:
    with pytest.raises(NotationError) as refused:
        read_game(ONE_HAND.replace("Rules   classic", "Rules   classical"))
    assert refused.value.line == 3
    assert refused.value.said == "Rules   classical,target=150"
    assert str(refused.value).startswith("line 3 says 'Rules   classical,target=150': preset: there is no rule set")


def blocks_of(kind: str) -> list[str]:
    """What the page shows between fences of this kind."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [block for of, block in fenced if of == kind]


def test_the_game_on_the_page_is_the_one_on_file() -> None:
    assert blocks_of("spades") == [ONE_HAND]


def test_the_refusals_on_the_page_are_those_that_are_given() -> None:
    edits = [
        (" 3  South  2H   3H   AH*  4H", " 3  South  3S   5H   5S*  2S"),
        ("now 53, 3 bags", "now 63, 3 bags"),
    ]
    for before, after in edits:
        with pytest.raises(NotationError) as refused:
            read_game(ONE_HAND.replace(before, after))
        assert f"spades: game.spades, {refused.value}\n" in PAGE


def test_the_lines_on_the_page_are_lines_of_games_on_file() -> None:
    games = "".join(path.read_text("utf-8") for path in GOLDEN)
    shown = [block for block in blocks_of("") if not block.startswith("spades")]
    assert len(shown) == 2
    assert all(block in games for block in shown)
