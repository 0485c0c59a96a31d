"""Games played on a real server are in its archive as they were played, whether or not the store is in use."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from wcwidth import width

from spades_core.events import BidPlaced, CardPlayed, GameEnded, HandScored, LoggedEvent, TrickTaken
from spades_core.notation import GameRecord, read_game
from tests.archive_command import exported, listed, spades
from tests.players import NAMES, play_all, received_updates, seated_players
from tests.server.store.processes import is_alive, pid_at
from tests.serving import ServerProcess, serving

PUBLIC = (BidPlaced, CardPlayed, TrickTaken, HandScored, GameEnded)
ONE_HAND = "classic,hand_limit=1"


def public(events: Sequence[LoggedEvent]) -> list[LoggedEvent]:
    return [event for event in events if isinstance(event, PUBLIC)]


def names_in(game: GameRecord) -> list[str]:
    return [seat.name for seat in game.table.seats if seat is not None]


async def test_a_game_of_four_players_is_listed_and_exported_as_they_saw_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, seated_players(server.ws_url, "classic,target=200") as players:
        async with received_updates(players[1]) as updates:
            await play_all(players)
        [entry] = await listed("--data", tmp_path / "data")
        text = await exported(entry["name"], "--data", tmp_path / "data")
        view, sheet = players[1].view, players[1].sheet
    game = read_game(text)
    assert public(game.events) == public([event for update in updates for event in update.events])
    assert names_in(game) == entry["players"] == list(NAMES)
    assert game.table.game is not None
    assert entry["table"] == view.code
    assert entry["scores"] == list(game.table.game.scores) == [side.score for side in view.sides]
    assert entry["hands"] == len(sheet) == len(game.table.game.sheet)
    assert game.table.game.outcome == view.outcome
    assert view.outcome is not None
    winners = {None: None, 0: "North-South", 1: "East-West"}
    assert (entry["winner"], entry["reason"]) == (winners[view.outcome.winner], view.outcome.reason)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(entry["ended"]))


async def test_a_second_game_at_the_same_table_is_a_second_entry(tmp_path: Path) -> None:
    data = ("--data", tmp_path / "data")
    async with serving(tmp_path) as server, seated_players(server.ws_url, ONE_HAND) as players:
        await play_all(players)
        [first] = await listed(*data)
        before = await exported(first["name"], *data)
        await play_all(players)
        games = await listed(*data)
        assert [game["table"] for game in games] == [players[0].code] * 2
        assert games[1] == first
        assert await exported(first["name"], *data) == before
        again = read_game(await exported(games[0]["name"], *data))
    assert names_in(again) == list(NAMES)
    assert again.events != read_game(before).events


async def test_a_player_who_leaves_and_returns_is_in_the_game(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, seated_players(server.ws_url, ONE_HAND) as players:
        anna, ben, cleo, dora = players
        code = anna.code
        await anna.start()
        playing = [asyncio.create_task(player.play_game()) for player in (anna, cleo, dora)]
        await ben.leave()
        await anna.wait_for(lambda view: view.seats[1].away)
        await ben.join(code)
        await anna.wait_for(lambda view: not view.seats[1].away or view.phase == "over")
        await ben.play_game()
        await asyncio.gather(*playing)
        [entry] = await listed("--data", tmp_path / "data")
        text = await exported(entry["name"], "--data", tmp_path / "data")
    assert "\nEast    away        Ben\n" in text
    assert names_in(read_game(text)) == entry["players"] == list(NAMES)


async def test_a_server_killed_near_the_end_archives_the_game_once(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    await server.start()
    try:
        async with seated_players(server.ws_url, ONE_HAND) as players:
            playing = asyncio.create_task(play_all(players))
            await players[0].wait_for(lambda view: view.phase == "over" or len(view.tricks) == 12)
            await server.kill()
            await server.start()
            await playing
            [entry] = await listed("--data", tmp_path / "data")
            text = await exported(entry["name"], "--data", tmp_path / "data")
    finally:
        await server.stop()
    assert names_in(read_game(text)) == list(NAMES)


LONG = ("漢" * 24, "שלום" * 6, "e\u0301" * 12 + "Ж" * 12, "W" * 24)


async def test_long_names_of_every_script_are_cut_in_the_list_only(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with serving(tmp_path) as server, seated_players(server.ws_url, ONE_HAND, names=LONG) as players:
        await play_all(players)
        shown = [seat.name for seat in players[0].view.seats]
    [entry] = await listed("--data", data)
    assert entry["players"] == shown
    code, _, _ = await spades("archive", "export", "--all", "--data", data, "--to", tmp_path)
    assert code == 0
    assert names_in(read_game((tmp_path / f"{entry['name']}.spades").read_text("utf-8"))) == shown
    assert (await spades("replay", "--quiet", tmp_path / f"{entry['name']}.spades"))[0] == 0
    _, output, _ = await spades("archive", "list", "--data", data)
    heads, row = output.splitlines()
    north, east = heads.index("NORTH"), heads.index("EAST")
    assert width(row[: row.index("漢")]) == north
    assert width(row[: row.index("ש")]) == east
    assert max(map(width, (heads, row))) < north + 80
    code, output, errors = await spades("archive", "list", "--data", data, PYTHONIOENCODING="ascii")
    assert (code, errors) == (0, "")
    assert "WWW. and" not in output.splitlines()[0]
    assert "WWWWWWWWWWWWWWW." in output


# The store, in use or not.


@pytest.mark.parametrize("killed", [False, True])
async def test_a_folder_that_no_server_uses_is_read_and_left_unchanged(tmp_path: Path, *, killed: bool) -> None:
    data = tmp_path / "data"
    async with serving(tmp_path) as server:
        async with seated_players(server.ws_url, ONE_HAND) as players:
            await play_all(players)
        pid = await pid_at(f"unix://{data}/data/store.sock")
        await (server.kill() if killed else server.stop())
        assert len(await listed("--data", data)) == 1
        assert not is_alive(pid)
        assert not (data / "data" / "store.sock").exists()
        if killed:
            await server.start()
            assert len(await listed("--data", data)) == 1


async def test_a_store_that_a_server_uses_keeps_running(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, seated_players(server.ws_url, ONE_HAND) as players:
        pid = await pid_at(f"unix://{tmp_path}/data/data/store.sock")
        assert await listed("--data", tmp_path / "data") == []
        await play_all(players)
        assert len(await listed("--data", tmp_path / "data")) == 1
        assert await pid_at(f"unix://{tmp_path}/data/data/store.sock") == pid
        assert server.logged("store died, restarting it") == []
