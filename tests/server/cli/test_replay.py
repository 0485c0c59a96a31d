"""`spades replay` as a person meets it: the game told, and one sentence when there is none."""

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from server.cli.replay import MAX_BYTES
from server.cli.terminal import shortened
from tests.serving import COMMAND

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden"
ONE_HAND, UNFINISHED, JOKERS = (
    GOLDEN / f"{stem}.spades" for stem in ("one_hand", "unfinished", "blind_nil_and_jokers")
)


def replay(*arguments: str | Path, typed: bytes = b"", **environment: str) -> tuple[int, str, str]:
    """How it ends, what it prints and what it complains of."""
    done = subprocess.run(
        [COMMAND, "replay", *arguments],
        input=typed,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        timeout=30,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def at_a_terminal(*arguments: str | Path, **environment: str) -> str:
    """What a person at a terminal sees."""
    ours, theirs = pty.openpty()
    wanted = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    wanted.update({"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment})
    with subprocess.Popen([COMMAND, "replay", *arguments], stdout=theirs, env=wanted) as process:
        os.close(theirs)
        seen = b""
        try:
            while more := os.read(ours, 4096):
                seen += more
        except OSError:  # Linux says so when the other end is closed
            pass
        assert process.wait(30) == 0
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


def refused(*arguments: str | Path, typed: bytes = b"") -> str:
    """The one sentence, when nothing is told."""
    code, told, said = replay(*arguments, typed=typed)
    assert (code, told) == (1, "")
    assert said.startswith("spades: ")
    assert said.count("\n") == 1
    return said.removeprefix("spades: ").rstrip("\n")


def test_a_game_is_told_as_the_page_shows_it() -> None:
    page = (ROOT / "docs" / "notation.md").read_text("utf-8")
    [shown] = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    assert replay(ONE_HAND) == (0, shown, "")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (ONE_HAND, "1 hand, 52 cards, Ben and Otto won 150 to 53: correct\n"),
        (JOKERS, "4 hands, 208 cards, Anna and Cleo won 283 to 282: correct\n"),
        (UNFINISHED, "2 hands, 81 cards, unfinished: correct\n"),
    ],
)
def test_quietly_a_game_is_only_checked(file: Path, said: str) -> None:
    assert replay(file, "--quiet") == (0, said, "")


def test_looks_passes_and_players_who_come_and_go_are_told() -> None:
    _, told, _ = replay(JOKERS)
    assert "  Bids   Ben blind nil · Cleo 2 · Dan looks · Dan 4 · Anna 4\n" in told
    assert "  Passes Ben gives Dan 8♦ K♦ · Dan gives Ben 4♦ 7♥\n" in told
    assert "  · Ben leaves, a bot plays on\n" in told
    assert "  · Ben is back\n" in told
    assert "♠ LJ 2♦ A 10 7 5 3" in told


def test_how_strong_each_bot_plays_is_told_and_when_that_changes() -> None:
    _, told, _ = replay(UNFINISHED)
    assert "A bot plays for Otto (easy) and Wilma (expert).\n" in told
    assert "  · Otto's level is now hard\n\n── Hand 2" in told


def test_an_unfinished_game_is_told_to_its_last_card() -> None:
    _, told, _ = replay(UNFINISHED)
    assert told.endswith(
        "    8           › 10♦\n\n"
        "The game is not finished: Anna and Cleo 141, Otto and Wilma 62.\n"
        "2 hands, 81 cards: correct\n"
    )


def test_a_dash_reads_standard_input() -> None:
    assert replay("-", "--quiet", typed=ONE_HAND.read_bytes())[0] == 0


def test_line_ends_and_marks_of_other_editors_are_no_fault() -> None:
    typed = b"\xef\xbb\xbf" + ONE_HAND.read_bytes().replace(b"\n", b"\r\n")
    assert replay("-", "--quiet", typed=typed)[0] == 0


def test_a_terminal_gets_colours_and_the_same_words() -> None:
    seen = at_a_terminal(ONE_HAND)
    assert "\x1b[31m" in seen
    assert re.sub(r"\x1b\[[\d;]*m", "", seen) == replay(ONE_HAND)[1]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_wants_no_colours_gets_none(environment: dict[str, str]) -> None:
    assert at_a_terminal(ONE_HAND, **environment) == replay(ONE_HAND)[1]


def test_where_there_are_no_suit_symbols_letters_do() -> None:
    code, told, _ = replay(JOKERS, PYTHONIOENCODING="ascii")
    assert code == 0
    assert told.isascii()
    assert "[AD]" in told


def test_a_game_that_is_not_right_is_not_told(tmp_path: Path) -> None:
    file = tmp_path / "edited.spades"
    file.write_text(ONE_HAND.read_text("utf-8").replace("now 53", "now 63"), "utf-8")
    said = refused(file)
    assert said.startswith(f"{file}, line 32 says '   +53  now 63, 3 bags': by what comes before it, it has to be")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.spades"
    assert refused(missing) == f"{missing} cannot be read: No such file or directory"


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    assert refused(tmp_path) == f"{tmp_path} cannot be read: Is a directory"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\x89PNG\r\n\x1a\n\xff", "standard input is not a text in UTF-8"),
        (b"\0" * 100, "standard input, line 1 says"),
        (b"", "standard input, line 1: the text ends here, before the game does"),
        (b"x" * (MAX_BYTES + 1), "standard input is larger than 4 MB; no game is"),
        (b"x" * MAX_BYTES, "standard input, line 1 says"),
    ],
    ids=["picture", "zeros", "nothing", "too large", "just not too large"],
)
def test_what_is_no_game_is_refused_in_a_sentence(content: bytes, problem: str) -> None:
    assert refused("-", typed=content).startswith(problem)


def test_a_reader_who_has_seen_enough_is_no_failure() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run([COMMAND, "replay", JOKERS], stdout=theirs, stderr=subprocess.PIPE, timeout=30, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_is_named() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([COMMAND, "replay", JOKERS], stdout=full, stderr=subprocess.PIPE, timeout=30, check=False)
    assert done.returncode == 1
    assert done.stderr == b"spades: the game cannot be printed: No space left on device\n"


@pytest.mark.parametrize(
    ("closed", "said"),
    [
        ("<&-", "standard input cannot be read: it is closed"),
        (">&-", "the game cannot be printed: standard output is closed"),
    ],
)
def test_a_closed_end_is_named(closed: str, said: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" replay - {closed}', COMMAND],
        input=ONE_HAND.read_bytes(),
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr.decode()) == (1, f"spades: {said}\n")


def test_names_are_shortened_to_columns_of_a_terminal() -> None:
    assert shortened("Wolfeschlegelsteinhausen", 12) == "Wolfeschleg."
    assert shortened("安娜安娜安娜安娜", 12) == "安娜安娜安."
    assert shortened("Zoe\u0308", 3) == "Zoe\u0308"
