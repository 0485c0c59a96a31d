"""The command `spades arena`: its text, its JSON, its exit status and its progress."""

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
from tests.arena.faulty_bots import Interrupted
from tests.serving import COMMAND

FAULTY = "tests.arena.faulty_bots"
NUMBER = (int, float)
TEAM = {
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
MATCH = {
    "a": str,
    "b": str,
    "seed": str,
    "for_reporting": bool,
    "rules": str,
    "scores": str,
    "sampling_unit": str,
    "first": int,
    "requested": int,
    "played": int,
    "points_per_hand": dict,
    "raw_points_per_hand": dict,
    "games_won": type(None),
    "teams": dict,
    "latencies": list,
    "faults": list,
    "fault_examples": list,
}
LATENCIES = {
    "bot": str,
    "kind": str,
    "decisions": int,
    "mean": NUMBER,
    "p50": NUMBER,
    "p95": NUMBER,
    "p99": NUMBER,
    "max": NUMBER,
}


def arena(*arguments: str) -> int:
    return main(["arena", "--processes", "1", *arguments])


def assert_shape(figures: dict[str, Any], shape: dict[str, Any]) -> None:
    assert list(figures) == list(shape)
    for key, kind in shape.items():
        assert isinstance(figures[key], kind), (key, figures[key])


def test_json_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--a", "medium", "--b", "random", "--deals", "5", "--seed", "7", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert_shape(figures, MATCH)
    assert list(figures["points_per_hand"]) == ["mean", "margin"]
    for team in "ab":
        assert_shape(figures["teams"][team], TEAM)
        assert list(figures["teams"][team]["nils"]) == ["bid", "per_hand", "made", "set", "share_made"]
    assert len(figures["latencies"]) == 4
    for times in figures["latencies"]:
        assert_shape(times, LATENCIES)
        assert 0 < times["mean"] <= times["max"]
        assert 0 < times["p50"] <= times["p95"] <= times["p99"]


def test_text_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--a", "medium", "--b", "random", "--games", "2", "--seed", "tune-x", "--scores", "drawn") == 0
    out = capsys.readouterr().out
    for part in (
        "A: medium    B: random",
        "2 games from number 0, each played twice with sides swapped; seed tune-x (for tuning, not for reporting)",
        "rules classic, drawn scores",
        "Lead of A, points per hand",
        "Games won by A",
        "Contracts made",
        "medium, card (",
        "Illegal moves: 0, exceptions: 0",
    ):
        assert part in out


def test_fault_can_be_reproduced(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--a", f"{FAULTY}:Raises", "--b", "medium", "--seed", "3", "--deals")
    assert arena(*arguments, "4", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["faults"] == [{"bot": f"{FAULTY}:Raises", "what": "exception", "count": 4 * 2 * 2}]
    fault = figures["fault_examples"][-1]
    assert arena(*arguments, "1", "--first", str(fault["number"]), "--json") == 0
    assert fault in json.loads(capsys.readouterr().out)["fault_examples"]
    assert arena(*arguments, "2") == 0
    out = capsys.readouterr().out
    assert f"Exceptions of {FAULTY}:Raises: 8, in " in out
    assert "deal 1 (sides swapped), hand 1, seat 1, card: ZeroDivisionError: in the sixth trick" in out


def test_blunders_exit_with_status_1_if_a_bound_is_exceeded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "blunders", "--bot", f"{FAULTY}:BeatsPartner", "--hands", "6", "--processes", "1"]) == 1
    out = capsys.readouterr().out
    assert "FAILED" in out
    assert "in trial" in out
    assert "Not all passed." in out
    arguments = ["arena", "blunders", "--bot", "medium", "--hands", "4", "--processes", "1", "--json", "--seed", "2"]
    status = main(arguments)
    figures = json.loads(capsys.readouterr().out)
    assert status == (not figures["passed"])
    assert [blunder["key"] for blunder in figures["blunders"]][:4] == ["a", "b", "c", "d"]


@pytest.fixture
def _interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interrupted, "hands", 0)


@pytest.mark.usefixtures("_interrupted")
def test_interrupted_blunders_report_the_number_of_trials(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "blunders", "--bot", f"{FAULTY}:Interrupted", "--hands", "40", "--processes", "1"]) == 130
    out = capsys.readouterr().out
    assert "Interrupted after 4 of 148 trials." in out
    assert "No opportunity for " in out


@pytest.mark.parametrize("bot", ["SeesHands", "ShowsPartner"])
def test_hidden_cards_finds_bots_that_use_them(bot: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "hidden-cards", "--bot", f"{FAULTY}:{bot}", "--positions", "12", "--processes", "1"]
    assert main(arguments) == 1
    assert re.search(r"Different in [1-9]\d* of 12 positions\.\n  in trial ", capsys.readouterr().out)
    assert main([*arguments, "--json"]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert (figures["requested"], figures["positions"]) == (12, 12)
    assert figures["different"] > 0


@pytest.mark.parametrize(("bot", "positions"), [("easy", 20), ("medium", 20), ("hard", 20), ("expert:2", 5)])
def test_hidden_cards_finds_nothing_in_the_levels(bot: str, positions: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "hidden-cards", "--bot", bot, "--positions", str(positions), "--processes", "1"]) == 0
    assert f"Different in 0 of {positions} positions.\n" in capsys.readouterr().out


def test_hidden_cards_exits_with_status_1_if_hands_could_not_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "hidden-cards", "--bot", f"{FAULTY}:Raises", "--positions", "3", "--processes", "1"]
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "Different in 0 of 0 positions." in out
    assert "Exceptions: 12" in out


def test_options_before_a_command_apply_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--seed", "9", "--json", "hidden-cards", "--bot", "easy", "--positions", "1") == 0
    assert json.loads(capsys.readouterr().out)["seed"] == "9"


def test_ladder_has_a_rung_for_every_level(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert ladder.RUNGS == ("random", "easy", "medium", "hard", "expert")
    monkeypatch.setattr(ladder, "RUNGS", ladder.RUNGS[:3])
    assert main(["arena", "ladder", "--deals", "3", "--processes", "1", "--json"]) == 0
    rungs = json.loads(capsys.readouterr().out)
    assert [(rung["a"], rung["b"]) for rung in rungs] == [("easy", "random"), ("medium", "easy")]
    assert main(["arena", "ladder", "--deals", "3", "--processes", "1"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].startswith("easy - random")
    assert out[-1] == "3 deals each, played twice with sides swapped; seed 1; figures are those of A"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the arena needs two sides: --a BOT and --b BOT, as in --a hard --b medium"),
        (("--a", "medium", "--b", "nobody"), "there is no bot 'nobody'; choose one of "),
        (("--a", "medium", "--b", "medium", "--rules", "bridge"), "preset: there is no rule set 'bridge'"),
        (("--a", "medium", "ladder"), "--a is an option of a match, not of ladder"),
        (("--rules", "casual", "blunders", "--bot", "hard"), "--rules is an option of a match, not of blunders"),
    ],
)
def test_invalid_arguments_are_explained_in_a_sentence(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena(*arguments) == 1
    assert capsys.readouterr().err.startswith(f"spades: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--deals", "0"), "must be 1 or more"),
        (("--games", "3.5"), "must be a whole number, not '3.5'"),
        (("--deals", "9" * 5000), "must be 10000000 at most"),
        (("--seed", ""), "must be a number or a word"),
        (("--processes", "4000"), "at most, four per core"),
    ],
)
def test_invalid_values_are_refused(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        arena("--a", "medium", "--b", "medium", *arguments)
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("columns", [1, 20, 300])
def test_progress_fits_any_terminal(columns: int) -> None:
    terminal, stderr = pty.openpty()
    termios.tcsetwinsize(stderr, (24, columns))
    with os.fdopen(stderr, "w") as out:
        progress = Progress(1000, "deal", out)
        progress.clear()
        shown = os.read(terminal, 10_000).decode()
    os.close(terminal)
    assert max(map(len, shown.split("\r"))) <= columns - 1
    assert shown.startswith("\r" + "0 of 1000 deals"[: columns - 1])


@pytest.mark.usefixtures("_interrupted")
def test_interrupted_match_prints_the_results_so_far(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--a", f"{FAULTY}:Interrupted", "--b", f"{FAULTY}:Interrupted", "--deals", "9", "--json") == 130
    figures = json.loads(capsys.readouterr().out)
    assert (figures["played"], figures["requested"]) == (3, 9)


@pytest.mark.parametrize("when", [b"\r0 of 20000 deals", b" points per hand, "])
def test_ctrl_c_stops_all_processes_and_prints_the_results_so_far(when: bytes) -> None:
    terminal, stderr = pty.openpty()
    arguments = ["arena", "--a", "medium", "--b", "random", "--deals", "20000", "--processes", "2"]
    process = subprocess.Popen(
        [COMMAND, *arguments], stdout=subprocess.PIPE, stderr=stderr, start_new_session=True, text=True
    )
    os.close(stderr)
    shown = b""
    while when not in shown:
        shown += os.read(terminal, 1000)
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=20)  # returns when no process can print any more
    while left := read_rest(terminal):
        shown += left
    os.close(terminal)
    assert process.returncode == 130
    assert " of 20000 deals from number 0, each played twice" in out or out in ("No deal was finished.\n", "")
    assert b"Traceback" not in shown


def read_rest(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1000)
    except OSError:  # no process has it open
        return b""
