"""`make bench-reconnect`: thousands of players lose their server at once; how long until all are back?

The servers are processes of `spades serve` on one embedded store. All players are
connected to the first, four to a table with a game in play. It is killed; each
player reconnects to a random one of the others, with the delays of the client,
and is back when the table has answered with an update.

The same clients then do the same with baseline servers of the websockets library,
which only send frames of the same size: a lower bound for any server, and a
measure of how slow or busy the machine is. Linux only.
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
from tests.benchmarks.load_clients import LoadClient
from tests.benchmarks.processes import CpuMeter, child_pids, machine, resident_bytes
from tests.serving import ServerProcess

CONCURRENCY = 40
"""Number of tables made, or connections opened, at the same time before the kill."""
LEASE_SECONDS = 8.0
"""Time until a dead server has lost its lease and its tables are led by others."""


async def make_game(clients: Sequence[LoadClient], port: int) -> None:
    """Seat four clients at a new table and play up to the last bid."""
    host = clients[0]
    for client in clients:
        await client.connect(port)
    code = (await host.request(MakeTable(new_id())))["code"]
    for seat, client in zip(SEATS[1:], clients[1:], strict=True):
        await client.request(JoinTable(new_id(), code))
        await client.request(Sit(new_id(), seat))
    await host.request(Start(new_id()))
    for _ in SEATS:
        last = await host.wait_for(lambda last: last["view"]["legal_bids"] or last["view"]["turn"] not in (None, 0))
        await clients[last["view"]["turn"]].request(Bid(new_id(), last["e"], 3))
        await host.wait_for(lambda now, before=last["n"]: now["n"] > before)


async def for_each(count: int, call: Callable[[int], Coroutine[Any, Any, None]]) -> None:
    """Call with every number below `count`, a few at a time."""
    semaphore = asyncio.Semaphore(CONCURRENCY)

    async def limited(number: int) -> None:
        async with semaphore:
            await call(number)

    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(limited(number))


async def reconnect_all(
    title: str,
    clients: Sequence[LoadClient],
    ports: Sequence[int],
    pids: dict[str, int],
    disconnect: Callable[[], None],
) -> float:
    """Disconnect all clients and print how long they take to be back; return the 99th percentile."""
    reconnecting = asyncio.gather(*(client.reconnect(ports) for client in clients))
    await asyncio.sleep(1)
    meter, start = CpuMeter(pids), asyncio.get_running_loop().time()
    disconnect()
    times = sorted(at - start for at in await reconnecting)
    used, cuts = meter.seconds(), quantiles(times, n=100)
    print(f"{title}: p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s, max {times[-1]:.2f} s")
    print(f"  clients by number of attempts: {dict(sorted(Counter(client.attempts for client in clients).items()))}")
    each = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in used.items())
    print(f"  CPU: {each}; {1000 * sum(used.values()) / len(clients):.2f} ms for each client", flush=True)
    return cuts[98]


def count_loads(server: ServerProcess) -> str:
    tables = Counter(line["table"] for line in server.logged("table loaded"))
    return f"{tables.total()} tables, {tables.total() - len(tables)} of them more than once"


async def print_idle(seconds: float, pids: dict[str, int]) -> None:
    """Print what the processes use while nothing happens."""
    await asyncio.sleep(LEASE_SECONDS)
    meter = CpuMeter(pids)
    await asyncio.sleep(seconds)
    print(f"idle, for {seconds:g} s:")
    for name, used in meter.seconds().items():
        print(f"  {name} {100 * used / seconds:.1f} % of a core, {resident_bytes(pids[name]) / 1e6:.0f} MB")


async def measure_servers(clients: Sequence[LoadClient], count: int, idle: float, folder: Path) -> float:
    """Measure the real servers; return the 99th percentile."""
    async with EmbeddedStore(folder / "store") as url, AsyncExitStack() as stack:
        servers = {}
        for name in (f"server {number}" for number in range(1, count + 1)):
            (folder / name).mkdir()
            arguments = ("--redis", url, "--log-level", "debug")
            servers[name] = ServerProcess(folder / name, *arguments, SPADES_PACE="1000", SPADES_AWAY_SECONDS="10000")
            await servers[name].start()
            stack.push_async_callback(stop, servers[name])
        pids = {"clients": os.getpid(), **dict(zip(["store", *servers], child_pids(), strict=True))}
        await for_each(len(clients) // 4, lambda each: make_game(clients[4 * each :][:4], servers["server 1"].port))
        print(f"{len(clients)} clients at {len(clients) // 4} tables of server 1")
        await print_idle(idle, pids)
        first, victim = servers.pop("server 1"), pids.pop("server 1")
        ports = [server.port for server in servers.values()]
        p99 = await reconnect_all("back after the kill", clients, ports, pids, lambda: os.kill(victim, SIGKILL))
        print(f"  server 1 had loaded {count_loads(first)}")
        for name, server in servers.items():
            print(f"  {name} loaded {count_loads(server)}")
        await print_idle(idle, pids)
    return p99


async def stop(server: ServerProcess) -> None:
    with suppress(ProcessLookupError):
        server.signal(SIGTERM)
    await server.wait()


async def measure_baseline(clients: Sequence[LoadClient], count: int) -> float:
    """Measure as many baseline servers; return the 99th percentile."""
    size = len(msgpack.packb(clients[0].last))
    command = (sys.executable, "-m", "tests.benchmarks.baseline_server", str(size))
    servers = [await asyncio.create_subprocess_exec(*command, stdout=PIPE) for _ in range(count)]
    try:
        first, *ports = [int(await server.stdout.readline()) for server in servers if server.stdout is not None]
        await for_each(len(clients), lambda each: clients[each].connect(first))
        pids = {
            "clients": os.getpid(),
            **{f"baseline {number}": each.pid for number, each in enumerate(servers[1:], 2)},
        }
        return await reconnect_all(f"baseline servers, {size} bytes", clients, ports, pids, servers[0].kill)
    finally:
        for server in servers:
            with suppress(ProcessLookupError):
                server.kill()
            await server.wait()


async def run(connections: int, servers: int, idle: float) -> None:
    clients = [LoadClient(f"Player {number}", Random(number)) for number in range(connections)]
    with TemporaryDirectory() as folder:
        measured = await measure_servers(clients, servers, idle, Path(folder))
    baseline = await measure_baseline(clients, servers)
    print(f"ratio of the p99: {measured / baseline:.2f} (goal for the p99: under 3 s)")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--connections", type=int, default=3000, help="four to a table (default: %(default)s)")
    arguments.add_argument("--servers", type=int, default=3, help="the first is killed (default: %(default)s)")
    arguments.add_argument("--idle", type=float, default=20.0, help="seconds of measurement without load (default: 20)")
    chosen = arguments.parse_args()
    if chosen.connections % 4 or chosen.servers < 2:
        arguments.error("connections are a multiple of 4, servers 2 at least")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.disable()  # the clients live as long as the program; a collection would take time from the servers
    print(f"$ python -m tests.benchmarks.reconnect_load {' '.join(sys.argv[1:])}".rstrip())
    print(f"{machine()}; {most} open files")
    uvloop.run(run(chosen.connections, chosen.servers, chosen.idle))


if __name__ == "__main__":
    main()
