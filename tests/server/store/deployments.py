"""Stores of several real processes: a master with two replicas and three Sentinels, and a cluster of three masters.

Invariant: no process is left when a deployment is closed, not even one that was suspended.
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
_SENTINEL = {"down-after-milliseconds": "400", "failover-timeout": "2000", "parallel-syncs": "2"}
_DEBUG = ("PING-PERIOD", 300, "INFO-PERIOD", 200, "ASK-PERIOD", 100)
"""In milliseconds. A replica is promoted only if it answered within five pings; once the master is down, it is asked
for its INFO once a second."""
_SLOT_RANGES = ((0, 5460), (5461, 10922), (10923, 16383))
_CLUSTER = {
    "cluster-enabled": "yes",
    "cluster-node-timeout": "1000",
    "cluster-require-full-coverage": "no",
}


def wait_until(condition: Callable[[], Any]) -> None:
    """Block until the condition holds; for the set-up of a deployment."""
    give_up_at = time.monotonic() + 20
    while True:
        with contextlib.suppress(RedisError):
            if condition():
                return
        assert time.monotonic() < give_up_at, "the deployment did not become healthy"
        time.sleep(0.02)


async def eventually(condition: Callable[[], Any]) -> None:
    """Wait for a condition that several processes have to agree on."""
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(RedisError):
                if condition():
                    return
            await asyncio.sleep(0.02)


class StoreProcess:
    """One server or Sentinel, with a client of it. Restarted after a kill, it has the same data."""

    def __init__(self, folder: Path, port: int, settings: list[str], *options: str) -> None:
        self.port = port
        self.address = f"127.0.0.1:{port}"
        self.client = Redis(port=port, protocol=2, socket_timeout=2, decode_responses=True)
        self._folder = folder / str(port)
        self._folder.mkdir(parents=True)
        self._config = self._folder / "server.conf"
        self._config.write_text("\n".join((f"port {port}", f'dir "{self._folder}"', *settings)) + "\n")
        self._options = options
        self.start()

    def start(self) -> None:
        with (self._folder / "server.log").open("ab") as output:
            self.process = subprocess.Popen([find_binary(), self._config, *self._options], stdout=output, stderr=output)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.kill()
        self.client.close()

    def has_replicas(self, number: int) -> bool:
        info: Any = self.client.info("replication")
        return (
            info["role"] == "master"
            and info["connected_slaves"] == number
            and all(info[f"slave{each}"]["state"] == "online" for each in range(number))
        )


class Deployment:
    """Use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.servers: list[StoreProcess] = []
        self.sentinels: list[StoreProcess] = []
        self.url = ""

    def __enter__(self) -> Self:
        try:
            self.launch()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.sentinels, *self.servers):
            process.close()

    def launch(self) -> None:
        raise NotImplementedError

    def is_healthy(self) -> bool:
        """Return whether all processes are alive and agree, and every replica is in sync."""
        raise NotImplementedError

    def owner_of(self, key: str) -> StoreProcess:
        """Return the master that owns a key, as the living processes report it."""
        raise NotImplementedError

    def at_port(self, port: int) -> StoreProcess:
        return next(server for server in self.servers if server.port == port)


class SentinelDeployment(Deployment):
    """One master, two replicas, and three Sentinels that declare a master down within half a second."""

    def launch(self) -> None:
        ports = free_ports(6)
        settings = [f"{name} {value}" for name, value in _SETTINGS.items()]
        for port in ports[:3]:
            replica = [] if port == ports[0] else [f"replicaof 127.0.0.1 {ports[0]}"]
            self.servers.append(StoreProcess(self.folder, port, settings + replica))
        wait_until(lambda: self.servers[0].has_replicas(2))
        sentinel = ["bind 127.0.0.1", f"sentinel monitor {SERVICE} 127.0.0.1 {ports[0]} 2"]
        sentinel += [f"sentinel {name} {SERVICE} {value}" for name, value in _SENTINEL.items()]
        for port in ports[3:]:
            self.sentinels.append(StoreProcess(self.folder, port, sentinel, "--sentinel"))
            wait_until(self.sentinels[-1].client.ping)
            self.sentinels[-1].client.execute_command("SENTINEL", "DEBUG", *_DEBUG, "PUBLISH-PERIOD", 100)
        self.url = f"redis+sentinel://{','.join(each.address for each in self.sentinels)}/{SERVICE}"
        wait_until(self.is_healthy)
        for each in self.sentinels:  # that often, once they have met, they would interfere with a failover
            each.client.execute_command("SENTINEL", "DEBUG", "PUBLISH-PERIOD", 2000)

    def is_healthy(self) -> bool:
        masters = [sentinel.client.sentinel_master(SERVICE) for sentinel in self.sentinels]
        return (
            all(master["num-slaves"] == 2 and master["num-other-sentinels"] == 2 for master in masters)
            and all(master["flags"] == "master" for master in masters)
            and len({master["port"] for master in masters}) == 1
            and self.owner_of("").has_replicas(2)
        )

    def owner_of(self, _key: str) -> StoreProcess:
        _, port = self.sentinels[0].client.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return self.at_port(int(port))


class ClusterDeployment(Deployment):
    """Three masters with one replica each."""

    def launch(self) -> None:
        ports = free_ports(12)
        settings = [f"{name} {value}" for name, value in (_SETTINGS | _CLUSTER).items()]
        for port, bus in zip(ports[:6], ports[6:], strict=True):
            self.servers.append(StoreProcess(self.folder, port, [*settings, f"cluster-port {bus}"]))
        self.url = f"redis+cluster://{','.join(server.address for server in self.servers)}"
        for server in self.servers:
            wait_until(server.client.ping)
        masters = self.servers[:3]
        for epoch, (server, slots) in enumerate(zip(masters, _SLOT_RANGES, strict=True), 1):
            server.client.execute_command("CLUSTER", "ADDSLOTSRANGE", *slots)
            server.client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", epoch)
        for port, bus in zip(ports[1:6], ports[7:], strict=True):
            masters[0].client.execute_command("CLUSTER", "MEET", "127.0.0.1", port, bus)
        wait_until(lambda: all(self._known_by(server) == 6 for server in self.servers))
        for master, replica in zip(masters, self.servers[3:], strict=True):
            replica.client.execute_command("CLUSTER", "REPLICATE", self.id_of(master))
        wait_until(self.is_healthy)

    def is_healthy(self) -> bool:
        masters = [server for server in self.servers if server.client.role()[0] == "master"]
        return (
            all(server.client.execute_command("CLUSTER INFO")["cluster_state"] == "ok" for server in self.servers)
            and len(masters) == 3
            and all(master.has_replicas(1) for master in masters)
        )

    def owner_of(self, key: str) -> StoreProcess:
        alive = next(server for server in self.servers if server.process.poll() is None)
        slot = alive.client.execute_command("CLUSTER", "KEYSLOT", key)
        for first, last, (_, port, *_), *_ in alive.client.execute_command("CLUSTER", "SLOTS"):
            if first <= slot <= last:
                return self.at_port(port)
        raise AssertionError(f"no server owns the slot of {key}")

    def id_of(self, server: StoreProcess) -> str:
        return str(server.client.execute_command("CLUSTER", "MYID"))

    def _known_by(self, server: StoreProcess) -> int:
        return int(server.client.execute_command("CLUSTER INFO")["cluster_known_nodes"])
