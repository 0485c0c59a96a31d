"""`spades replay` as a command: its transcript, and its error messages."""

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from server.cli.replay import MAX_BYTES
from server.cli.terminal import truncate
from tests.serving import COMMAND

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden"
ONE_HAND, UNFINISHED, JOKERS = (
    GOLDEN / f"{stem}.spades" for stem in ("one_hand", "unfinished", "blind_nil_and_jokers")
)


def replay(*arguments: str | Path, typed: bytes = b"", **environment: str) -> tuple[int, str, str]:
    """Run the command; return its exit status, standard output and standard error."""
    done = subprocess.run(
        [COMMAND, "replay", *arguments],
        input=typed,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        timeout=30,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def in_a_terminal(*arguments: str | Path, **environment: str) -> str:
    """Run the command in a terminal; return its output."""
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
    """Run a command that fails; return its error message."""
    code, output, message = replay(*arguments, typed=typed)
    assert (code, output) == (1, "")
    assert message.startswith("spades: ")
    assert message.count("\n") == 1
    return message.removeprefix("spades: ").rstrip("\n")


def test_the_transcript_is_the_one_in_the_documentation() -> None:
    page = (ROOT / "docs" / "notation.md").read_text("utf-8")
    [shown] = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    assert replay(ONE_HAND) == (0, shown, "")


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (ONE_HAND, "1 hand, 52 cards, Ben and Otto won 150 to 53: correct\n"),
        (JOKERS, "4 hands, 208 cards, Anna and Cleo won 283 to 282: correct\n"),
        (UNFINISHED, "2 hands, 81 cards, unfinished: correct\n"),
    ],
)
def test_quiet_prints_only_a_summary(file: Path, message: str) -> None:
    assert replay(file, "--quiet") == (0, message, "")


def test_looks_passes_and_changes_of_players_are_in_the_transcript() -> None:
    _, output, _ = replay(JOKERS)
    assert "  Bids   Ben blind nil · Cleo 2 · Dan looks · Dan 4 · Anna 4\n" in output
    assert "  Passes Ben gives Dan 8♦ K♦ · Dan gives Ben 4♦ 7♥\n" in output
    assert "  · Ben left; a bot takes over\n" in output
    assert "  · Ben is back\n" in output
    assert "♠ LJ 2♦ A 10 7 5 3" in output


def test_the_levels_of_bots_and_their_changes_are_in_the_transcript() -> None:
    _, output, _ = replay(UNFINISHED)
    assert "A bot plays for Otto (easy) and Wilma (expert).\n" in output
    assert "  · Otto's level is now hard\n\n── Hand 2" in output


def test_an_unfinished_game_ends_with_its_last_card_and_scores() -> None:
    _, output, _ = replay(UNFINISHED)
    assert output.endswith(
        "    8           › 10♦\n\n"
        "The game is not finished: Anna and Cleo 141, Otto and Wilma 62.\n"
        "2 hands, 81 cards: correct\n"
    )


def test_a_dash_reads_standard_input() -> None:
    assert replay("-", "--quiet", typed=ONE_HAND.read_bytes())[0] == 0


def test_a_byte_order_mark_and_crlf_are_accepted() -> None:
    typed = b"\xef\xbb\xbf" + ONE_HAND.read_bytes().replace(b"\n", b"\r\n")
    assert replay("-", "--quiet", typed=typed)[0] == 0


def test_a_terminal_gets_colours_and_the_same_text() -> None:
    seen = in_a_terminal(ONE_HAND)
    assert "\x1b[31m" in seen
    assert re.sub(r"\x1b\[[\d;]*m", "", seen) == replay(ONE_HAND)[1]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_turned_off(environment: dict[str, str]) -> None:
    assert in_a_terminal(ONE_HAND, **environment) == replay(ONE_HAND)[1]


def test_suits_are_letters_if_the_encoding_has_no_symbols() -> None:
    code, output, _ = replay(JOKERS, PYTHONIOENCODING="ascii")
    assert code == 0
    assert output.isascii()
    assert "[AD]" in output


def test_nothing_is_printed_of_an_invalid_game(tmp_path: Path) -> None:
    file = tmp_path / "edited.spades"
    file.write_text(ONE_HAND.read_text("utf-8").replace("now 53", "now 63"), "utf-8")
    message = refused(file)
    assert message.startswith(f"{file}, line 32 says '   +53  now 63, 3 bags': expected '   +53  now 53, 3 bags' after")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.spades"
    assert refused(missing) == f"{missing} cannot be read: No such file or directory"


def test_a_folder_is_refused(tmp_path: Path) -> None:
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
def test_a_file_that_is_no_game_is_refused(content: bytes, problem: str) -> None:
    assert refused("-", typed=content).startswith(problem)


def test_a_closed_pipe_is_no_error() -> None:
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
    ("closed", "message"),
    [
        ("<&-", "standard input cannot be read: it is closed"),
        (">&-", "the game cannot be printed: standard output is closed"),
    ],
)
def test_closed_standard_input_or_output_is_named(closed: str, message: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" replay - {closed}', COMMAND],
        input=ONE_HAND.read_bytes(),
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr.decode()) == (1, f"spades: {message}\n")


def test_names_are_shortened_to_columns_of_a_terminal() -> None:
    assert truncate("Wolfeschlegelsteinhausen", 12) == "Wolfeschleg."
    assert truncate("安娜安娜安娜安娜", 12) == "安娜安娜安."
    assert truncate("Zoe\u0308", 3) == "Zoe\u0308"
