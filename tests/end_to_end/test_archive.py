"""Games that are played on a real server are in its archive, as they were played, whoever uses the store."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random

import pytest
from spades_client import Client, CommandRefused

from server.cli.terminal import width
from spades_core.events import BidPlaced, CardPlayed, GameEnded, HandScored, LoggedEvent, TrickTaken
from spades_core.notation import GameRecord, read_game
from spades_core.protocol.messages import Update
from spades_core.views import SeatView
from tests.archive_command import exported, listed, spades
from tests.server.store.processes import is_alive, pid_at
from tests.serving import Serving, serving

NAMES = ("Anna", "Ben", "Cleo", "Dora")
PUBLIC = (BidPlaced, CardPlayed, TrickTaken, HandScored, GameEnded)
ONE_HAND = "classic,hand_limit=1"


@contextlib.asynccontextmanager
async def seated(url: str, rules: str, names: Sequence[str] = NAMES) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url, name)) for name in names]
        await clients[0].make_table(rules)
        for seat, client in enumerate(clients[1:], start=1):
            await client.join(clients[0].code)
            await client.sit(seat)
        yield clients


async def play(client: Client) -> None:
    """Something legal whenever asked, until the game is over."""
    rng = Random(client.view.you)

    def asked(view: SeatView) -> bool:
        to_go_on = view.phase == "scored" and view.you is not None and not view.seats[view.you].ready
        return view.phase == "over" or bool(view.legal_bids or view.legal_cards) or to_go_on

    while (view := await client.wait_for(asked)).phase != "over":
        with contextlib.suppress(CommandRefused):  # a server that was killed: a bot may have sat in for us
            if view.legal_bids:
                await client.bid(rng.choice(view.legal_bids[1:5]))
            elif view.legal_cards:
                await client.play(rng.choice(view.legal_cards))
            else:
                await client.next_hand()


async def play_game(clients: Sequence[Client]) -> None:
    await clients[0].start()
    for client in clients:  # who still sees the game before would be done with it
        await client.wait_for(lambda view: view.phase == "bidding")
    await asyncio.gather(*map(play, clients))


@contextlib.asynccontextmanager
async def heard_by(client: Client) -> AsyncIterator[list[Update]]:
    updates: list[Update] = []

    async def listen() -> None:
        async for update in client.updates():
            updates.append(update)

    listening = asyncio.create_task(listen())
    yield updates
    listening.cancel()


def public(events: Sequence[LoggedEvent]) -> list[LoggedEvent]:
    return [event for event in events if isinstance(event, PUBLIC)]


def names_in(game: GameRecord) -> list[str]:
    return [seat.name for seat in game.table.seats if seat is not None]


async def test_a_game_that_four_people_played_is_listed_and_exported_as_they_saw_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, seated(server.socket, "classic,target=200") as clients:
        async with heard_by(clients[1]) as updates:
            await play_game(clients)
        [entry] = await listed("--data", tmp_path / "data")
        text = await exported(entry["name"], "--data", tmp_path / "data")
        view, sheet = clients[1].view, clients[1].sheet
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
    async with serving(tmp_path) as server, seated(server.socket, ONE_HAND) as clients:
        await play_game(clients)
        [first] = await listed(*data)
        before = await exported(first["name"], *data)
        await play_game(clients)
        games = await listed(*data)
        assert [game["table"] for game in games] == [clients[0].code] * 2
        assert games[1] == first
        assert await exported(first["name"], *data) == before
        again = read_game(await exported(games[0]["name"], *data))
    assert names_in(again) == list(NAMES)
    assert again.events != read_game(before).events


async def test_a_player_who_left_and_came_back_is_in_the_game(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, seated(server.socket, ONE_HAND) as clients:
        anna, ben, cleo, dora = clients
        code = anna.code
        await anna.start()
        playing = [asyncio.create_task(play(client)) for client in (anna, cleo, dora)]
        await ben.leave()
        await anna.wait_for(lambda view: view.seats[1].away)
        await ben.join(code)
        await anna.wait_for(lambda view: not view.seats[1].away or view.phase == "over")
        await play(ben)
        await asyncio.gather(*playing)
        [entry] = await listed("--data", tmp_path / "data")
        text = await exported(entry["name"], "--data", tmp_path / "data")
    assert "\nEast    away        Ben\n" in text
    assert names_in(read_game(text)) == entry["players"] == list(NAMES)


async def test_a_server_killed_around_the_last_cards_archives_the_game_once(tmp_path: Path) -> None:
    server = Serving(tmp_path)
    await server.start()
    try:
        async with seated(server.socket, ONE_HAND) as clients:
            await clients[0].start()
            playing = [asyncio.create_task(play(client)) for client in clients]
            await clients[0].wait_for(lambda view: view.phase == "over" or len(view.tricks) == 12)
            await server.kill()
            await server.start()
            await asyncio.gather(*playing)
            [entry] = await listed("--data", tmp_path / "data")
            text = await exported(entry["name"], "--data", tmp_path / "data")
    finally:
        await server.stop()
    assert names_in(read_game(text)) == list(NAMES)


LONG = ("漢" * 24, "שלום" * 6, "e\u0301" * 12 + "Ж" * 12, "W" * 24)


async def test_names_of_every_script_and_full_length_are_kept_whole_and_cut_only_in_the_list(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with serving(tmp_path) as server, seated(server.socket, ONE_HAND, LONG) as clients:
        await play_game(clients)
        shown = [seat.name for seat in clients[0].view.seats]
    [entry] = await listed("--data", data)
    assert entry["players"] == shown
    code, _, _ = await spades("archive", "export", "--all", "--data", data, "--to", tmp_path)
    assert code == 0
    assert names_in(read_game((tmp_path / f"{entry['name']}.spades").read_text("utf-8"))) == shown
    assert (await spades("replay", "--quiet", tmp_path / f"{entry['name']}.spades"))[0] == 0
    _, told, _ = await spades("archive", "list", "--data", data)
    heads, row = told.splitlines()
    north, east = heads.index("NORTH"), heads.index("EAST")
    assert width(row[: row.index("漢")]) == north
    assert width(row[: row.index("ש")]) == east
    assert max(map(width, (heads, row))) < north + 80
    code, told, said = await spades("archive", "list", "--data", data, PYTHONIOENCODING="ascii")
    assert (code, said) == (0, "")
    assert "WWW. and" not in told.splitlines()[0]
    assert "WWWWWWWWWWWWWWW." in told


# The store, in use or not


@pytest.mark.parametrize("killed", [False, True])
async def test_a_folder_that_no_server_uses_is_read_and_left_as_it_was(tmp_path: Path, *, killed: bool) -> None:
    data = tmp_path / "data"
    async with serving(tmp_path) as server:
        async with seated(server.socket, ONE_HAND) as clients:
            await play_game(clients)
        pid = await pid_at(f"unix://{data}/data/store.sock")
        await (server.kill() if killed else server.stop())
        assert len(await listed("--data", data)) == 1
        assert not is_alive(pid)
        assert not (data / "data" / "store.sock").exists()
        if killed:
            await server.start()
            assert len(await listed("--data", data)) == 1


async def test_a_store_that_a_server_uses_goes_on(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, seated(server.socket, ONE_HAND) as clients:
        pid = await pid_at(f"unix://{tmp_path}/data/data/store.sock")
        assert await listed("--data", tmp_path / "data") == []
        await play_game(clients)
        assert len(await listed("--data", tmp_path / "data")) == 1
        assert await pid_at(f"unix://{tmp_path}/data/data/store.sock") == pid
        assert server.events("store died, restarting it") == []
