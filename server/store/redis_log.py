"""The log of a table in Redis or Valkey (7.0 or later), implemented with Lua scripts and retries.

Invariant: the result of an append is the reply of the script, confirmed by a
replica if the store has replicas. Without a reply the same commit is sent again,
with the same id: the script detects it and does not store it twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha1
from pathlib import Path
from typing import Any, TypeVar

import structlog
from redis.backoff import EqualJitterBackoff
from redis.exceptions import NoScriptError

from server.store import replies
from server.store.client.client import StoreClient
from server.store.client.errors import CLIENT_ERRORS, NODE_ERRORS, describe, is_transient, raise_if_cancelled
from server.store.client.node import Command
from server.store.client.profile import check_store
from server.store.keys import CHANNELS, SERVERS, Keys, keys_of
from server.store.log import (
    Appended,
    AppendResult,
    Head,
    LoadedTable,
    Snapshot,
    StoreError,
    StoreUnavailable,
    Subscriber,
    TablePresence,
)
from server.store.serialization import SCHEMA, dump, dump_game, load_commit, verify_chain
from server.store.wakeups import Listener, Sleep
from spades_core.commit import Commit, LogPosition
from spades_core.state import Table

DAY_MS = 24 * 60 * 60 * 1000
TABLE_TTL_MS = 14 * DAY_MS
"""Lifetime of a table after its last commit."""
GAME_TTL_MS = 30 * DAY_MS
"""Lifetime of a finished game in the archive."""

_BACKOFF = EqualJitterBackoff(base=0.02, cap=0.5)

T = TypeVar("T")
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Script:
    source: str
    digest: str
    read_only: bool = False
    replicated: bool = False
    """The reply must survive a failover."""


def _script(name: str, *, read_only: bool = False, replicated: bool = False) -> Script:
    source = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return Script(source, sha1(source.encode(), usedforsecurity=False).hexdigest(), read_only, replicated)


CREATE, APPEND = _script("create.lua", replicated=True), _script("append.lua", replicated=True)
LOAD = _script("load.lua", read_only=True)
SET_PRESENCE, HEARTBEAT = (
    _script("presence.lua"),
    _script("heartbeat.lua"),
)  # sent again regularly


class RedisLog:
    """A TableLog for every type of store URL. It connects on the first request.

    `attempt_timeout_s` limits a single attempt, `timeout_s` a request including its retries. Raises StoreError.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = 32,
        attempt_timeout_s: float = 1.5,
        timeout_s: float = 5.0,
        table_ttl_ms: int = TABLE_TTL_MS,
        game_ttl_ms: int = GAME_TTL_MS,
        keepalive_s: float = 5.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._client = StoreClient.from_url(url, connections=connections, timeout_s=attempt_timeout_s)
        self._timeout_s = timeout_s
        self._table_ttl_ms = table_ttl_ms
        self._game_ttl_ms = game_ttl_ms
        self._keepalive_s = keepalive_s
        self._sleep = sleep

    async def check(self) -> None:
        """Log the store's durability profile. Raises StoreUnavailable if the store is unreachable or unusable."""
        await self._retry(partial(check_store, self._client))

    async def create(self, code: str, commit: Commit) -> bool:
        keys = keys_of(code)
        arguments = (
            code,
            *(commit.id, commit.player or "", commit.request or "", data := dump(commit)),
            *(self._table_ttl_ms, SCHEMA, self._script_channel(keys)),
        )
        reply = await self._run(CREATE, (keys.head, keys.log), arguments)
        created = bool(reply[0] == b"CREATED")
        if created:
            await self._publish_if_replicated(code, keys, data)
        return created

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None = None,
        trim: bool = False,
        game: str | None = None,
        ms_until_deadline: int | None = None,
        only_when_due: bool = False,
    ) -> AppendResult:
        keys = keys_of(code)
        arguments = (
            code,
            *(commit.n, commit.id, commit.parent, commit.player or "", commit.request or "", data := dump(commit)),
            *("" if snapshot is None else dump(Snapshot(commit.at, snapshot)), "1" if trim else ""),
            "" if game is None else dump_game(game),
            *("" if ms_until_deadline is None else ms_until_deadline, "1" if only_when_due else ""),
            *(self._table_ttl_ms, SCHEMA, self._script_channel(keys), self._game_ttl_ms),
        )
        reply = await self._run(APPEND, (keys.head, keys.log, keys.game(commit.n), keys.games), arguments)
        result = replies.parse_append(code, commit, reply)
        if isinstance(result, Appended):
            await self._publish_if_replicated(code, keys, data)
        return result

    async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
        keys = keys_of(code)
        return replies.parse_load(code, await self._run(LOAD, (keys.head, keys.log), ("1" if whole_game else "",)))

    async def read(self, code: str, after: LogPosition) -> tuple[Commit, ...] | None:
        key = keys_of(code).log
        entries: list[Any] = await self._execute(key, "XRANGE", key, f"{after.n}-0", "+")
        if not entries or replies.parse_position(*entries[0]) != after:
            return None
        return verify_chain(code, after, [replies.parse_entry(code, *entry) for entry in entries[1:]])

    async def find_request(self, code: str, player: str, request: str) -> int | None:
        key = keys_of(code).head
        last: bytes | None = await self._execute(key, "HGET", key, f"request:{player}")
        if last is None:
            return None
        n, _, stored = last.decode().split(" ", 2)
        return int(n) if stored == request else None

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        keys = [keys_of(code).head for code in codes]
        requests: list[tuple[str, Command]] = [(key, ("HMGET", key, *replies.HEAD_FIELDS)) for key in keys]
        heads = await self._retry(partial(self._execute_each, requests, required=1))
        return {
            code: replies.parse_head(head)
            for code, head in zip(codes, heads, strict=True)
            if not isinstance(head, Exception)
        }

    async def execute_each(self, requests: Sequence[tuple[str, Command]]) -> list[Any]:
        """Send read commands, each paired with its key, and return all replies. Raises StoreUnavailable."""
        return await self._retry(partial(self._execute_each, requests, required=len(requests)))

    async def _execute_each(self, requests: Sequence[tuple[str, Command]], *, required: int) -> list[Any]:
        """Return a reply or an exception for each command. Raises the first error without `required` replies."""
        results = await self._client.execute_each(requests)
        errors = [result for result in results if isinstance(result, Exception)]
        if errors and len(results) - len(errors) < required:
            raise errors[0]
        return results

    async def set_presence(
        self, code: str, server_id: str, connected_at: Mapping[str, int], *, dead: Collection[str] = ()
    ) -> TablePresence | None:
        keys = keys_of(code)
        players = [part for player_and_time in connected_at.items() for part in player_and_time]
        arguments = (code, server_id, keys.channel, len(connected_at), *players, *dead)
        reply = await self._run(SET_PRESENCE, (keys.head,), arguments)
        return None if reply is None else replies.parse_presence(code, reply)

    async def heartbeat(self, server_id: str, lease_ms: int) -> frozenset[str]:
        alive = await self._run(HEARTBEAT, (SERVERS,), (server_id, lease_ms))
        return frozenset(name.decode() for name in alive)

    async def leave(self, server_id: str) -> None:
        await self._execute(SERVERS, "ZREM", SERVERS, server_id)

    async def listen(self, subscriber: Subscriber) -> None:
        def on_message(message: bytes) -> None:
            name, _, data = message.partition(b"\0")
            code = name.decode(errors="replace")
            if not subscriber.wants(code):
                return
            try:
                if data.startswith(b"\0"):  # the prefix written by presence.lua; no commit starts with it
                    subscriber.presence_changed(code, replies.parse_presence(code, data[1:]))
                else:
                    subscriber.committed(code, load_commit(code, None, data))
            except StoreError as error:
                # The subscriber detects the change by comparing heads, and reports the error when it reads the table.
                log.warning("invalid wake-up", problem=str(error))

        await Listener(
            *(self._client, CHANNELS, on_message, subscriber.resubscribed),
            keepalive_s=self._keepalive_s,
            sleep=self._sleep,
        ).run()

    def _script_channel(self, keys: Keys) -> str:
        """Return the channel on which the script publishes, "" if replicas must confirm the commit first."""
        return "" if self._client.required_replicas else keys.channel

    async def _publish_if_replicated(self, code: str, keys: Keys, data: bytes) -> None:
        if not self._client.required_replicas:
            return
        try:
            await self._client.execute(keys.channel, "SPUBLISH", keys.channel, code.encode() + b"\0" + data)
        except CLIENT_ERRORS as error:  # any wake-up may be lost; the commit is safe
            log.info("wake-up not published", table=code, problem=describe(error, self._client.address))
        raise_if_cancelled()

    async def close(self) -> None:
        await self._client.close()

    async def _execute(self, key: str, *command: str | bytes | int) -> Any:
        return await self._retry(partial(self._client.execute, key, *command))

    async def _run(self, script: Script, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        execute = self._client.execute_replicated if script.replicated else self._client.execute
        by_digest, by_source = ("EVALSHA_RO", "EVAL_RO") if script.read_only else ("EVALSHA", "EVAL")

        async def attempt() -> Any:
            try:
                return await execute(keys[0], by_digest, script.digest, len(keys), *keys, *arguments)
            except NoScriptError:  # after a restart, or on another server; EVAL caches the script
                return await execute(keys[0], by_source, script.source, len(keys), *keys, *arguments)

        return await self._retry(attempt)

    async def _retry(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Retry transient errors until the time limit. Raises StoreUnavailable."""
        failures, problem = 0, ""
        try:
            async with asyncio.timeout(self._timeout_s):
                while True:
                    try:
                        result = await attempt()
                        raise_if_cancelled()
                    except NODE_ERRORS as error:
                        problem = describe(error, self._client.address)
                        raise_if_cancelled()
                        if not is_transient(error):
                            raise StoreUnavailable(problem) from error
                    else:
                        return result
                    await self._sleep(_BACKOFF.compute(failures))
                    failures += 1
        except TimeoutError as error:
            raise StoreUnavailable(problem or describe(error, self._client.address)) from error
