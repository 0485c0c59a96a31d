"""Putting a text out to whoever reads it, a person or a program."""

import os
import sys
from typing import TextIO


class CannotPrint(Exception):
    """Why not, in one sentence."""


def output(what: str) -> TextIO:
    """Standard output; raises CannotPrint, in which `what` cannot be printed, when it is closed."""
    if sys.stdout is None:
        raise CannotPrint(f"{what} cannot be printed: standard output is closed")
    return sys.stdout


def put_out(text: str | bytes, what: str) -> None:
    """To standard output: bytes as they are, of a text the letters it does not have as question marks.

    Raises CannotPrint, in which `what` cannot be printed.
    """
    out = output(what)
    try:
        out.buffer.write(text if isinstance(text, bytes) else text.encode(out.encoding, errors="replace"))
        out.buffer.flush()
    except OSError as problem:
        # What is left must not fail once more when Python closes the output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
        if not isinstance(problem, BrokenPipeError):  # then whoever reads has seen enough
            raise CannotPrint(f"{what} cannot be printed: {problem.strerror}") from None
