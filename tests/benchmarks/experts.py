"""`make bench-experts`: how many tables with three experts a machine carries, and what they cost.

Every table has one person, who takes two seconds for everything, and three expert
bots at the usual pace; there are more of them from run to run. Each run has a
server of its own, the real command with its own store. What it tells at /metrics
is read twice, and the difference is what a run was like: how many decisions the
experts made, how long they thought, how many came too late, so that hard made
them. The people and the store are on the same machine. Linux only.
"""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from spades_client import Client, CommandRefused

from spades_core.bots.levels import medium
from tests.benchmarks.core import machine
from tests.benchmarks.reconnect_load import _processor_seconds
from tests.end_to_end.test_experts import measured
from tests.end_to_end.test_four_clients import asked_of
from tests.serving import Serving

PERSON_SECONDS = 2.0
WARM_UP_SECONDS = 15.0


async def play(client: Client, rng: Random) -> None:
    while True:
        view = await client.wait_for(asked_of)
        await asyncio.sleep(PERSON_SECONDS)
        with contextlib.suppress(CommandRefused):
            if view.legal_bids:
                await client.bid(medium.choose_bid(view, rng))
            elif view.legal_cards:
                await client.play(medium.choose_card(view, rng))
            else:
                await client.next_hand()


async def person(url: str, number: int) -> None:
    """With three experts, until cancelled."""
    rng = Random(number)
    await asyncio.sleep(rng.uniform(0, WARM_UP_SECONDS / 2))
    async with Client(url, f"Player {number}") as client:
        await client.make_table()
        await client.start("expert")
        await play(client, rng)


async def used(server: Serving) -> dict[str, float]:
    """What was counted until now, and the seconds of a processor that the expert workers took."""
    pids = [line["pid"] for line in server.events("expert worker started")]
    return {**await measured(server.port), "processor": sum(map(_processor_seconds, pids))}


async def run(tables: int, seconds: float, folder: Path, *arguments: str) -> None:
    folder.mkdir()  # noqa: ASYNC240
    server = Serving(folder, *arguments, SPADES_PACE="1")
    await server.start()
    playing = [asyncio.create_task(person(server.socket, number)) for number in range(tables)]
    await asyncio.sleep(WARM_UP_SECONDS)
    before = await used(server)
    await asyncio.sleep(seconds)
    now = {name: value - before.get(name, 0) for name, value in (await used(server)).items()}
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await server.stop()
    decisions, thoughts = now["spades_bot_decisions_total expert"], now["spades_expert_decision_seconds_count"]
    print(
        f"{tables:6} {decisions / seconds:12.1f} {thoughts / seconds:10.1f} "
        f"{1000 * now['spades_expert_decision_seconds_sum'] / max(1, thoughts):10.0f} "
        f"{100 * now['spades_expert_fallbacks_total'] / max(1, decisions):8.2f} % {now['processor'] / seconds:8.2f}",
        flush=True,
    )


async def run_all(tables: Sequence[int], seconds: float, arguments: Sequence[str]) -> None:
    with TemporaryDirectory() as folder:
        print("tables  decisions/s  thoughts/s  ms thought      late   cores")
        for number in tables:
            await run(number, seconds, Path(folder) / str(number), *arguments)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--tables", type=int, nargs="+", default=[10, 20, 40, 60, 80, 120], help="one number for a run")
    words.add_argument("--seconds", type=float, default=60.0, help="how long a run is measured (default: 60)")
    words.add_argument("--expert-workers", type=int, help="as for spades serve")
    chosen = words.parse_args()
    print(f"$ python -m tests.benchmarks.experts {' '.join(sys.argv[1:])}".rstrip())
    print(machine())
    arguments = () if chosen.expert_workers is None else ("--expert-workers", str(chosen.expert_workers))
    asyncio.run(run_all(chosen.tables, chosen.seconds, arguments))


if __name__ == "__main__":
    main()
