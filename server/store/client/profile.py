"""The durability profile of the store, from its settings: when a move is acknowledged, and what may be lost.

Invariant: the profile promises no more than the settings of every server that
keeps tables allow; a server that hides its settings is reported.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import structlog

from server.store.client.client import StoreClient
from server.store.client.errors import NODE_ERRORS, describe, is_transient, raise_if_cancelled
from server.store.client.node import Node
from server.store.client.topology import unexpected_cluster
from server.store.log import StoreUnavailable

_SETTINGS = ("appendfsync", "min-replicas-to-write")
_WORST_FIRST = ("none", "unknown", "no", "everysec", "always")
_SINGLE = {
    "none": ("once the store has it in memory", "everything, when the store ends"),
    "unknown": ("once the store has it", "the last seconds, as far as its settings are known"),
    "no": ("once the store has it", "half a minute, when the machine fails"),
    "everysec": ("once the store has it; on disk a second later", "one or two seconds, when the machine fails"),
    "always": ("once it is on disk", "nothing, unless the disk lies"),
}
_REPLICATED = (
    "once a replica has it too",
    "writes that the promoted replica lacked; the servers detect it as a rollback",
)

Info = Mapping[str, str]
log = structlog.get_logger()


async def check_store(client: StoreClient) -> None:
    """Log the profile of the store and warn of unsafe settings.

    Raises StoreUnavailable if the store is unusable, one of REQUEST_ERRORS if it does not answer.
    """
    policies = set()
    for node, info in await _info_of_available(await client.primaries()):
        _check_usable(node, info, client.kind)
        for warning in _warnings(info, client.required_replicas):
            log.warning(warning, store=node.address)
        policies.add(info.get("appendfsync", "unknown") if info.get("aof_enabled") == "1" else "none")
    policy = min(policies, key=_WORST_FIRST.index)
    acknowledged, may_be_lost = _REPLICATED if client.required_replicas else _SINGLE[policy]
    log.info(
        "store reached",
        store=client.address,
        profile=f"{client.kind}, appendfsync {policy}",
        acknowledged=acknowledged,
        may_be_lost=may_be_lost,
    )


async def _info_of_available(nodes: Sequence[Node]) -> list[tuple[Node, Info]]:
    """Return the settings of the available servers, as their tables can be played; raises if there is none."""
    infos: list[tuple[Node, Info]] = []
    lost: dict[Node, BaseException] = {}
    for node in nodes:
        try:
            infos.append((node, await _info_of(node)))
        except NODE_ERRORS as error:
            raise_if_cancelled()
            if not is_transient(error):
                raise
            lost[node] = error
    for node, loss in lost.items():
        if not infos:
            raise loss
        log.warning("part of the store is unavailable", problem=describe(loss, node.address))
    return infos


async def _info_of(node: Node) -> Info:
    info, config = await node.execute(("INFO",), ("CONFIG", "GET", *_SETTINGS))
    if isinstance(info, Exception):
        raise info
    pairs = dict(line.split(":", 1) for line in info.decode().splitlines() if ":" in line)
    return pairs if isinstance(config, Exception) else pairs | _pairs(config)


def _pairs(flat: list[Any]) -> dict[str, str]:
    texts = [each.decode() for each in flat]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _check_usable(node: Node, info: Info, kind: str) -> None:
    version = info.get("redis_version", "0")
    if int(version.partition(".")[0]) < 7:
        raise StoreUnavailable(f"the store at {node.address} has version {version}; 7.0 or later is needed")
    if "sentinel_masters" in info:
        raise StoreUnavailable(
            f"the server at {node.address} is a Sentinel: its address is redis+sentinel://HOST:PORT/SERVICE"
        )
    if info.get("cluster_enabled") == "1" and kind != "cluster":
        raise unexpected_cluster(node)


def _warnings(info: Info, required_replicas: int) -> Iterator[str]:
    if info.get("aof_enabled") != "1":
        yield "the store keeps no append-only file: its tables may be lost with it"
    if info.get("maxmemory", "0") != "0" and info.get("maxmemory_policy") != "noeviction":
        yield "the store may evict tables in play: set its maxmemory-policy to noeviction"
    if "appendfsync" not in info:
        yield "the store hides its settings: check appendfsync and min-replicas-to-write yourself"
    if info.get("appendfsync") == "no":
        yield "the store leaves writing to disk to the system: set its appendfsync to everysec or always"
    if required_replicas and info.get("min-replicas-to-write") == "0":
        yield "the store takes writes without any replica: set its min-replicas-to-write to 1"
    if required_replicas and info.get("connected_slaves") == "0":
        yield "the store has no replica: nothing is acknowledged until it has one"
