"""Expert bots on a real server think in worker processes; the game goes on whatever happens to those."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from spades_core.bots.levels import medium
from tests.players import Player
from tests.server.runtime.test_workers import is_running, until_gone
from tests.serving import ServerProcess, serving

SHORT = "classic,target=100,hand_limit=2"
LONG_PAUSE = {"SPADES_PACE": "1"}


def expert_workers(server: ServerProcess) -> list[int]:
    return [line["pid"] for line in server.logged("expert worker started")]


@asynccontextmanager
async def with_experts(server: ServerProcess, rules: str = SHORT) -> AsyncIterator[Player]:
    """Start a game of one player and three experts."""
    async with Player(server.ws_url, "Anna", Random(1), bot=medium) as anna:
        await anna.make_table(rules)
        await anna.start("expert")
        yield anna


@asynccontextmanager
async def while_experts_think(server: ServerProcess) -> AsyncIterator[list[int]]:
    """Start a game and stop it while an expert thinks; yield the processes of the expert workers."""
    async with with_experts(server) as anna:
        playing = asyncio.create_task(anna.play_game())
        await server.wait_logged("expert worker started")
        playing.cancel()
        yield expert_workers(server)


async def test_one_player_and_three_experts_play_a_whole_game(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, with_experts(server) as anna:
        await anna.play_game()
        assert anna.view.outcome is not None
        found = await server.metrics()
        assert found["spades_bot_decisions_total expert"] == 3 * 14 * len(anna.sheet)
        assert found["spades_expert_decision_seconds_count"] > 0
        assert found["spades_expert_fallbacks_total"] < found["spades_bot_decisions_total expert"]
        assert (found["spades_tables"], found["spades_connections"]) == (1, 1)
        assert not any("exception" in line for line in server.log.splitlines())


async def test_a_game_ends_though_its_expert_workers_are_killed_repeatedly(tmp_path: Path) -> None:
    async def kill_all() -> None:
        for times in range(1, 1000):
            started = await server.wait_logged("expert worker started", times)
            await asyncio.sleep(0.05)
            with suppress(ProcessLookupError):
                os.kill(started[-1]["pid"], signal.SIGKILL)

    async with serving(tmp_path) as server, with_experts(server, "classic,hand_limit=1") as anna:
        killing = asyncio.create_task(kill_all())
        await anna.play_game()
        killing.cancel()
        assert anna.view.outcome is not None
        assert len(server.logged("expert worker terminated")) > 1
        assert not any("exception" in line for line in server.log.splitlines())


async def test_all_tables_share_the_allowed_number_of_expert_workers(tmp_path: Path) -> None:
    async with serving(tmp_path, "--expert-workers", "1") as server:

        async def play() -> None:
            async with with_experts(server, "classic,hand_limit=1") as anna:
                await anna.play_game()

        await asyncio.gather(*(play() for _ in range(4)))
        assert len(expert_workers(server)) == 1


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_killed_server_leaves_no_expert_worker(tmp_path: Path, workers: str) -> None:
    server = ServerProcess(tmp_path, "--workers", workers, **LONG_PAUSE)
    await server.start()
    async with while_experts_think(server) as processes:
        await server.kill()
        await until_gone(processes)
    await server.start()  # takes over the store that was left
    await server.stop()


async def test_a_killed_worker_leaves_no_expert_worker(tmp_path: Path) -> None:
    async with serving(tmp_path, "--workers", "2", **LONG_PAUSE) as server, while_experts_think(server) as processes:
        (number,) = [line["worker"] for line in server.logged("expert worker started")]
        (pid,) = [line["pid"] for line in server.logged("worker ready") if line["worker"] == number]
        os.kill(pid, signal.SIGKILL)
        await until_gone(processes)


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_ctrl_c_in_a_terminal_ends_expert_workers_silently(tmp_path: Path, workers: str) -> None:
    async with serving(tmp_path, "--workers", workers, **LONG_PAUSE) as server:
        async with while_experts_think(server) as processes:
            server.press_ctrl_c()
            assert await server.wait() == 0
            assert not any(is_running(pid) for pid in processes)
        assert not server.logged("expert worker terminated")
        assert "Traceback" not in server.log
