"""`make bench-experts`: the number of tables with three experts that a machine carries, and their cost.

Every table has one player, who takes two seconds for each move, and three expert
bots at the usual pace; each run has more tables than the one before, and a server
of its own with its own store. Its /metrics are read before and after, for the
number of decisions of the experts, how long they took, and how many were late and
therefore made by a hard bot. Players and store share the machine. Linux only.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from spades_core.bots.levels import medium
from spades_core.views import SeatView
from tests.benchmarks.processes import cpu_seconds, machine
from tests.players import Player
from tests.serving import ServerProcess

MOVE_SECONDS = 2.0
WARM_UP_SECONDS = 15.0


class SlowPlayer(Player):
    async def move(self, view: SeatView) -> None:
        await asyncio.sleep(MOVE_SECONDS)
        await super().move(view)


async def play_with_experts(url: str, number: int) -> None:
    """Play with three experts until cancelled."""
    rng = Random(number)
    await asyncio.sleep(rng.uniform(0, WARM_UP_SECONDS / 2))
    async with SlowPlayer(url, f"Player {number}", rng, bot=medium) as player:
        await player.make_table()
        await player.start("expert")
        await player.play_games(lambda: True)


async def read_counters(server: ServerProcess) -> dict[str, float]:
    """Return the metrics of the server, and the CPU seconds of its expert workers as "cpu"."""
    pids = [line["pid"] for line in server.logged("expert worker started")]
    return {**await server.metrics(), "cpu": sum(map(cpu_seconds, pids))}


async def run(tables: int, seconds: float, folder: Path, *arguments: str) -> None:
    folder.mkdir()  # noqa: ASYNC240
    server = ServerProcess(folder, *arguments, SPADES_PACE="1")
    await server.start()
    playing = [asyncio.create_task(play_with_experts(server.ws_url, number)) for number in range(tables)]
    await asyncio.sleep(WARM_UP_SECONDS)
    before = await read_counters(server)
    await asyncio.sleep(seconds)
    delta = {name: value - before.get(name, 0) for name, value in (await read_counters(server)).items()}
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await server.stop()
    decisions, searches = delta["spades_bot_decisions_total expert"], delta["spades_expert_decision_seconds_count"]
    print(
        f"{tables:6} {decisions / seconds:12.1f} {searches / seconds:10.1f} "
        f"{1000 * delta['spades_expert_decision_seconds_sum'] / max(1, searches):10.0f} "
        f"{100 * delta['spades_expert_fallbacks_total'] / max(1, decisions):8.2f} % {delta['cpu'] / seconds:8.2f}",
        flush=True,
    )


async def run_all(tables: Sequence[int], seconds: float, arguments: Sequence[str]) -> None:
    with TemporaryDirectory() as folder:
        print("tables  decisions/s  searches/s   ms/search      late   cores")
        for number in tables:
            await run(number, seconds, Path(folder) / str(number), *arguments)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tables", type=int, nargs="+", default=[10, 20, 40, 60, 80, 120], help="one number for each run"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="of measurement in each run (default: 60)")
    parser.add_argument("--expert-workers", type=int, help="as for spades serve")
    chosen = parser.parse_args()
    print(f"$ python -m tests.benchmarks.experts {' '.join(sys.argv[1:])}".rstrip())
    print(machine())
    arguments = () if chosen.expert_workers is None else ("--expert-workers", str(chosen.expert_workers))
    asyncio.run(run_all(chosen.tables, chosen.seconds, arguments))


if __name__ == "__main__":
    main()
