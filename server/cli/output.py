"""Standard output and error of a command."""

import os
import sys
from typing import TextIO


class CommandError(Exception):
    """A command cannot be carried out; the text is one sentence for the user."""


def print_error(sentence: object) -> None:
    print(f"spades: {sentence}", file=sys.stderr)


def standard_output(what: str) -> TextIO:
    """Return standard output. Raises CommandError, saying that `what` cannot be printed, if it is closed."""
    if sys.stdout is None:
        raise CommandError(f"{what} cannot be printed: standard output is closed")
    return sys.stdout


def write_output(text: str | bytes, what: str) -> None:
    """Write to standard output; characters that its encoding lacks become question marks.

    A reader that closes the pipe early is no error. Raises CommandError, saying that `what` cannot be printed.
    """
    out = standard_output(what)
    try:
        out.buffer.write(text if isinstance(text, bytes) else text.encode(out.encoding, errors="replace"))
        out.buffer.flush()
    except OSError as problem:
        # What is still buffered must not fail again when Python closes the output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
        if not isinstance(problem, BrokenPipeError):
            raise CommandError(f"{what} cannot be printed: {problem.strerror}") from None
