"""`make bench-reconnect`: thousands of players lose their server at once; how long until all are back?

Every server is the real command, `spades serve`, all on one embedded store. All
players are at the first one, four to a table, each with a game in play. It is
killed; each player comes back to one of the others, by chance, after the pauses
of the client, and is back when the table has answered with an update.

The same crowd then does the same to bare servers of the websockets library,
which answer with frames of the same size: what no server in its place could do
without, and a measure for how slow or busy the machine is. Linux only.
"""

import argparse
import asyncio
import gc
import os
import resource
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from signal import SIGKILL, SIGTERM
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import msgpack
import uvloop
from spades_client.connection import new_id

from server.store.embedded.process import EmbeddedStore
from spades_core.protocol.messages import Bid, JoinTable, MakeTable, Sit, Start
from spades_core.seats import SEATS
from tests.benchmarks.core import machine
from tests.benchmarks.load_clients import LoadClient
from tests.serving import Serving

AT_A_TIME = 40
"""How many tables are made, or connections opened, at the same time, before the storm."""
LEASE_SECONDS = 8.0
"""After which the dead server surely counts as dead, and what follows from that is done."""
ME = os.getpid()


class CpuMeter:
    """What each process uses from now on."""

    def __init__(self, pids: dict[str, int]) -> None:
        self._pids = pids
        self._before = self._used()

    def used(self) -> dict[str, float]:
        """Seconds of a processor, in user mode and in the kernel."""
        return {name: used - self._before[name] for name, used in self._used().items()}

    def _used(self) -> dict[str, float]:
        return {name: _processor_seconds(pid) for name, pid in self._pids.items()}


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _children() -> list[int]:
    """The processes begun by this one, oldest first."""
    return [int(pid) for pid in Path(f"/proc/{ME}/task/{ME}/children").read_text().split()]


async def make_game(people: Sequence[LoadClient], port: int) -> None:
    """Four people at a new table, all bids made, the first card not yet played."""
    host = people[0]
    for person in people:
        await person.connect(port)
    code = (await host.ask(MakeTable(new_id())))["code"]
    for seat, person in zip(SEATS[1:], people[1:], strict=True):
        await person.ask(JoinTable(new_id(), code))
        await person.ask(Sit(new_id(), seat))
    await host.ask(Start(new_id()))
    for _ in SEATS:
        last = await host.until(lambda last: last["view"]["legal_bids"] or last["view"]["turn"] not in (None, 0))
        await people[last["view"]["turn"]].ask(Bid(new_id(), last["e"], 3))
        await host.until(lambda now, before=last["n"]: now["n"] > before)


async def many(count: int, one: Callable[[int], Coroutine[Any, Any, None]]) -> None:
    """Call it with every number, a few at a time."""
    turns = asyncio.Semaphore(AT_A_TIME)

    async def in_turn(number: int) -> None:
        async with turns:
            await one(number)

    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(in_turn(number))


async def come_back(
    title: str, people: Sequence[LoadClient], doors: Sequence[int], pids: dict[str, int], break_off: Callable[[], None]
) -> float:
    """Break off all connections and print how long people take to be back; the 99th percentile."""
    returns = asyncio.gather(*(person.come_back(doors) for person in people))
    await asyncio.sleep(1)
    meter, began = CpuMeter(pids), asyncio.get_running_loop().time()
    break_off()
    times = sorted(at - began for at in await returns)
    used, cuts = meter.used(), quantiles(times, n=100)
    print(f"{title}: p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s, max {times[-1]:.2f} s")
    print(f"  tries that each needed: {dict(sorted(Counter(person.tries for person in people).items()))}")
    each = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in used.items())
    print(f"  processor: {each}; {1000 * sum(used.values()) / len(people):.2f} ms for each person", flush=True)
    return cuts[98]


def loads(server: Serving) -> str:
    tables = Counter(line["table"] for line in server.events("table loaded"))
    return f"{tables.total()} tables, {tables.total() - len(tables)} of them again"


async def print_rest(seconds: float, pids: dict[str, int]) -> None:
    """What it costs to be there when nobody does anything."""
    await asyncio.sleep(LEASE_SECONDS)
    meter = CpuMeter(pids)
    await asyncio.sleep(seconds)
    print(f"at rest, for {seconds:g} s:")
    for name, used in meter.used().items():
        print(f"  {name} {100 * used / seconds:.1f} % of a core, {_megabytes(pids[name]):.0f} MB")


async def measure_reconnect(people: Sequence[LoadClient], count: int, rest: float, folder: Path) -> float:
    """The 99th percentile with the servers that are measured."""
    async with EmbeddedStore(folder / "store") as url, AsyncExitStack() as stack:
        servers = {}
        for name in (f"server {number}" for number in range(1, count + 1)):
            (folder / name).mkdir()
            arguments = ("--redis", url, "--log-level", "debug")
            servers[name] = Serving(folder / name, *arguments, SPADES_PACE="1000", SPADES_AWAY_SECONDS="10000")
            await servers[name].start()
            stack.push_async_callback(end, servers[name])
        pids = {"crowd": ME, **dict(zip(["store", *servers], _children(), strict=True))}
        await many(len(people) // 4, lambda each: make_game(people[4 * each :][:4], servers["server 1"].port))
        print(f"{len(people)} people at {len(people) // 4} tables of server 1")
        await print_rest(rest, pids)
        first, victim = servers.pop("server 1"), pids.pop("server 1")
        doors = [server.port for server in servers.values()]
        p99 = await come_back("back after the kill", people, doors, pids, lambda: os.kill(victim, SIGKILL))
        print(f"  server 1 had loaded {loads(first)}")
        for name, server in servers.items():
            print(f"  {name} loaded {loads(server)}")
        await print_rest(rest, pids)
    return p99


async def end(server: Serving) -> None:
    with suppress(ProcessLookupError):
        server.signal(SIGTERM)
    await server.ended()


async def reference(people: Sequence[LoadClient], count: int) -> float:
    """The 99th percentile with as many servers that know nothing."""
    size = len(msgpack.packb(people[0].last))
    command = (sys.executable, "-m", "tests.benchmarks.baseline_server", str(size))
    servers = [await asyncio.create_subprocess_exec(*command, stdout=PIPE) for _ in range(count)]
    try:
        first, *doors = [int(await server.stdout.readline()) for server in servers if server.stdout is not None]
        await many(len(people), lambda each: people[each].connect(first))
        pids = {"crowd": ME, **{f"bare {number}": each.pid for number, each in enumerate(servers[1:], 2)}}
        return await come_back(f"bare servers, {size} bytes", people, doors, pids, servers[0].kill)
    finally:
        for server in servers:
            with suppress(ProcessLookupError):
                server.kill()
            await server.wait()


async def run(connections: int, servers: int, rest: float) -> None:
    people = [LoadClient(f"Player {number}", Random(number)) for number in range(connections)]
    with TemporaryDirectory() as folder:
        measured = await measure_reconnect(people, servers, rest, Path(folder))
    bare = await reference(people, servers)
    print(f"ratio of the p99: {measured / bare:.2f} (goal for the p99: under 3 s)")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--connections", type=int, default=3000, help="four to a table (default: %(default)s)")
    arguments.add_argument("--servers", type=int, default=3, help="the first is killed (default: %(default)s)")
    arguments.add_argument("--rest", type=float, default=20.0, help="seconds to look at them idle (default: 20)")
    chosen = arguments.parse_args()
    if chosen.connections % 4 or chosen.servers < 2:
        arguments.error("connections are a multiple of 4, servers 2 at least")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.disable()  # the crowd lives as long as the program, and shall not be in the way of the servers
    print(f"$ python -m tests.benchmarks.reconnect_load {' '.join(sys.argv[1:])}".rstrip())
    print(f"{machine()}; {most} open files")
    uvloop.run(run(chosen.connections, chosen.servers, chosen.rest))


if __name__ == "__main__":
    main()
