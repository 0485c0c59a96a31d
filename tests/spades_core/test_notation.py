"""A game that is written and read again is the same game."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_core.commands import DealHand, LeaveSeat, Redeal, ReturnToSeat, SeatBot, StartGame, TakeSeat
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
from tests.scale import cases
from tests.spades_core.random_games import VOID_RATE, play_game
from tests.spades_core.scenarios import SUIT_EACH, Scenario, deal, play_sweep, seated, started

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.spades"))
ONE_HAND = next(path for path in GOLDEN if path.stem == "one_hand").read_text("utf-8")
PLAY_EVENTS = (
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
    """Return the events without those of void hands, but with the seat changes during them."""
    left: list[LoggedEvent] = []
    for event in events:
        if isinstance(event, HandVoided):
            dealt = max(at for at, other in enumerate(left) if isinstance(other, HandDealt))
            left[dealt:] = [other for other in left[dealt:] if not isinstance(other, PLAY_EVENTS)]
        else:
            left.append(event)
    return left


def play_of(events: tuple[LoggedEvent, ...] | list[LoggedEvent]) -> list[object]:
    """Return the events of a game without seat changes, with dealt hands as sets of cards."""
    return [
        (event.number, event.dealer, tuple(map(frozenset, event.hands)), event.face_down)
        if isinstance(event, HandDealt)
        else event
        for event in events
        if isinstance(event, PLAY_EVENTS)
    ]


def random_log(seed: int, void_rate: float = VOID_RATE) -> tuple[list[LoggedEvent], Random]:
    """Return the log of a game with drawn rules, up to its end or to any step after its start."""
    rng = Random(seed)
    commits = [step.events for step in play_game(rng, void_rate=void_rate)]
    start = next(at for at, events in enumerate(commits) if any(isinstance(event, GameStarted) for event in events))
    end = len(commits) if rng.random() < 0.5 else rng.randrange(start, len(commits)) + 1
    return [event for events in commits[:end] for event in events], rng


@settings(max_examples=cases(50, 150), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_game_round_trips(seed: int) -> None:
    log, _ = random_log(seed)
    text = write_game(log)
    game = read_game(text)
    assert play_of(game.events) == play_of(without_void_hands(log))
    assert write_game(game.events) == text


@settings(max_examples=cases(50, 150), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_void_hand_is_not_written(seed: int) -> None:
    log, _ = random_log(seed, void_rate=0.02)
    assert write_game(log) == write_game(without_void_hands(log))


@settings(max_examples=cases(50, 150), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_game_is_written_the_same_from_the_table_at_its_start(seed: int) -> None:
    log, _ = random_log(seed)
    start = 1 + max(at for at, event in enumerate(log) if isinstance(event, GameStarted))
    assert write_game(log[start:], begun=evolve_all(Table(), tuple(log[:start]))) == write_game(log)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_file_round_trips_to_the_byte(path: Path) -> None:
    text = path.read_text("utf-8")
    assert write_game(read_game(text).events) == text


def test_the_seats_of_a_record_are_those_at_its_beginning() -> None:
    game = read_game(ONE_HAND)
    assert [(seat.name, seat.level) for seat in game.seats] == [
        ("Anna", None),
        ("Ben", None),
        ("Cleo", None),
        ("Otto", "hard"),
    ]
    assert str(game.rules) == "classic,target=150"


def test_the_table_of_a_record_is_that_at_its_end() -> None:
    table = read_game(ONE_HAND).table
    assert table.phase == "over"
    assert table.game is not None
    assert table.game.scores == (53, 150)


def test_seat_changes_between_lines_are_written_where_they_happened() -> None:
    scenario = started(people=3)
    scenario.do(LeaveSeat(SEATS[1]))
    play_sweep(scenario, 13, 1, 1, 1)
    scenario.do(ReturnToSeat(SEATS[1]), TakeSeat("secret-of-eve", "Eve", SEATS[3]))
    text = write_game(scenario.log)
    assert "Dealer  West\nEast    away        Ben\n\nHand 1" in text
    assert text.endswith("East    player      Ben\nWest    player      Eve\n\nEnd     unfinished\n")
    assert write_game(read_game(text).events) == text


def test_a_level_changed_between_two_hands_is_written_between_them() -> None:
    scenario = started(people=3)
    play_sweep(scenario, 13, 1, 1, 1)
    scenario.do(SeatBot(SEATS[0], SEATS[3], "expert"), DealHand(SUIT_EACH))
    text = write_game(scenario.log)
    assert text.index("West    hard bot    Otto\nDealer") < text.index("Score")
    assert "\nWest    expert bot  Otto\n\nHand 2" in text
    assert write_game(read_game(text).events) == text


def test_seat_changes_during_a_trick_are_written_before_it() -> None:
    scenario = started()
    scenario.do(LeaveSeat(SEATS[2]))
    text = _with_one_trick(scenario)
    assert "\nSouth   player      Cleo\n     1  North" in text
    assert write_game(read_game(text).events) == text


def test_seat_changes_during_a_void_hand_are_written_before_the_hand_that_counts() -> None:
    scenario = started(people=3)
    scenario.do(DealHand(SUIT_EACH))
    scenario.bid(13, 1)
    scenario.do(LeaveSeat(SEATS[2]))
    scenario.bid(1, 1)
    scenario.play("AS AH")
    scenario.do(Redeal(1, deal("S 2")), TakeSeat("secret-of-eve", "Eve", SEATS[3]))
    scenario.bid(1)
    scenario.do(Redeal(1, SUIT_EACH))
    text = write_game(scenario.log)
    assert text.count("Hand") == 1
    assert (
        "Dealer  West\nSouth   away        Cleo\nWest    player      Eve\n\nHand 1, dealer West\nNorth   S AKQ" in text
    )
    assert "Bids" not in text
    assert write_game(read_game(text).events) == text


def _with_one_trick(scenario: Scenario) -> str:
    scenario.do(DealHand(SUIT_EACH))
    scenario.bid(13, 1, 1, 1)
    scenario.play("AS AH")
    scenario.do(ReturnToSeat(SEATS[2]))
    scenario.play("AD AC")
    return write_game(scenario.log)


def test_only_the_last_game_of_a_table_is_written() -> None:
    scenario = _after_a_game()
    first = write_game(scenario.log)
    scenario.do(LeaveSeat(SEATS[3]))
    assert write_game(scenario.log) == first
    scenario.do(StartGame(SEATS[0], SEATS[1]))
    second = write_game(scenario.log)
    assert "West    hard bot    Otto\nDealer  East\n\nEnd     unfinished\n" in second
    assert write_game(read_game(second).events) == second


def test_a_game_may_begin_with_a_player_who_is_away() -> None:
    scenario = _after_a_game(LeaveSeat(SEATS[0]), LeaveSeat(SEATS[3]))
    assert scenario.table.host is not None
    scenario.do(StartGame(scenario.table.host, SEATS[1]))
    text = write_game(scenario.log)
    assert "North   away        Mara\n" in text
    assert write_game(read_game(text).events) == text


def _after_a_game(*during: LeaveSeat) -> Scenario:
    scenario = started()
    scenario.do(*during)
    while scenario.table.phase != "over":
        play_sweep(scenario, 13, 1, 1, 1)
    return scenario


def test_the_host_follows_from_the_dealer_if_the_host_leads_first() -> None:
    scenario = seated(CASUAL)
    scenario.do(StartGame(SEATS[0], SEATS[2]))
    game = read_game(write_game(scenario.log))
    assert game.table.host == SEATS[0]


def test_the_code_of_the_table_and_the_identities_of_the_players_are_not_written() -> None:
    text = write_game(started().log)
    assert "HRTJK" not in text
    assert "secret" not in text


@pytest.mark.parametrize("cut", [1, 2])
def test_events_that_end_within_a_commit_raise_a_value_error(cut: int) -> None:
    log = read_game(ONE_HAND).events
    with pytest.raises(ValueError, match="the events end within a commit"):
        write_game(log[:-cut])


def test_events_without_a_game_raise_a_value_error() -> None:
    with pytest.raises(ValueError, match="no game was started"):
        write_game(seated().log)


def test_an_error_names_the_line_its_text_and_the_problem() -> None:
    with pytest.raises(NotationError) as refused:
        read_game(ONE_HAND.replace("Rules   classic", "Rules   classical"))
    assert refused.value.line == 3
    assert refused.value.text == "Rules   classical,target=150"
    assert str(refused.value).startswith("line 3 says 'Rules   classical,target=150': preset: there is no rule set")


def blocks_of(kind: str) -> list[str]:
    """Return the fenced blocks of this kind in docs/notation.md."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [block for of, block in fenced if of == kind]


def test_the_game_in_the_docs_is_a_golden_file() -> None:
    assert blocks_of("spades") == [ONE_HAND]


def test_the_errors_in_the_docs_are_those_raised() -> None:
    edits = [
        (" 3  South  2H   3H   AH*  4H", " 3  South  3S   5H   5S*  2S"),
        ("now 53, 3 bags", "now 63, 3 bags"),
    ]
    for before, after in edits:
        with pytest.raises(NotationError) as refused:
            read_game(ONE_HAND.replace(before, after))
        assert f"spades: game.spades, {refused.value}\n" in PAGE


def test_the_lines_in_the_docs_are_lines_of_golden_files() -> None:
    games = "".join(path.read_text("utf-8") for path in GOLDEN)
    shown = [block for block in blocks_of("") if not block.startswith("spades")]
    assert len(shown) == 2
    assert all(block in games for block in shown)
