"""`spades archive` as a command: its list, its exports, and its error messages."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from server.store.embedded.process import EmbeddedStore
from server.store.keys import keys_of
from server.store.log import Appended
from server.store.redis_log import RedisLog
from spades_core.commit import Commit
from spades_core.events import BidPlaced
from spades_core.seats import SEATS
from tests.archive_command import listed, spades
from tests.serving import COMMAND

GOLDEN = Path(__file__).parents[2] / "golden"
ONE, FOUR = ((GOLDEN / name).read_text("utf-8") for name in ("one_hand.spades", "blind_nil_and_jokers.spades"))


async def refused(*arguments: str | Path) -> str:
    """Run a command that fails; return its error message."""
    code, output, errors = await spades(*arguments)
    assert (code, output) == (1, "")
    assert errors.startswith("spades: ")
    assert errors.count("\n") == 1
    return errors.removeprefix("spades: ").rstrip("\n")


class ArchiveStore:
    """A store with an archive that tests add games to."""

    def __init__(self, url: str, log: RedisLog) -> None:
        self.url = url
        self._log = log

    async def add(self, code: str, text: str) -> str:
        """Add a game that ends with the second commit of a new table; return its name."""
        first, last = (
            Commit(n, f"{n:016x}", p, None, None, (BidPlaced(SEATS[0], 3),)) for n, p in ((1, ""), (2, "0" * 15 + "1"))
        )
        assert await self._log.create(code, first)
        assert await self._log.append(code, last, game=text) == Appended(last.at)
        return f"{code}-2"

    async def list(self) -> list[dict[str, object]]:
        return await listed("--redis", self.url)

    async def export(self, *arguments: str | Path) -> tuple[int | None, str, str]:
        return await spades("archive", "export", *arguments, "--redis", self.url)

    async def damage(self, code: str) -> None:
        async with Redis.from_url(self.url, protocol=2) as redis:
            await redis.set(keys_of(code).game(2), b"no game")


@pytest.fixture
async def archive(tmp_path: Path) -> AsyncIterator[ArchiveStore]:
    async with EmbeddedStore(tmp_path / "store") as url:
        log = RedisLog(url)
        yield ArchiveStore(url, log)
        await log.close()


async def test_an_empty_archive(archive: ArchiveStore, tmp_path: Path) -> None:
    assert await spades("archive", "list", "--redis", archive.url) == (0, "No finished games yet.\n", "")
    assert await archive.list() == []
    assert await archive.export("--all", "--to", tmp_path / "out") == (0, "No finished games yet.\n", "")


async def test_the_list_has_a_row_per_game(archive: ArchiveStore) -> None:
    await archive.add("AAAAA", ONE)
    await archive.add("BBBBB", FOUR)
    code, output, errors = await spades("archive", "list", SPADES_REDIS=archive.url)
    assert (code, errors) == (0, "")
    ended = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    assert re.fullmatch(
        "ENDED \\(UTC\\)           GAME     HANDS  RESULT     NORTH AND SOUTH  EAST AND WEST\n"
        f"{ended}  BBBBB-2      4  283 : 282  Anna and Cleo    Ben and Dan\n"
        f"{ended}  AAAAA-2      1  53 : 150   Anna and Cleo    Ben and Otto\n",
        output,
    ), output


async def test_a_draw_and_scores_below_zero_are_listed(archive: ArchiveStore) -> None:
    await archive.add("AAAAA", ONE.replace("East-West won 150 to 53 (target)", "a draw at -12 (hand limit)"))
    [game] = await archive.list()
    assert (game["scores"], game["winner"], game["reason"]) == ([-12, -12], None, "hand limit")


async def test_an_exported_file_is_the_archived_text(archive: ArchiveStore, tmp_path: Path) -> None:
    one, four = await archive.add("AAAAA", ONE), await archive.add("BBBBB", FOUR)
    for names in (("--all",), (one, four.lower())):
        folder = tmp_path / names[0] / "new"
        code, output, errors = await archive.export(*names, "--to", folder)
        assert (code, errors) == (0, "")
        assert set(output.splitlines()) == {f"{folder}/{one}.spades", f"{folder}/{four}.spades"}
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
            f"{one}.spades": ONE.encode(),
            f"{four}.spades": FOUR.encode(),
        }
    assert await archive.export(one, "--to", "-") == (0, ONE, "")


async def test_a_file_with_another_content_is_not_overwritten(archive: ArchiveStore, tmp_path: Path) -> None:
    one, four = await archive.add("AAAAA", ONE), await archive.add("BBBBB", FOUR)
    file = tmp_path / f"{one}.spades"
    file.write_text("a shopping list")
    code, output, errors = await archive.export("--all", "--to", tmp_path)
    assert code == 1
    assert output == f"{tmp_path / four}.spades\n"
    assert errors == f"spades: {file} has another content; move it away, or choose another folder with --to\n"
    assert file.read_text() == "a shopping list"
    file.write_text(ONE)
    assert (await archive.export("--all", "--to", tmp_path))[0] == 0


async def test_each_failed_export_is_reported(archive: ArchiveStore, tmp_path: Path) -> None:
    one = await archive.add("AAAAA", ONE)
    code, output, errors = await archive.export("AAAAA-9", one, "../AAAAA", "--to", tmp_path)
    assert (code, output) == (1, f"{tmp_path / one}.spades\n")
    assert errors.splitlines() == [
        "spades: there is no finished game AAAAA-9; finished games are kept for 30 days",
        "spades: '../AAAAA' is not the name of a game, which is as in HRTJK-812; see spades archive list",
    ]
    assert await refused("archive", "export", "--all", "--to", "-", "--redis", archive.url) == (
        "only one game at a time goes to standard output: name one"
    )
    errors = await refused("archive", "export", one, "--to", tmp_path / f"{one}.spades", "--redis", archive.url)
    assert errors == f"{tmp_path / one}.spades/{one}.spades cannot be written: File exists"
    (tmp_path / "folder" / f"{one}.spades").mkdir(parents=True)
    errors = await refused("archive", "export", one, "--to", tmp_path / "folder", "--redis", archive.url)
    assert errors.endswith("cannot be written: Is a directory")


async def test_a_damaged_game_is_marked_and_the_others_are_exported(archive: ArchiveStore, tmp_path: Path) -> None:
    one, four = await archive.add("AAAAA", ONE), await archive.add("BBBBB", FOUR)
    await archive.add("CCCCC", "not what a game looks like\n")
    await archive.damage("AAAAA")
    games = {str(game["name"]): game for game in await archive.list()}
    assert {name for name, game in games.items() if game.get("damaged")} == {one, "CCCCC-2"}
    _, output, _ = await spades("archive", "list", "--redis", archive.url)
    assert re.search(f"Z  {one}         damaged\n", output)
    code, output, errors = await archive.export("--all", "--to", tmp_path)
    assert code == 1
    assert errors == f"spades: the archived game {one} is damaged: its bytes cannot be read\n"
    assert (tmp_path / f"{four}.spades").read_text("utf-8") == FOUR


async def test_a_closed_pipe_is_no_error_and_a_full_disk_is_one(archive: ArchiveStore) -> None:
    for number in range(20):
        await archive.add("AAAA" + "ABCDEFGHJKLMNPQRSTUV"[number], FOUR)
    listing = f"{COMMAND} archive list --redis {archive.url}"
    shell = f"{listing} | head -n 1; {listing} > /dev/full"
    process = await asyncio.create_subprocess_shell(
        shell, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    output, errors = await process.communicate()
    assert output.startswith(b"ENDED (UTC)")
    assert errors == b"spades: the list cannot be printed: No space left on device\n"


async def test_a_folder_without_data_is_named_and_left_unchanged(tmp_path: Path) -> None:
    assert await refused("archive", "list", "--data", tmp_path) == (
        f"{tmp_path} is not a data folder: no server has kept its tables there"
    )
    assert os.listdir(tmp_path) == []
    assert "is not a data folder" in await refused("archive", "export", "--all", "--data", tmp_path / "none")


async def test_an_unreachable_store_is_named() -> None:
    errors = await refused("archive", "list", "--redis", "redis://127.0.0.1:1")
    assert errors == "the store at 127.0.0.1:1 cannot be reached: Connection refused"
    assert "is not valid" in await refused("archive", "list", "--redis", "http://127.0.0.1")
