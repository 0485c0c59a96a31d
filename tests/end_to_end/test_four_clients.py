"""Four clients play whole games on a real server and a real store."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from spades_client import Client, ClientClosed, CommandRefused

from server.store.embedded.process import EmbeddedStore
from server.store.redis_log import RedisLog
from spades_core.events import CardPlayed, HandDealt
from spades_core.evolve import evolve_all
from spades_core.state import Table
from tests.commit_recorder import CommitRecorder
from tests.players import play_all, received_updates, seated_players
from tests.serving import ServerProcess, serving


async def test_a_whole_game_ends_with_the_scores_of_its_replayed_log(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as store_url, serving(tmp_path, "--redis", store_url) as server:
        log = RedisLog(store_url)
        async with CommitRecorder(log).recording() as recorder, seated_players(server.ws_url) as players:
            await play_all(players)
            last = players[0].last_update
            assert last is not None
            await recorder.until(lambda: recorder.commits[-1].n >= last.n)
        commits = recorder.commits
        loaded = await log.load(last.code)
        await log.close()
    assert [commit.n for commit in commits] == list(range(1, last.n + 1))
    replayed = evolve_all(Table(), tuple(event for commit in commits for event in commit.events))
    assert replayed.game is not None
    assert replayed.game.outcome is not None
    for player in players:
        assert tuple(side.score for side in player.view.sides) == replayed.game.scores
        assert player.view.outcome == replayed.game.outcome
        assert player.sheet == replayed.game.sheet
    assert loaded is not None
    assert loaded.snapshot is not None
    events = tuple(event for commit in loaded.commits for event in commit.events)
    assert evolve_all(loaded.snapshot.table, events) == replayed


async def test_a_player_is_sent_its_own_cards_only(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, seated_players(server.ws_url) as players:
        async with contextlib.AsyncExitStack() as stack:
            streams = [await stack.enter_async_context(received_updates(player)) for player in players]
            await play_all(players)
        for seat, stream in enumerate(streams):
            for update in stream:
                events = update.events
                assert not any(isinstance(event, HandDealt) for event in events)
                assert all(event.seat == seat for event in events if event.t == "hand_received")
                assert len(update.view.hand) == update.view.seats[seat].cards_left
            assert any(isinstance(event, CardPlayed) for update in stream for event in update.events)


async def test_no_card_is_lost_when_the_server_is_killed_repeatedly(tmp_path: Path) -> None:
    """After SIGKILLs in the middle of tricks the hands are the same, and the game is played to its end."""
    server = ServerProcess(tmp_path)
    await server.start()
    try:
        async with seated_players(server.ws_url) as players:
            playing = asyncio.create_task(play_all(players))
            for hand in (1, 2, 3):
                await players[hand].wait_for(
                    lambda view, hand=hand: view.hand_number == hand and view.trick is not None and len(view.tricks) > 3
                )
                before = [player.last_update for player in players]
                await server.kill()
                await server.start()
                for player, seen in zip(players, before, strict=True):
                    view = await player.wait_for(lambda _, player=player, seen=seen: player.last_update is not seen)
                    assert view.hand_number > seen.view.hand_number or set(view.hand) <= set(seen.view.hand)
            await playing
            assert len({player.view.outcome for player in players}) == 1
            assert all(player.connect_count == 4 for player in players)
    finally:
        await server.stop()


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[tuple[ServerProcess, Client]]:
    async with serving(tmp_path) as server, Client(server.ws_url, "Anna") as anna:
        await anna.make_table()
        yield server, anna


async def test_a_session_continued_elsewhere_keeps_its_seat(table: tuple[ServerProcess, Client]) -> None:
    server, anna = table
    async with Client(server.ws_url, "Anna", token=anna.token) as again:
        view = await again.join(anna.code)
        assert view.you == 0
        with pytest.raises(Exception, match="another window"):
            await anna.wait_for(lambda _: False)


async def test_a_refusal_is_explained_in_a_sentence(table: tuple[ServerProcess, Client]) -> None:
    _, anna = table
    with pytest.raises(CommandRefused, match=r"There is no table 'ZZZZZ'"):
        await anna.join("ZZZZZ")
    with pytest.raises(CommandRefused, match="Not now: the game has not started"):
        await anna.play("QS")
    with pytest.raises(CommandRefused, match="'QX' is not a card"):
        await anna.play("QX")


async def test_a_client_that_cannot_connect_is_told_why(table: tuple[ServerProcess, Client]) -> None:
    server, _ = table
    async with Client(server.ws_url, "a name that is far too long for anybody") as nobody:
        with pytest.raises(ClientClosed, match="at most 24 characters"):
            await nobody.make_table()
    async with Client("http://nowhere", "Anna") as lost:
        with pytest.raises(ClientClosed, match="no way to talk to http://nowhere"):
            await lost.make_table()
