"""What the store that was reached promises, found by asking it: what is acknowledged when, and what may be lost.

Invariant: no more is stated than the settings of every server that keeps tables
allow; where one does not tell them, that is said.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import structlog

from server.store.client.client import Reach
from server.store.client.faults import LOST, may_pass, sentence, stop_if_told_to
from server.store.client.node import Node
from server.store.client.topology import part_of_a_cluster
from server.store.log import StoreUnavailable

_SETTINGS = ("appendfsync", "min-replicas-to-write")
_WORST_FIRST = ("none", "not told", "no", "everysec", "always")
_ALONE = {
    "none": ("once the store has it in memory", "everything, when the store ends"),
    "not told": ("once the store has it", "the last seconds, for all that is known of its settings"),
    "no": ("once the store has it", "half a minute, when the machine fails"),
    "everysec": ("once the store has it; on disk a second later", "one or two seconds, when the machine fails"),
    "always": ("once it is on disk", "nothing, unless the disk lies"),
}
_WITH_REPLICAS = (
    "once a replica has it too",
    "what the replica that was promoted lacked all the same; it shows as a rewind",
)

Said = Mapping[str, str]
log = structlog.get_logger()


async def examine(reach: Reach) -> None:
    """Raises StoreUnavailable for a store that will not do, one of LOST when it does not answer."""
    flushes = set()
    for node, said in await _told_by_those_there(await reach.owners()):
        _refuse(node, said, reach.kind)
        for warning in _warnings(said, reach.copies):
            log.warning(warning, store=node.place)
        flushes.add(said.get("appendfsync", "not told") if said.get("aof_enabled") == "1" else "none")
    flush = min(flushes, key=_WORST_FIRST.index)
    acknowledged, may_be_lost = _WITH_REPLICAS if reach.copies else _ALONE[flush]
    log.info(
        "store reached",
        store=reach.place,
        profile=f"{reach.kind}, appendfsync {flush}",
        acknowledged=acknowledged,
        may_be_lost=may_be_lost,
    )


async def _told_by_those_there(nodes: Sequence[Node]) -> list[tuple[Node, Said]]:
    """Of several servers some may be away: the tables of the others can be played."""
    told: list[tuple[Node, Said]] = []
    lost: dict[Node, BaseException] = {}
    for node in nodes:
        try:
            told.append((node, await _told_by(node)))
        except LOST as error:
            stop_if_told_to()
            if not may_pass(error):
                raise
            lost[node] = error
    for node, loss in lost.items():
        if not told:
            raise loss
        log.warning("part of the store is away, its tables wait", problem=sentence(loss, node.place))
    return told


async def _told_by(node: Node) -> dict[str, str]:
    info, config = await node.ask(("INFO",), ("CONFIG", "GET", *_SETTINGS))
    if isinstance(info, Exception):
        raise info
    said = dict(line.split(":", 1) for line in info.decode().splitlines() if ":" in line)
    return said if isinstance(config, Exception) else said | _pairs(config)


def _pairs(flat: list[Any]) -> dict[str, str]:
    texts = [each.decode() for each in flat]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _refuse(node: Node, said: Said, kind: str) -> None:
    version = said.get("redis_version", "0")
    if int(version.partition(".")[0]) < 7:
        raise StoreUnavailable(f"the store at {node.place} has version {version}; 7.0 or later is needed")
    if "sentinel_masters" in said:
        raise StoreUnavailable(
            f"the server at {node.place} is a Sentinel: its address is redis+sentinel://HOST:PORT/SERVICE"
        )
    if said.get("cluster_enabled") == "1" and kind != "cluster":
        raise part_of_a_cluster(node)


def _warnings(said: Said, copies: int) -> Iterator[str]:
    if said.get("aof_enabled") != "1":
        yield "the store keeps no append-only file: what is played may be lost with it"
    if said.get("maxmemory", "0") != "0" and said.get("maxmemory_policy") != "noeviction":
        yield "the store may evict tables that are being played: set its maxmemory-policy to noeviction"
    if said.get("appendfsync", "not told") == "not told":
        yield "the store does not tell its settings: make sure of appendfsync and min-replicas-to-write yourself"
    if said.get("appendfsync") == "no":
        yield "the store does not say when it writes to disk: set its appendfsync to everysec or always"
    if copies and said.get("min-replicas-to-write") == "0":
        yield "the store takes writes that no replica will see: set its min-replicas-to-write to 1"
    if copies and said.get("connected_slaves") == "0":
        yield "the store has no replica: nothing is acknowledged before it has one"
