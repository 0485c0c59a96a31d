"""Stores of several real processes: a master with two replicas and three Sentinels, and a cluster of three masters.

Invariant: no process is left when a fleet is closed, those that were stopped or killed included.
"""

import asyncio
import contextlib
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from redis import Redis
from redis.exceptions import RedisError

from server.store.embedded.process import find_binary
from tests.ports import free_ports

SERVICE = "spades"

_SETTINGS = {
    "bind": "127.0.0.1",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": '""',
    "maxmemory-policy": "noeviction",
    "min-replicas-to-write": "1",
    "repl-diskless-sync-delay": "0",
}
_WATCHED = {"down-after-milliseconds": "400", "failover-timeout": "2000", "parallel-syncs": "2"}
_PERIODS = ("PING-PERIOD", 300, "INFO-PERIOD", 200, "ASK-PERIOD", 100)
"""In milliseconds. A replica is promoted only if it was heard of within five pings, and once the master is down it is
asked about itself once a second."""
_SHARES = ((0, 5460), (5461, 10922), (10923, 16383))
_CLUSTER = {
    "cluster-enabled": "yes",
    "cluster-node-timeout": "1000",
    "cluster-require-full-coverage": "no",
}


def wait_until(condition: Callable[[], Any]) -> None:
    """Blocks: before a test begins, or after it."""
    give_up_at = time.monotonic() + 20
    while True:
        with contextlib.suppress(RedisError):
            if condition():
                return
        assert time.monotonic() < give_up_at, "the fleet did not get there"
        time.sleep(0.02)


async def eventually(condition: Callable[[], Any]) -> None:
    """Wait for something that several processes have to agree on."""
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(RedisError):
                if condition():
                    return
            await asyncio.sleep(0.02)


class Process:
    """One server or Sentinel, and a client to ask it. Begun again after a kill it finds its data as they were."""

    def __init__(self, folder: Path, port: int, settings: list[str], *options: str) -> None:
        self.port = port
        self.at = f"127.0.0.1:{port}"
        self.client = Redis(port=port, protocol=2, socket_timeout=2, decode_responses=True)
        self._folder = folder / str(port)
        self._folder.mkdir(parents=True)
        self._config = self._folder / "server.conf"
        self._config.write_text("\n".join((f"port {port}", f'dir "{self._folder}"', *settings)) + "\n")
        self._options = options
        self.start()

    def start(self) -> None:
        with (self._folder / "server.log").open("ab") as said:
            self.running = subprocess.Popen([find_binary(), self._config, *self._options], stdout=said, stderr=said)

    def kill(self) -> None:
        self.running.kill()
        self.running.wait()

    def close(self) -> None:
        self.kill()
        self.client.close()

    def has_replicas(self, number: int) -> bool:
        told: Any = self.client.info("replication")
        return (
            told["role"] == "master"
            and told["connected_slaves"] == number
            and all(told[f"slave{each}"]["state"] == "online" for each in range(number))
        )


class Fleet:
    """`with Fleet(folder)` runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.servers: list[Process] = []
        self.sentinels: list[Process] = []
        self.url = ""

    def __enter__(self) -> Self:
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.sentinels, *self.servers):
            process.close()

    def begin(self) -> None:
        raise NotImplementedError

    def is_whole(self) -> bool:
        """Everybody lives, knows everybody and agrees; every replica is in step."""
        raise NotImplementedError

    def owner_of(self, key: str) -> Process:
        """The master that keeps a key, as those that live see it."""
        raise NotImplementedError

    def at_port(self, port: int) -> Process:
        return next(server for server in self.servers if server.port == port)


class SentinelFleet(Fleet):
    """One master, two replicas and three Sentinels that agree within half a second that a master is gone."""

    def begin(self) -> None:
        ports = free_ports(6)
        settings = [f"{name} {value}" for name, value in _SETTINGS.items()]
        for port in ports[:3]:
            replica = [] if port == ports[0] else [f"replicaof 127.0.0.1 {ports[0]}"]
            self.servers.append(Process(self.folder, port, settings + replica))
        wait_until(lambda: self.servers[0].has_replicas(2))
        sentinel = ["bind 127.0.0.1", f"sentinel monitor {SERVICE} 127.0.0.1 {ports[0]} 2"]
        sentinel += [f"sentinel {name} {SERVICE} {value}" for name, value in _WATCHED.items()]
        for port in ports[3:]:
            self.sentinels.append(Process(self.folder, port, sentinel, "--sentinel"))
            wait_until(self.sentinels[-1].client.ping)
            self.sentinels[-1].client.execute_command("SENTINEL", "DEBUG", *_PERIODS, "PUBLISH-PERIOD", 100)
        self.url = f"redis+sentinel://{','.join(each.at for each in self.sentinels)}/{SERVICE}"
        wait_until(self.is_whole)
        for each in self.sentinels:  # they have met; as often as that they would also undo what others are just doing
            each.client.execute_command("SENTINEL", "DEBUG", "PUBLISH-PERIOD", 2000)

    def is_whole(self) -> bool:
        told = [sentinel.client.sentinel_master(SERVICE) for sentinel in self.sentinels]
        return (
            all(master["num-slaves"] == 2 and master["num-other-sentinels"] == 2 for master in told)
            and all(master["flags"] == "master" for master in told)
            and len({master["port"] for master in told}) == 1
            and self.owner_of("").has_replicas(2)
        )

    def owner_of(self, _key: str) -> Process:
        _, port = self.sentinels[0].client.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return self.at_port(int(port))


class ClusterFleet(Fleet):
    """Three masters with a replica each."""

    def begin(self) -> None:
        ports = free_ports(12)
        settings = [f"{name} {value}" for name, value in (_SETTINGS | _CLUSTER).items()]
        for port, bus in zip(ports[:6], ports[6:], strict=True):
            self.servers.append(Process(self.folder, port, [*settings, f"cluster-port {bus}"]))
        self.url = f"redis+cluster://{','.join(server.at for server in self.servers)}"
        for server in self.servers:
            wait_until(server.client.ping)
        masters = self.servers[:3]
        for epoch, (server, slots) in enumerate(zip(masters, _SHARES, strict=True), 1):
            server.client.execute_command("CLUSTER", "ADDSLOTSRANGE", *slots)
            server.client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", epoch)
        for port, bus in zip(ports[1:6], ports[7:], strict=True):
            masters[0].client.execute_command("CLUSTER", "MEET", "127.0.0.1", port, bus)
        wait_until(lambda: all(self._known_by(server) == 6 for server in self.servers))
        for master, replica in zip(masters, self.servers[3:], strict=True):
            replica.client.execute_command("CLUSTER", "REPLICATE", self.id_of(master))
        wait_until(self.is_whole)

    def is_whole(self) -> bool:
        masters = [server for server in self.servers if server.client.role()[0] == "master"]
        return (
            all(server.client.execute_command("CLUSTER INFO")["cluster_state"] == "ok" for server in self.servers)
            and len(masters) == 3
            and all(master.has_replicas(1) for master in masters)
        )

    def owner_of(self, key: str) -> Process:
        seen_by = next(server for server in self.servers if server.running.poll() is None)
        slot = seen_by.client.execute_command("CLUSTER", "KEYSLOT", key)
        for first, last, (_, port, *_), *_ in seen_by.client.execute_command("CLUSTER", "SLOTS"):
            if first <= slot <= last:
                return self.at_port(port)
        raise AssertionError(f"nobody owns the slot of {key}")

    def id_of(self, server: Process) -> str:
        return str(server.client.execute_command("CLUSTER", "MYID"))

    def _known_by(self, server: Process) -> int:
        return int(server.client.execute_command("CLUSTER INFO")["cluster_known_nodes"])
