"""Several worker processes on one port: they are restarted, they stop in order, and none outlives its parent."""

import asyncio
import errno
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from spades_client import Client

from server.runtime import workers
from server.runtime.workers import Worker, WorkerStartError
from server.settings import Settings
from tests.players import Player, seated_players
from tests.serving import ServerProcess, serving

PATIENT = {"SPADES_AWAY_SECONDS": "1000000", "SPADES_PACE": "0.001"}
"""No seat is given to a bot while its player reconnects."""


async def health(port: int) -> dict[str, object]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    answer = await reader.read()
    writer.close()
    found: dict[str, object] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return found


def pids(server: ServerProcess) -> dict[int, int]:
    """Return the current process id of every worker."""
    return {line["worker"]: line["pid"] for line in server.logged("worker ready")}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until_gone(processes: list[int]) -> None:
    async with asyncio.timeout(10):
        while any(is_running(pid) for pid in processes):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_all_workers_serve_the_same_port(tmp_path: Path) -> None:
    async with serving(tmp_path, "--workers", "2") as server:
        async with asyncio.timeout(20):
            seen: set[object] = set()
            while seen != {1, 2}:
                answers = await asyncio.gather(*(health(server.port) for _ in range(20)))
                assert all(answer["status"] == "ok" for answer in answers)
                seen |= {answer["worker"] for answer in answers}
        processes = list(pids(server).values())
    assert len(processes) == 2
    assert not any(is_running(pid) for pid in processes)


async def test_a_server_of_one_process_has_no_worker_number(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        assert "worker" not in await health(server.port)
        assert not server.logged("worker ready")


@asynccontextmanager
async def paused_in(players: list[Player], hand: int) -> AsyncIterator[None]:
    """Play up to this hand; in the block the last player does nothing, so the game stands still."""
    playing = [asyncio.create_task(player.play_game()) for player in players]
    await players[-1].wait_for(lambda view: view.hand_number == hand and len(view.tricks) > 3)
    playing.pop().cancel()
    yield
    for task in playing:
        task.cancel()


async def play_on(players: list[Player]) -> None:
    """Play to the end, which has the same outcome for all four."""
    await asyncio.gather(*(player.play_game() for player in players))
    assert len({player.view.outcome for player in players}) == 1


async def test_a_killed_worker_is_restarted_and_its_players_play_on(tmp_path: Path) -> None:
    async with serving(tmp_path, "--workers", "2", **PATIENT) as server, seated_players(server.ws_url) as players:
        await players[0].start()
        for number in (1, 2):
            async with paused_in(players, hand=number):
                os.kill(pids(server)[number], signal.SIGKILL)
                await server.wait_logged("worker ready", 2 + number)
        await play_on(players)
        assert sum(player.connect_count for player in players) > len(players)
        assert all(seat.kind == "person" for seat in players[0].view.seats)
        deaths = server.logged("worker died, restarting")
    assert [(line["worker"], line["code"], line["level"]) for line in deaths] == [(1, -9, "error"), (2, -9, "error")]


async def test_a_worker_that_keeps_dying_is_restarted_with_backoff(tmp_path: Path) -> None:
    async with serving(tmp_path, "--workers", "2") as server:
        for times in range(4):
            serves = await server.wait_logged("worker ready", 2 + times)
            number = serves[0]["worker"]
            os.kill(pids(server)[number], signal.SIGKILL)
            assert (await health(server.port))["status"] == "ok"
            await server.wait_logged("worker died, restarting", times + 1)
        await server.wait_logged("worker ready", 6)
        pauses = [line["in_seconds"] for line in server.logged("worker died, restarting")]
    assert pauses == [0.1, 0.2, 0.4, 0.8]


async def test_the_workers_of_a_killed_parent_stop_and_a_new_server_goes_on(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--workers", "2", **PATIENT)
    await server.start()
    try:
        async with seated_players(server.ws_url) as players:
            await players[0].start()
            async with paused_in(players, hand=1):
                processes = list(pids(server).values())
                await server.kill()
                await until_gone(processes)
            await server.start()
            await play_on(players)
        assert len(server.logged("running store taken over")) == 1
    finally:
        await server.stop()


async def test_ctrl_c_stops_everything_in_order(tmp_path: Path) -> None:
    async with serving(tmp_path, "--workers", "2") as server, Client(server.ws_url, "Anna") as anna:
        await anna.make_table()
        server.press_ctrl_c()
        assert await server.wait() == 0
        assert "worker" not in server.logged("stopping")[0]
        assert {line.get("worker") for line in server.logged("stopping")} == {None, 1, 2}
        assert not server.logged("worker died, restarting")
        assert not any(is_running(pid) for pid in pids(server).values())


@pytest.mark.parametrize("number", ["1", "2"])
async def test_a_second_signal_ends_everything_at_once(tmp_path: Path, number: str) -> None:
    server = ServerProcess(tmp_path, "--workers", number)
    await server.start()
    # Silent connections: the server waits up to four seconds for their handshake.
    silent = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(8)]
    await health(server.port)
    server.signal(signal.SIGTERM)
    await server.wait_logged("stopping", 1 if number == "1" else 3)
    began = time.monotonic()
    server.signal(signal.SIGTERM)
    assert await server.wait() == 1
    await until_gone(list(pids(server).values()))
    assert time.monotonic() - began < 2
    for _, writer in silent:
        writer.close()
    await server.start()  # the port is free, and the store left running is taken over
    await server.stop()


async def test_a_worker_that_cannot_serve_reports_the_reason(tmp_path: Path) -> None:
    worker = Worker(1, Settings(data=tmp_path, redis="redis://127.0.0.1:1"), [])
    with pytest.raises(WorkerStartError, match=r"^the store at 127\.0\.0\.1:1 cannot be reached: Connection refused$"):
        await worker.start()
    await worker.stop()


async def test_a_process_that_cannot_be_started_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(asyncio, "create_subprocess_exec", refused)
    with pytest.raises(WorkerStartError, match=r"^worker 1 cannot be started: Resource temporarily unavailable$"):
        await Worker(1, Settings(data=tmp_path), []).start()


@pytest.fixture
def hanging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make workers hang without a reply."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexec sleep 1000\n")
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))


@pytest.mark.usefixtures("hanging")
async def test_a_worker_that_hangs_during_its_start_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START_TIMEOUT", 0.1)
    with pytest.raises(WorkerStartError, match=r"^worker 1 does not come up$"):
        await Worker(1, Settings(data=tmp_path), []).start()


@pytest.mark.usefixtures("hanging")
async def test_a_parent_whose_workers_hang_during_their_start_still_stops(tmp_path: Path) -> None:
    stop = asyncio.Event()
    settings = Settings(port=0, data=tmp_path / "data", workers=2)
    running = asyncio.create_task(workers.run(settings, lambda _: None, stop))
    await asyncio.wait([running], timeout=1)
    stop.set()
    async with asyncio.timeout(10):
        await running
