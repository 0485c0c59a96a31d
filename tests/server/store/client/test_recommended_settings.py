"""Servers start with the settings in docs/scaling.md."""

import re
from pathlib import Path

import pytest

from tests.ports import free_ports
from tests.server.store.client.test_secured import RIGHTS
from tests.server.store.deployments import SERVICE, StoreProcess, eventually

TEXT = (Path(__file__).parents[4] / "docs" / "scaling.md").read_text(encoding="utf-8")
SETTINGS = {name: lines.strip().splitlines() for name, lines in re.findall(r"```conf\n# (.+)\n((?:.+\n)+)```", TEXT)}


@pytest.fixture
def started(tmp_path):
    processes = []

    def start(lines, *options):
        (port,) = free_ports(1)
        processes.append(StoreProcess(tmp_path, port, lines, *options))
        return processes[-1]

    yield start
    for each in processes:
        each.close()


async def test_a_master_a_replica_and_a_sentinel_start_with_the_documented_settings(started):
    master = started([*SETTINGS["valkey.conf"], "repl-diskless-sync-delay 0"])
    started([*SETTINGS["valkey.conf"], f"replicaof 127.0.0.1 {master.port}"])
    await eventually(lambda: master.has_replicas(1))
    watched = [line.replace("127.0.0.1 6379", f"127.0.0.1 {master.port}") for line in SETTINGS["sentinel.conf"]]
    sentinel = started(watched, "--sentinel")
    await eventually(lambda: sentinel.client.sentinel_master(SERVICE)["num-slaves"] == 1)
    assert sentinel.client.sentinel_master(SERVICE)["quorum"] == 2


async def test_a_server_of_a_cluster_starts_with_the_documented_settings(started):
    (bus,) = free_ports(1)
    server = started([*SETTINGS["valkey.conf"], *SETTINGS["cluster"], f"cluster-port {bus}"])
    await eventually(server.client.ping)
    assert server.client.info("cluster") == {"cluster_enabled": 1}


def test_the_documented_rights_are_the_tested_ones():
    assert f"ACL SETUSER spades on >password {' '.join(RIGHTS)}" in TEXT
