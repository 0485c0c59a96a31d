"""The log of a table in Redis or Valkey (7.0 or later): a few scripts and the patience around them.

Invariant: an append is answered only with what the script said. While the answer
is missing the same commit, with the same id, is offered again: the script knows
its own and cannot store it twice.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
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

from server.store import replies
from server.store.faults import LOST, may_pass, place, sentence, stop_if_told_to
from server.store.keys import CHANNELS, SERVERS, keys_of
from server.store.log import (
    Attendance,
    Commit,
    Ear,
    Loaded,
    Outcome,
    Position,
    Snapshot,
    StoreError,
    StoreUnavailable,
    Top,
)
from server.store.wakeups import Sleep, heard
from server.store.written import SCHEMA, chained, read_wakeup, write, write_game
from spades_core.state import Table

DAY_MS = 24 * 60 * 60 * 1000
IDLE_MS = 14 * DAY_MS
"""How long a table is kept after its last commit."""
GAME_MS = 30 * DAY_MS
"""How long a finished game is kept in the archive."""

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
ATTEND, BEAT = _script("attend.lua"), _script("beat.lua")


class RedisLog:
    """A TableLog. `give_up_after_s` bounds one request."""

    def __init__(
        self,
        client: "Redis",
        *,
        connections: int = 32,
        idle_ms: int = IDLE_MS,
        game_ms: int = GAME_MS,
        give_up_after_s: float = 5.0,
        quiet_s: float = 5.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._client = client
        self._where = place(client.connection_pool.connection_kwargs)
        self._turns = asyncio.Semaphore(connections)  # first come, first served; the library's own queue starves some
        self._idle_ms = idle_ms
        self._game_ms = game_ms
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

    async def create(self, code: str, commit: Commit) -> bool:
        keys = keys_of(code)
        arguments = (
            code,
            *(commit.e, commit.player or "", commit.request or "", write(commit)),
            *(self._idle_ms, SCHEMA, keys.channel),
        )
        reply = await self._run(CREATE, (keys.head, keys.log), arguments)
        return bool(reply[0] == b"CREATED")

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None = None,
        trim: bool = False,
        game: str | None = None,
        due_in_ms: int | None = None,
        only_when_due: bool = False,
    ) -> Outcome:
        keys = keys_of(code)
        arguments = (
            code,
            *(commit.n, commit.e, commit.p, commit.player or "", commit.request or "", write(commit)),
            *("" if snapshot is None else write(Snapshot(commit.at, snapshot)), "1" if trim else ""),
            "" if game is None else write_game(game),
            *("" if due_in_ms is None else due_in_ms, "1" if only_when_due else ""),
            *(self._idle_ms, SCHEMA, keys.channel, self._game_ms),
        )
        touched = (keys.head, keys.log, keys.old_snapshot, keys.game(commit.n), keys.games)
        return replies.outcome(code, commit, await self._run(APPEND, touched, arguments))

    async def load(self, code: str, *, whole_game: bool = False) -> Loaded | None:
        keys = keys_of(code)
        arguments = ("1" if whole_game else "",)
        reply = await self._run(LOAD, (keys.head, keys.log, keys.old_snapshot), arguments, writes=False)
        return replies.table(code, reply)

    async def read(self, code: str, after: Position) -> tuple[Commit, ...] | None:
        entries: list[Any] = await self._known(
            partial(self._client.execute_command, "XRANGE", keys_of(code).log, f"{after.n}-0", "+")
        )
        if not entries:
            return None
        entry_id, fields = entries[0]
        if entry_id.decode() != f"{after.n}-0" or fields[b"e"].decode() != after.e:
            return None
        return chained(code, after, [replies.entry(code, *entry) for entry in entries[1:]])

    async def answered(self, code: str, player: str, request: str) -> int | None:
        last: bytes | None = await self._known(
            partial(self._client.execute_command, "HGET", keys_of(code).head, f"r:{player}")
        )
        if last is None:
            return None
        n, _, stored = last.decode().split(" ", 2)
        return int(n) if stored == request else None

    async def tops(self, codes: Sequence[str]) -> dict[str, Top | None]:
        if not codes:
            return {}

        async def ask() -> list[Any]:
            async with self._client.pipeline(transaction=False) as pipeline:
                for code in codes:
                    pipeline.hmget(keys_of(code).head, ["v", "e", "attended"])
                answers: list[Any] = await pipeline.execute()
                return answers

        heads = await self._known(ask)
        return {code: replies.top(head) for code, head in zip(codes, heads, strict=True)}

    async def attend(
        self, code: str, server: str, here: Collection[str], *, arrived: str | None = None, dead: Collection[str] = ()
    ) -> Attendance | None:
        keys = keys_of(code)
        arguments = (code, server, keys.channel, arrived or "", len(here), *here, *dead)
        return replies.attendance(await self._run(ATTEND, (keys.head,), arguments))

    async def beat(self, server: str, lease_ms: int) -> frozenset[str]:
        alive = await self._run(BEAT, (SERVERS,), (server, lease_ms))
        return frozenset(name.decode() for name in alive)

    async def retire(self, server: str) -> None:
        await self._known(partial(self._client.execute_command, "ZREM", SERVERS, server))

    async def listen(self, ear: Ear) -> None:
        said = heard(self._client, self._where, CHANNELS, quiet_s=self._quiet_s, sleep=self._sleep)
        async with aclosing(said):
            async for payload in said:
                if payload is None:
                    ear.resubscribed()
                    continue
                name, _, written = payload.partition(b"\0")
                code = name.decode()
                if not ear.cares(code):
                    continue
                if not written:
                    ear.attended(code)
                    continue
                try:
                    commit = read_wakeup(code, written)
                except StoreError as error:
                    # Whoever cares for this table compares tops, reads it, and fails there, loudly.
                    log.warning("wake-up not understood", reason=str(error))
                    continue
                ear.committed(code, commit)

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
