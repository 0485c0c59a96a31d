"""The settings in docs/scaling.md: servers start with them, and nothing is warned of."""

import re
from pathlib import Path

import pytest

from tests.ports import free_ports
from tests.server.store.client.test_secured import RIGHTS
from tests.server.store.fleets import SERVICE, Process, eventually

TEXT = (Path(__file__).parents[4] / "docs" / "scaling.md").read_text(encoding="utf-8")
SETTINGS = {name: lines.strip().splitlines() for name, lines in re.findall(r"```conf\n# (.+)\n((?:.+\n)+)```", TEXT)}


@pytest.fixture
def started(tmp_path):
    processes = []

    def start(lines, *options):
        (port,) = free_ports(1)
        processes.append(Process(tmp_path, port, lines, *options))
        return processes[-1]

    yield start
    for each in processes:
        each.close()


async def test_a_master_its_replica_and_a_sentinel_run_with_them(started):
    master = started([*SETTINGS["valkey.conf"], "repl-diskless-sync-delay 0"])
    started([*SETTINGS["valkey.conf"], f"replicaof 127.0.0.1 {master.port}"])
    await eventually(lambda: master.has_replicas(1))
    watched = [line.replace("127.0.0.1 6379", f"127.0.0.1 {master.port}") for line in SETTINGS["sentinel.conf"]]
    sentinel = started(watched, "--sentinel")
    await eventually(lambda: sentinel.client.sentinel_master(SERVICE)["num-slaves"] == 1)
    assert sentinel.client.sentinel_master(SERVICE)["quorum"] == 2


async def test_a_server_of_a_cluster_runs_with_them(started):
    (bus,) = free_ports(1)
    server = started([*SETTINGS["valkey.conf"], *SETTINGS["cluster"], f"cluster-port {bus}"])
    await eventually(server.client.ping)
    assert server.client.info("cluster") == {"cluster_enabled": 1}


def test_the_rights_of_a_user_are_those_that_are_known_to_be_enough():
    assert f"ACL SETUSER spades on >password {' '.join(RIGHTS)}" in TEXT
