"""`spades archive`: list finished games and export them as files.

Invariant: an exported file is the archived text, byte for byte; a file with
another content is never overwritten.
"""

import argparse
import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wcwidth import ljust

from server.cli.output import CommandError, print_error, write_output
from server.cli.store_options import add_store_options, data_folder
from server.cli.terminal import max_width, truncate
from server.runtime.logs import configure_logging
from server.settings import Settings
from server.store.archive import Archive, ArchivedGame, CorruptGameError, GameName
from server.store.embedded.process import open_for_reading
from server.store.redis_log import DAY_MS, GAME_TTL_MS, RedisLog
from spades_core.seats import SIDES, BySide

STANDARD_OUTPUT = "-"
EMPTY = "No finished games yet."
NAME_COLUMNS = 16
HEADINGS = ("ENDED (UTC)", "GAME", "HANDS", "RESULT", "NORTH AND SOUTH", "EAST AND WEST")

_SEAT = re.compile(r"^(North|East|South|West) +(?:player|(?:\w+ )?bot|away) +(.+)$", re.MULTILINE)
_HAND = re.compile(r"^Hand (\d+), dealer", re.MULTILINE)
_END = re.compile(
    r"^End     (?:(?P<winner>North-South|East-West) won (?P<most>-?\d+) to (?P<least>-?\d+)"
    r"|a draw at (?P<draw>-?\d+)) \((?P<reason>.+)\)\n\Z",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished game in short; `players` are those at its end, clockwise from North."""

    players: tuple[str, ...]
    hands: int
    scores: BySide[int]
    winner: str | None
    reason: str


def add_archive(command: argparse.ArgumentParser) -> None:
    commands = command.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="list all finished games, newest first")
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(run=list_games)
    export = commands.add_parser("export", help="write finished games to files NAME.spades, for spades replay")
    games = export.add_mutually_exclusive_group(required=True)
    games.add_argument("names", nargs="*", metavar="NAME", default=[], help="names of games, as listed")
    games.add_argument("--all", action="store_true", help="every finished game")
    export.add_argument(
        "--to", metavar="DIR", default=".", help="folder of the files; - prints one game (default: this folder)"
    )
    export.set_defaults(run=export_games)
    for each in (listing, export):
        add_store_options(each)


def list_games(options: argparse.Namespace) -> int:
    """Print all games. Raises CommandError, StoreError."""
    listed = asyncio.run(_list(_settings(options)))
    text = json.dumps([_to_json(*each) for each in listed], indent=2) if options.json else "\n".join(_table(listed))
    write_output(f"{text}\n", "the list")
    return 0


def export_games(options: argparse.Namespace) -> int:
    """Write the named games, or all, and print an error for each that fails. Raises CommandError, StoreError."""
    if options.to == STANDARD_OUTPUT and len(options.names) != 1:
        raise CommandError("only one game at a time goes to standard output: name one")
    problems = asyncio.run(_export(_settings(options), options.names, options.to))
    for problem in problems:
        print_error(problem)
    return 1 if problems else 0


def summary(text: str) -> Summary | None:
    """Return the summary of a text in notation, without checking it, or None if it is no finished game."""
    names = dict(_SEAT.findall(text))
    hands, end = _HAND.findall(text), _END.search(text)
    if len(names) != 4 or not hands or end is None:
        return None
    scores = [int(end[name] or end["draw"]) for name in ("most", "least")]
    if end["winner"] == "East-West":
        scores.reverse()
    players = tuple(names[seat] for seat in ("North", "East", "South", "West"))
    return Summary(players, int(hands[-1]), (scores[0], scores[1]), end["winner"], end["reason"])


def _settings(options: argparse.Namespace) -> Settings:
    configure_logging("warning")
    return Settings(redis=options.redis, data=data_folder(options))


@asynccontextmanager
async def _open_archive(settings: Settings) -> AsyncIterator[Archive]:
    store = open_for_reading(settings.data) if settings.redis is None else nullcontext(settings.redis)
    async with store as url:
        log = RedisLog(url)
        try:
            yield Archive(log)
        finally:
            await log.close()


async def _list(settings: Settings) -> list[tuple[ArchivedGame, Summary | None]]:
    """Return all games with their summaries; a damaged game has none."""
    async with _open_archive(settings) as archive:
        return [(game, _summary_of(game)) async for game in archive.games()]


def _summary_of(game: ArchivedGame) -> Summary | None:
    try:
        return summary(game.text())
    except CorruptGameError:
        return None


def _to_json(game: ArchivedGame, summary: Summary | None) -> dict[str, Any]:
    return {
        "name": str(game.name),
        "table": game.name.code,
        "ended": _time(game.ended_ms),
        **({"damaged": True} if summary is None else asdict(summary)),
    }


def _table(listed: Sequence[tuple[ArchivedGame, Summary | None]]) -> Iterator[str]:
    """Return the games as aligned rows, names last: scripts that a terminal misaligns then disturb no other column."""
    if not listed:
        yield EMPTY
        return
    rows = [HEADINGS, *(_row(*each) for each in listed)]
    widths = [max_width(column) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(ljust(text, width) for text, width in zip(row, widths, strict=True)).rstrip()


def _row(game: ArchivedGame, summary: Summary | None) -> tuple[str, ...]:
    ended, name = _time(game.ended_ms), str(game.name)
    if summary is None:
        return ended, name, "", "damaged", "", ""
    names = [truncate(player, NAME_COLUMNS) for player in summary.players]
    sides = (f"{names[side]} and {names[side + 2]}" for side in SIDES)
    return ended, name, f"{summary.hands:>5}", f"{summary.scores[0]} : {summary.scores[1]}", *sides


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def _export(settings: Settings, names: Sequence[str], to: str) -> list[str]:
    """Write the named games, or all if there are no names; return the errors."""
    problems: list[str] = []

    @contextmanager
    def collecting_problems() -> Iterator[None]:
        try:
            yield
        except (CorruptGameError, CommandError) as problem:
            problems.append(str(problem))

    async with _open_archive(settings) as archive:
        for name in names:
            with collecting_problems():
                _write(to, *await _find(archive, name))
        if not names:
            empty = True
            async for game in archive.games():
                empty = False
                with collecting_problems():
                    _write(to, game.name, game.text())
            if empty:
                write_output(f"{EMPTY}\n", "this")
    return problems


async def _find(archive: Archive, text: str) -> tuple[GameName, str]:
    name = GameName.parse(text.upper())
    if name is None:
        raise CommandError(
            f"{text[:40]!r} is not the name of a game, which is as in HRTJK-812; see spades archive list"
        )
    game = await archive.text(name)
    if game is None:
        raise CommandError(
            f"there is no finished game {name}; finished games are kept for {GAME_TTL_MS // DAY_MS} days"
        )
    return name, game


def _write(to: str, name: GameName, text: str) -> None:
    """Write a game to a file or to standard output; a file with the same content is left as it is."""
    content = text.encode()
    if to == STANDARD_OUTPUT:
        write_output(content, "the game")
        return
    path = Path(to) / f"{name}.spades"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _create(path, content) and path.read_bytes() != content:
            raise CommandError(f"{path} has another content; move it away, or choose another folder with --to")
    except OSError as problem:
        raise CommandError(f"{path} cannot be written: {problem.strerror}") from None
    write_output(f"{path}\n", "what was written")


def _create(path: Path, content: bytes) -> bool:
    """Create a file; return False if the path exists."""
    try:
        file = path.open("xb")
    except FileExistsError:
        return False
    try:
        with file:
            file.write(content)
    except OSError:
        path.unlink()  # an incomplete file would block the next export
        raise
    return True
