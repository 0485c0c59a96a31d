"""Experts in a real server: whatever happens to the expert workers, the game goes on."""

import asyncio
import http.client
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from spades_client import Client

from tests.end_to_end.test_four_clients import play_to_the_end
from tests.server.runtime.test_workers import is_running, until_gone
from tests.serving import Serving, serving

SHORT = "classic,target=100,hand_limit=2"
LONG_PAUSE = {"SPADES_PACE": "1"}


async def measured(port: int) -> dict[str, float]:
    """Return the metrics of the server by name, followed by the level if there is one."""

    def ask() -> str:
        asking = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        asking.request("GET", "/metrics")
        text = asking.getresponse().read().decode()
        asking.close()
        return text

    found = re.findall(r'^(\w+)(?:\{level="(\w+)"\})? (\S+)$', await asyncio.to_thread(ask), re.MULTILINE)
    return {f"{name} {level}".strip(): float(value) for name, level, value in found}


def expert_workers(server: Serving) -> list[int]:
    return [line["pid"] for line in server.events("expert worker started")]


@asynccontextmanager
async def with_experts(server: Serving, rules: str = SHORT) -> AsyncIterator[Client]:
    """Give the client of a person in a game with three experts."""
    async with Client(server.socket, "Anna") as anna:
        await anna.make_table(rules)
        await anna.start("expert")
        yield anna


@asynccontextmanager
async def while_an_expert_decides(server: Serving) -> AsyncIterator[list[int]]:
    """In the block an expert at a table is deciding; give the process ids of the expert workers."""
    async with with_experts(server) as anna:
        playing = asyncio.create_task(play_to_the_end(anna, Random(1)))
        await server.until_said("expert worker started")
        playing.cancel()
        yield expert_workers(server)


async def test_one_person_and_three_experts_play_a_game_to_its_end(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, with_experts(server) as anna:
        await play_to_the_end(anna, Random(1))
        assert anna.view.outcome is not None
        found = await measured(server.port)
        assert found["spades_bot_decisions_total expert"] == 3 * 14 * len(anna.sheet)
        assert found["spades_expert_decision_seconds_count"] > 0
        assert found["spades_expert_fallbacks_total"] < found["spades_bot_decisions_total expert"]
        assert (found["spades_tables"], found["spades_connections"]) == (1, 1)
        assert not any("exception" in line for line in server.log.splitlines())


async def test_a_game_whose_expert_workers_keep_being_killed_comes_to_its_end(tmp_path: Path) -> None:
    async def kill_all() -> None:
        for times in range(1, 1000):
            started = await server.until_said("expert worker started", times)
            await asyncio.sleep(0.05)
            with suppress(ProcessLookupError):
                os.kill(started[-1]["pid"], signal.SIGKILL)

    async with serving(tmp_path) as server, with_experts(server, "classic,hand_limit=1") as anna:
        killing = asyncio.create_task(kill_all())
        await play_to_the_end(anna, Random(1))
        killing.cancel()
        assert anna.view.outcome is not None
        assert len(server.events("expert worker died")) > 1
        assert not any("exception" in line for line in server.log.splitlines())


async def test_all_tables_share_the_allowed_number_of_expert_workers(tmp_path: Path) -> None:
    async with serving(tmp_path, "--expert-workers", "1") as server:

        async def play() -> None:
            async with with_experts(server, "classic,hand_limit=1") as anna:
                await play_to_the_end(anna, Random(1))

        await asyncio.gather(*(play() for _ in range(4)))
        assert len(expert_workers(server)) == 1


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_killed_server_leaves_no_expert_worker(tmp_path: Path, workers: str) -> None:
    server = Serving(tmp_path, "--workers", workers, **LONG_PAUSE)
    await server.start()
    async with while_an_expert_decides(server) as processes:
        await server.kill()
        await until_gone(processes)
    await server.start()  # takes over the store that was left
    await server.stop()


async def test_a_killed_worker_leaves_no_expert_worker(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, "--workers", "2", **LONG_PAUSE) as server,
        while_an_expert_decides(server) as processes,
    ):
        (number,) = [line["worker"] for line in server.events("expert worker started")]
        (pid,) = [line["pid"] for line in server.events("worker ready") if line["worker"] == number]
        os.kill(pid, signal.SIGKILL)
        await until_gone(processes)


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_ctrl_c_stops_expert_workers_silently(tmp_path: Path, workers: str) -> None:
    async with serving(tmp_path, "--workers", workers, **LONG_PAUSE) as server:
        async with while_an_expert_decides(server) as processes:
            server.press_ctrl_c()
            assert await server.ended() == 0
            assert not any(is_running(pid) for pid in processes)
        assert not server.events("expert worker died")
        assert "Traceback" not in server.log
