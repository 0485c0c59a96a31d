"""Parses docs/protocol.md into its sections, tables, examples and conversation."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")

_PARTS = re.compile(r"<!-- (?P<note>.*?) -->|^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A note in an HTML comment, with the value of the ```json block directly after it, if any."""

    line: int
    note: str
    value: Any = None
    has_value: bool = False

    def __str__(self) -> str:
        return f"docs/protocol.md:{self.line} ({self.note})"


def parts() -> list[Part]:
    """Return all notes and ```json blocks; a block without a note before it has an empty one."""
    found: list[Part] = []
    for match in _PARTS.finditer(TEXT):
        line = TEXT.count("\n", 0, match.start()) + 1
        if match["note"] is not None:
            found.append(Part(line, match["note"]))
        elif match["language"] == "json":
            waiting = found and not found[-1].has_value and TEXT.splitlines()[line - 2].startswith("<!--")
            note = found.pop().note if waiting else ""
            found.append(Part(line, note, json.loads(match["body"]), has_value=True))
    return found


def examples(kind: str) -> list[Part]:
    return [part for part in parts() if part.note == kind]


def conversation() -> list[Part]:
    """Return the parts of the last section."""
    begin = TEXT.count("\n", 0, TEXT.index("\n## A conversation")) + 1
    return [part for part in parts() if part.line > begin]


def python_blocks() -> list[str]:
    return [match["body"] for match in _PARTS.finditer(TEXT) if match["language"] == "python"]


def section(title: str) -> str:
    """Return the text under a heading, up to the next one."""
    heads = list(re.finditer(rf"^#+ `?{re.escape(title)}`?\n", TEXT, re.MULTILINE))
    assert len(heads) == 1, f"docs/protocol.md has {len(heads)} sections called {title!r}, not one"
    rest = TEXT[heads[0].end() :]
    following = re.search(r"^#", rest, re.MULTILINE)
    return rest[: following.start()] if following else rest


def rows(title: str) -> dict[str, str]:
    """Return the rows of all tables of a section, by their first cell without backticks."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    rules = [place for place, line in enumerate(lines) if line.startswith("|---")]
    skipped = {*rules, *(place - 1 for place in rules)}
    cells = [line.strip("| ").partition("|") for place, line in enumerate(lines) if place not in skipped]
    return {first.strip().strip("`"): rest for first, _, rest in cells}
