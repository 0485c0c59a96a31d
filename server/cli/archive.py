"""`spades archive`: which games are finished, and each of them as a file.

Invariant: what is exported is the text as it was archived, to the byte; no file
that says something else is overwritten.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from server.cli.output import put_out
from server.cli.terminal import padded, shortened, widest
from server.settings import Settings
from server.store.archive import Archive, ArchivedGame, GameDamaged, GameName
from server.store.embedded.borrow import visited
from server.store.redis_log import DAY_MS, GAME_MS, RedisLog
from spades_core.seats import SIDES, BySide

STANDARD_OUTPUT = "-"
EMPTY = "No finished games yet."
MAX_NAME_LENGTH = 16
HEADS = ("ENDED (UTC)", "GAME", "HANDS", "RESULT", "NORTH AND SOUTH", "EAST AND WEST")

_SEAT = re.compile(r"^(North|East|South|West) +(?:player|(?:\w+ )?bot|away) +(.+)$", re.MULTILINE)
_HAND = re.compile(r"^Hand (\d+), dealer", re.MULTILINE)
_END = re.compile(
    r"^End     (?:(?P<winner>North-South|East-West) won (?P<most>-?\d+) to (?P<least>-?\d+)"
    r"|a draw at (?P<draw>-?\d+)) \((?P<reason>.+)\)\n\Z",
    re.MULTILINE,
)


class CannotExport(Exception):
    """Why a game is not written out, in one sentence."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What is told of a game in a line. `players` clockwise from North, as they sat at its end."""

    players: tuple[str, ...]
    hands: int
    scores: BySide[int]
    winner: str | None
    reason: str


def list_games(settings: Settings, *, as_json: bool) -> None:
    """Raises StoreError, CannotPrint."""
    listed = asyncio.run(_listed(settings))
    text = json.dumps([_plain(*each) for each in listed], indent=2) if as_json else "\n".join(_lines(listed))
    put_out(f"{text}\n", "the list")


def export(settings: Settings, names: Sequence[str], to: str) -> list[str]:
    """Write out the games of these names, or all when there are none; a sentence for each that could not be.

    Raises StoreError, CannotPrint, CannotExport.
    """
    if to == STANDARD_OUTPUT and len(names) != 1:
        raise CannotExport("only one game at a time goes to standard output: name one")
    return asyncio.run(_exported(settings, names, to))


def summary(text: str) -> Summary | None:
    """Only looked through, not checked: that is what `spades replay` is for. None for what is no finished game."""
    names = dict(_SEAT.findall(text))
    hands, end = _HAND.findall(text), _END.search(text)
    if len(names) != 4 or not hands or end is None:
        return None
    scores = [int(end[name] or end["draw"]) for name in ("most", "least")]
    if end["winner"] == "East-West":
        scores.reverse()
    players = tuple(names[seat] for seat in ("North", "East", "South", "West"))
    return Summary(players, int(hands[-1]), (scores[0], scores[1]), end["winner"], end["reason"])


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Archive]:
    store = visited(settings.data) if settings.redis is None else nullcontext(settings.redis)
    async with store as url:
        log = RedisLog(url)
        try:
            yield Archive(log)
        finally:
            await log.close()


async def _listed(settings: Settings) -> list[tuple[ArchivedGame, Summary | None]]:
    """The games, and None for one that is damaged."""
    async with _opened(settings) as archive:
        return [(game, _summary_of(game)) async for game in archive.games()]


def _summary_of(game: ArchivedGame) -> Summary | None:
    try:
        return summary(game.text())
    except GameDamaged:
        return None


def _plain(game: ArchivedGame, told: Summary | None) -> dict[str, Any]:
    known = {"name": str(game.name), "table": game.name.code, "ended": _time(game.ended_ms)}
    if told is None:
        return {**known, "damaged": True}
    return {
        **known,
        "players": told.players,
        "hands": told.hands,
        "scores": told.scores,
        "winner": told.winner,
        "reason": told.reason,
    }


def _lines(listed: Sequence[tuple[ArchivedGame, Summary | None]]) -> Iterator[str]:
    """In columns, those of names at the end: what is out of line in an unusual script is out of nobody's way."""
    if not listed:
        yield EMPTY
        return
    rows = [HEADS, *(_row(*each) for each in listed)]
    widths = [widest(column) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(padded(text, width) for text, width in zip(row, widths, strict=True)).rstrip()


def _row(game: ArchivedGame, told: Summary | None) -> tuple[str, ...]:
    known = (_time(game.ended_ms), str(game.name))
    if told is None:
        return (*known, "", "damaged", "", "")
    names = [shortened(name, MAX_NAME_LENGTH) for name in told.players]
    sides = (f"{names[side]} and {names[side + 2]}" for side in SIDES)
    return (*known, f"{told.hands:>5}", f"{told.scores[0]} : {told.scores[1]}", *sides)


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def _exported(settings: Settings, names: Sequence[str], to: str) -> list[str]:
    problems: list[str] = []

    @contextmanager
    def noting() -> Iterator[None]:
        try:
            yield
        except (GameDamaged, CannotExport) as problem:
            problems.append(str(problem))

    async with _opened(settings) as archive:
        for word in names:
            with noting():
                _write(to, *await _found(archive, word))
        if not names:
            none_yet = True
            async for game in archive.games():
                none_yet = False
                with noting():
                    _write(to, game.name, game.text())
            if none_yet:
                put_out(f"{EMPTY}\n", "this")
    return problems


async def _found(archive: Archive, word: str) -> tuple[GameName, str]:
    name = GameName.parse(word.upper())
    if name is None:
        raise CannotExport(
            f"{word[:40]!r} is not the name of a game, which is as in HRTJK-812; see spades archive list"
        )
    text = await archive.text(name)
    if text is None:
        raise CannotExport(f"there is no finished game {name}; finished games are kept for {GAME_MS // DAY_MS} days")
    return name, text


def _write(to: str, name: GameName, text: str) -> None:
    """One file, or standard output; a file that says the same already is as good."""
    content = text.encode()
    if to == STANDARD_OUTPUT:
        put_out(content, "the game")
        return
    path = Path(to) / f"{name}.spades"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _created(path, content) and path.read_bytes() != content:
            raise CannotExport(f"{path} holds something else already; move it away, or choose another folder with --to")
    except OSError as problem:
        raise CannotExport(f"{path} cannot be written: {problem.strerror}") from None
    put_out(f"{path}\n", "what was written")


def _created(path: Path, content: bytes) -> bool:
    """False when there is something of that name."""
    try:
        file = path.open("xb")
    except FileExistsError:
        return False
    try:
        with file:
            file.write(content)
    except OSError:
        path.unlink()  # half a game would be in the way of the whole one
        raise
    return True
