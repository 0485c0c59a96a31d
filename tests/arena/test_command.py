"""`spades arena` as a person and a program meet it."""

import json
import os
import pty
import re
import signal
import subprocess
import termios
from typing import Any

import pytest

from arena import ladder
from arena.parallel import Progress
from server.cli.commands import main
from tests.arena.faulty_bots import Impatient
from tests.serving import COMMAND

PLANTED = "tests.arena.faulty_bots"
NUMBER = (int, float)
SIDE = {
    "hands": int,
    "bid": NUMBER,
    "tricks_beyond_bid": NUMBER,
    "bids": list,
    "contracts": int,
    "contracts_made": NUMBER,
    "bags": NUMBER,
    "nils": dict,
    "blind_nils": dict,
}
RESULT = {
    "a": str,
    "b": str,
    "seed": str,
    "for_reporting": bool,
    "rules": str,
    "scores": str,
    "unit": str,
    "first": int,
    "asked": int,
    "played": int,
    "points_a_hand": dict,
    "raw_points_a_hand": dict,
    "games_won": type(None),
    "sides": dict,
    "times": list,
    "faults": list,
    "named_faults": list,
}
TIMES = {
    "bot": str,
    "kind": str,
    "decisions": int,
    "mean": NUMBER,
    "p50": NUMBER,
    "p95": NUMBER,
    "p99": NUMBER,
    "max": NUMBER,
}


def arena(*words: str) -> int:
    return main(["arena", "--processes", "1", *words])


def has_shape(found: dict[str, Any], shape: dict[str, Any]) -> None:
    assert list(found) == list(shape)
    for key, kind in shape.items():
        assert isinstance(found[key], kind), (key, found[key])


def test_json_has_everything_for_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--a", "medium", "--b", "random", "--deals", "5", "--seed", "7", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    has_shape(found, RESULT)
    assert list(found["points_a_hand"]) == ["mean", "range"]
    for team in "ab":
        has_shape(found["sides"][team], SIDE)
        assert list(found["sides"][team]["nils"]) == ["tried", "a_side_hand", "made", "set", "share_made"]
    assert len(found["times"]) == 4
    for times in found["times"]:
        has_shape(times, TIMES)
        assert 0 < times["mean"] <= times["max"]
        assert 0 < times["p50"] <= times["p95"] <= times["p99"]


def test_a_person_gets_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--a", "medium", "--b", "random", "--games", "2", "--seed", "tune-x", "--scores", "drawn") == 0
    said = capsys.readouterr().out
    for part in (
        "A: medium    B: random",
        "2 games, each played twice with sides swapped; seed tune-x (for tuning, not for reporting) from 0 on",
        "rules classic, scores drawn",
        "A ahead, points a hand",
        "Games that A won",
        "Contracts made",
        "medium, card (",
        "Illegal moves: 0, exceptions: 0",
    ):
        assert part in said


def test_a_fault_is_named_so_that_it_can_be_had_again(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--a", f"{PLANTED}:Stumbler", "--b", "medium", "--seed", "3", "--deals")
    assert arena(*words, "4", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["faults"] == [{"bot": f"{PLANTED}:Stumbler", "what": "exception", "count": 4 * 2 * 2}]
    fault = found["named_faults"][-1]
    assert arena(*words, "1", "--first", str(fault["number"]), "--json") == 0
    assert fault in json.loads(capsys.readouterr().out)["named_faults"]
    assert arena(*words, "2") == 0
    said = capsys.readouterr().out
    assert "8 times an exception" in said
    assert "deal 1 (sides swapped), hand 1, seat 1, card: ZeroDivisionError: on the sixth trick" in said


def test_nevers_end_with_status_one_when_one_is_not_held(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "nevers", "--bot", f"{PLANTED}:BeatsPartner", "--hands", "6", "--processes", "1"]) == 1
    said = capsys.readouterr().out
    assert "NOT HELD" in said
    assert "in trial" in said
    assert "Not all of it was held." in said
    words = ["arena", "nevers", "--bot", "medium", "--hands", "4", "--processes", "1", "--json", "--seed", "2"]
    status = main(words)
    found = json.loads(capsys.readouterr().out)
    assert status == (not found["held"])
    assert [never["letter"] for never in found["nevers"]][:4] == ["a", "b", "c", "d"]


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Impatient, "hands", 0)


@pytest.mark.usefixtures("_impatient")
def test_nevers_that_were_stopped_say_how_far_they_came(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "nevers", "--bot", f"{PLANTED}:Impatient", "--hands", "40", "--processes", "1"]) == 130
    said = capsys.readouterr().out
    assert "It was stopped after 4 of 148 trials." in said
    assert "There was no chance to see " in said


@pytest.mark.parametrize("cheater", ["LooksIntoHands", "TellsItsPartner"])
def test_swap_finds_who_uses_cards_that_it_cannot_see(cheater: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "swap", "--bot", f"{PLANTED}:{cheater}", "--positions", "12", "--processes", "1"]
    assert main(words) == 1
    assert re.search(r"It chose otherwise in [1-9]\d* of 12 positions\.\n  in trial ", capsys.readouterr().out)
    assert main([*words, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["asked"], found["positions"]) == (12, 12)
    assert found["chose_otherwise"] > 0


@pytest.mark.parametrize(("bot", "positions"), [("easy", 20), ("medium", 20), ("hard", 20), ("expert:2", 5)])
def test_swap_finds_nothing_in_a_level(bot: str, positions: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "swap", "--bot", bot, "--positions", str(positions), "--processes", "1"]) == 0
    assert f"It chose otherwise in 0 of {positions} positions.\n" in capsys.readouterr().out


def test_swap_ends_with_status_one_when_hands_could_not_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "swap", "--bot", f"{PLANTED}:Stumbler", "--positions", "3", "--processes", "1"]
    assert main(words) == 1
    said = capsys.readouterr().out
    assert "It chose otherwise in 0 of 0 positions." in said
    assert "12 times an exception" in said


def test_what_is_said_before_a_word_counts_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "--seed", "9", "--processes", "1", "--json", "swap", "--bot", "easy", "--positions", "1"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == "9"


def test_the_ladder_has_a_rung_for_every_level(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ladder.RUNGS == ("random", "easy", "medium", "hard", "expert")
    monkeypatch.setattr(ladder, "RUNGS", ladder.RUNGS[:3])
    assert main(["arena", "ladder", "--deals", "3", "--processes", "1", "--json"]) == 0
    rungs = json.loads(capsys.readouterr().out)
    assert [(rung["a"], rung["b"]) for rung in rungs] == [("easy", "random"), ("medium", "easy")]
    assert main(["arena", "ladder", "--deals", "3", "--processes", "1"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith("easy - random")
    assert said[-1] == "3 deals each, played twice with sides swapped; seed 1; what A did"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "the arena needs two sides: --a BOT and --b BOT, as in --a hard --b medium"),
        (("--a", "medium", "--b", "nobody"), "there is no bot 'nobody'; there is: "),
        (("--a", "medium", "--b", "medium", "--rules", "bridge"), "preset: there is no rule set 'bridge'"),
        (("--a", "medium", "ladder"), "--a is for matches; ladder does not know it"),
        (("--rules", "casual", "swap", "--bot", "hard"), "--rules is for matches; swap does not know it"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena(*words) == 1
    assert capsys.readouterr().err.startswith(f"spades: {said}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--deals", "0"), "it is 1 or more"),
        (("--games", "3.5"), "it is a whole number, not '3.5'"),
        (("--deals", "9" * 5000), "it is 10000000 at most"),
        (("--seed", ""), "it is a number or a word"),
        (("--processes", "4000"), "more than cores only get in each other's way"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        arena("--a", "medium", "--b", "medium", *words)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("columns", [1, 20, 300])
def test_progress_stays_in_its_line_however_narrow_the_terminal_is(columns: int) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    with os.fdopen(theirs, "w") as out:
        progress = Progress(1000, "deal", out)
        progress.clear()
        shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert max(map(len, shown.split("\r"))) <= columns - 1
    assert shown.startswith("\r" + "0 of 1000 deals"[: columns - 1])


@pytest.mark.usefixtures("_impatient")
def test_interrupted_it_prints_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--a", f"{PLANTED}:Impatient", "--b", f"{PLANTED}:Impatient", "--deals", "9", "--json") == 130
    found = json.loads(capsys.readouterr().out)
    assert (found["played"], found["asked"]) == (3, 9)


@pytest.mark.parametrize("when", [b"\r0 of 20000 deals", b" points a hand, "])
def test_ctrl_c_stops_all_processes_and_prints_what_there_is(when: bytes) -> None:
    ours, theirs = pty.openpty()
    words = ["arena", "--a", "medium", "--b", "random", "--deals", "20000", "--processes", "2"]
    process = subprocess.Popen(
        [COMMAND, *words], stdout=subprocess.PIPE, stderr=theirs, start_new_session=True, text=True
    )
    os.close(theirs)
    shown = b""
    while when not in shown:
        shown += os.read(ours, 1000)
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=20)  # which waits for all who could still print
    while left := rest(ours):
        shown += left
    os.close(ours)
    assert process.returncode == 130
    assert " of 20000 deals, each played twice" in said or said in ("Nothing was played to its end.\n", "")
    assert b"Traceback" not in shown


def rest(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1000)
    except OSError:  # nobody has it open any more
        return b""
