"""Parses docs/house_rules.md into its sections, and its tables by their first row."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "house_rules.md"
TEXT = PAGE.read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return the text under a heading, up to the next one, as one line."""
    found = re.findall(rf"^#+ `?{re.escape(title)}`?\n(.*?)(?=^#|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"docs/house_rules.md has {len(found)} sections called {title!r}, not one"
    return " ".join(str(found[0]).split())


def tables(*head: str) -> list[tuple[str, ...]]:
    """Return the rows of every table with this first row."""
    rows: list[tuple[str, ...]] = []
    inside = False
    for line in TEXT.splitlines():
        cells = tuple(cell.strip() for cell in line.strip("|").split("|")) if line.startswith("|") else ()
        if cells == head:
            inside = True
        elif not cells:
            inside = False
        elif inside and not cells[0].startswith("---"):
            rows.append(cells)
    return rows


def heads() -> set[tuple[str, ...]]:
    """Return the first row of each table."""
    found = re.findall(r"^\|(.*)\|\n\|---", TEXT, re.MULTILINE)
    return {tuple(cell.strip() for cell in str(head).split("|")) for head in found}


def codes(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def number(text: str) -> int:
    return int(text.replace("−", "-"))
