"""The log of a table in Redis or Valkey (7.0 or later): three scripts and the patience around them.

Invariant: an append is answered only with what the script said. While the answer
is missing the same commit, with the same id, is offered again: the script knows
its own and cannot store it twice.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from hashlib import sha1
from pathlib import Path
from typing import Any, TypeVar

import structlog
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError

from server.store.faults import LOST, may_pass, place, sentence, stop_if_told_to
from server.store.keys import CHANNELS, keys_of
from server.store.log import (
    Appended,
    Commit,
    Conflict,
    Duplicate,
    Early,
    Gone,
    Loaded,
    Outcome,
    Position,
    Snapshot,
    StoreAlarm,
    StoreError,
    StoreUnavailable,
    Woken,
)
from server.store.wakeups import Sleep, heard
from server.store.written import SCHEMA, chained, read_commit, read_snapshot, read_wakeup, refuse_newer, whole, write
from spades_core.state import Table

FOURTEEN_DAYS_MS = 14 * 24 * 60 * 60 * 1000

_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5

T = TypeVar("T")
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Script:
    source: str
    digest: str


def _script(name: str) -> Script:
    source = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return Script(source, sha1(source.encode(), usedforsecurity=False).hexdigest())


CREATE, APPEND, LOAD = _script("create.lua"), _script("append.lua"), _script("load.lua")


class RedisLog:
    """A TableLog. `idle_ms` is how long a table is kept after its last commit, `give_up_after_s` bounds one request."""

    def __init__(
        self,
        client: "Redis",
        *,
        connections: int = 32,
        idle_ms: int = FOURTEEN_DAYS_MS,
        give_up_after_s: float = 5.0,
        quiet_s: float = 5.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._client = client
        self._where = place(client.connection_pool.connection_kwargs)
        self._turns = asyncio.Semaphore(connections)  # first come, first served; the library's own queue starves some
        self._idle_ms = idle_ms
        self._give_up_after_s = give_up_after_s
        self._quiet_s = quiet_s
        self._sleep = sleep

    @classmethod
    def at(cls, url: str, *, connections: int = 32, answer_within_s: float = 1.5, **settings: Any) -> "RedisLog":
        """For redis://, rediss:// and unix:// URLs; connects with the first request."""
        try:
            pool = ConnectionPool.from_url(
                url,
                max_connections=connections + 8,  # those that listen come on top
                socket_timeout=answer_within_s,
                socket_connect_timeout=answer_within_s,
                protocol=2,
                retry=Retry(NoBackoff(), 0),  # one patience is enough: ours, with a budget
            )
            pool.make_connection()  # type: ignore[no-untyped-call]  # an option that no connection knows shows only here
        except (ValueError, TypeError, AttributeError, RedisError) as error:
            raise StoreError(
                "the address of the store is not understood: use redis://HOST:PORT, rediss:// or unix:///PATH"
            ) from error
        return cls(Redis.from_pool(pool), connections=connections, **settings)

    async def check(self) -> None:
        """That the server is there, lets us in and is recent enough; raises StoreUnavailable."""
        said = await self._known(partial(self._client.info, "server"))
        version = str(said.get("redis_version", "0"))
        if int(version.partition(".")[0]) < 7:
            raise StoreUnavailable(f"the store at {self._where} has version {version}; 7.0 or later is needed")
        said = await self._known(partial(self._client.info, "persistence"))
        if not said.get("aof_enabled"):
            log.warning("the store keeps no append-only file: what is played may be lost with it")
        said = await self._known(partial(self._client.info, "memory"))
        if said.get("maxmemory") and said.get("maxmemory_policy") != "noeviction":
            log.warning("the store may evict tables that are being played: set its maxmemory-policy to noeviction")

    async def create(self, code: str, commit: Commit, *, status: str = "lobby") -> bool:
        keys = keys_of(code)
        arguments = (
            code,
            *(commit.e, commit.player or "", commit.request or "", write(commit)),
            *(status, self._idle_ms, SCHEMA, keys.channel),
        )
        reply = await self._run(CREATE, (keys.head, keys.log, keys.snapshot), arguments)
        return bool(reply[0] == b"CREATED")

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None,
        deadline_ms: int | None,
        status: str,
        only_when_due: bool = False,
    ) -> Outcome:
        keys = keys_of(code)
        arguments = (
            code,
            *(commit.n, commit.e, commit.p, commit.player or "", commit.request or "", write(commit)),
            *("" if deadline_ms is None else deadline_ms, status),
            "" if snapshot is None else write(Snapshot(commit.at, snapshot)),
            *(self._idle_ms, SCHEMA, keys.channel, "1" if only_when_due else ""),
        )
        reply = await self._run(APPEND, (keys.head, keys.log, keys.snapshot, keys.due), arguments)
        return _outcome(code, commit, [part.decode() for part in reply])

    async def load(self, code: str) -> Loaded | None:
        keys = keys_of(code)
        reply = await self._run(LOAD, (keys.head, keys.log, keys.snapshot), (), writes=False)
        if reply is None:
            return None
        v, e, schema, snapshot_n, written, entries = reply
        refuse_newer(code, int(schema))
        if not entries:
            return None  # a head without a log: gone, as for an append
        snapshot = None
        if snapshot_n is not None:
            if written is None:
                raise StoreAlarm(code, int(snapshot_n), "its snapshot is missing")
            snapshot = read_snapshot(code, int(snapshot_n), written)
        return whole(code, Position(int(v), e.decode()), snapshot, [_commit(code, entry) for entry in entries])

    async def read(self, code: str, after: Position) -> tuple[Commit, ...] | None:
        entries: list[Any] = await self._known(
            partial(self._client.execute_command, "XRANGE", keys_of(code).log, f"{after.n}-0", "+")
        )
        if not entries:
            return None
        entry_id, fields = entries[0]
        if entry_id.decode() != f"{after.n}-0" or fields[b"e"].decode() != after.e:
            return None
        return chained(code, after, [_commit(code, entry) for entry in entries[1:]])

    async def answered(self, code: str, player: str, request: str) -> int | None:
        last: bytes | None = await self._known(
            partial(self._client.execute_command, "HGET", keys_of(code).head, f"r:{player}")
        )
        if last is None:
            return None
        n, _, stored = last.decode().split(" ", 2)
        return int(n) if stored == request else None

    async def tops(self, codes: Sequence[str]) -> dict[str, Position | None]:
        if not codes:
            return {}

        async def ask() -> list[Any]:
            async with self._client.pipeline(transaction=False) as pipeline:
                for code in codes:
                    pipeline.hmget(keys_of(code).head, ["v", "e"])
                answers: list[Any] = await pipeline.execute()
                return answers

        heads = await self._known(ask)
        return {
            code: None if v is None else Position(int(v), e.decode()) for code, (v, e) in zip(codes, heads, strict=True)
        }

    async def listen(self, woken: Woken, resubscribed: Callable[[], None]) -> None:
        said = heard(self._client, self._where, CHANNELS, quiet_s=self._quiet_s, sleep=self._sleep)
        async with aclosing(said):
            async for payload in said:
                if payload is None:
                    resubscribed()
                    continue
                code, _, written = payload.partition(b"\0")
                try:
                    commit = read_wakeup(code.decode(), written)
                except StoreError as error:
                    # Whoever cares for this table compares tops, reads it, and fails there, loudly.
                    log.warning("wake-up not understood", reason=str(error))
                    continue
                woken(code.decode(), commit)

    async def close(self) -> None:
        await self._client.aclose()

    async def _run(self, script: Script, keys: Sequence[str], arguments: Sequence[Any], *, writes: bool = True) -> Any:
        by_digest, by_source = (
            (self._client.evalsha, self._client.eval) if writes else (self._client.evalsha_ro, self._client.eval_ro)
        )

        async def ask() -> Any:
            try:
                return await by_digest(script.digest, len(keys), *keys, *arguments)
            except NoScriptError:  # after a restart; the source is remembered from now on
                return await by_source(script.source, len(keys), *keys, *arguments)

        return await self._known(ask)

    async def _known(self, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer; asked for again until it is known, refused for good, or the time is up."""
        give_up_at = asyncio.get_running_loop().time() + self._give_up_after_s
        pause, fault = _FIRST_PAUSE_S, ""
        try:
            async with asyncio.timeout_at(give_up_at):
                while True:
                    try:
                        async with self._turns:
                            answer = await ask()
                        stop_if_told_to()
                    except LOST as error:
                        fault = sentence(error, self._where)
                        stop_if_told_to()
                        if not may_pass(error):
                            raise StoreUnavailable(fault) from error
                    else:
                        return answer
                    await self._sleep(pause * random.uniform(0.5, 1.0))
                    pause = min(2 * pause, _LONGEST_PAUSE_S)
        except TimeoutError as error:
            raise StoreUnavailable(fault or sentence(error, self._where)) from error


def _outcome(code: str, commit: Commit, reply: Sequence[str]) -> Outcome:
    match reply:
        case ["APPENDED" | "OWN"]:
            return Appended(commit.at)
        case ["DUPLICATE", n]:
            return Duplicate(int(n))
        case ["CONFLICT", v, e]:
            return Conflict(Position(int(v), e))
        case ["EARLY", ms_left]:
            return Early(int(ms_left))
        case ["GONE"]:
            return Gone()
        case ["NEWER", schema]:
            refuse_newer(code, int(schema))
        case ["DAMAGED", last]:
            raise StoreAlarm(code, commit.n, f"the log goes on to {last} while its head says {commit.n - 1}")
    raise AssertionError(f"the append script answered {reply}")


def _commit(code: str, entry: tuple[bytes, dict[bytes, bytes] | Sequence[bytes]]) -> Commit:
    """One entry of a log, as a command or as a script gives it."""
    entry_id, given = entry
    fields = given if isinstance(given, dict) else dict(zip(given[::2], given[1::2], strict=True))
    n = int(entry_id.partition(b"-")[0])
    commit = read_commit(code, n, fields[b"c"])
    if (commit.e, commit.p) != (fields[b"e"].decode(), fields[b"p"].decode()):
        raise StoreAlarm(code, n, "its ids are not those of its entry")
    return commit
