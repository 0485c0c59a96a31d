"""The log of a table in Redis or Valkey (7.0 or later): a few scripts and the patience around them.

Invariant: an append is answered only with what the script said and, where the
store has replicas to lose it to, one of them confirmed. While the answer is
missing the same commit, with the same id, is offered again: the script knows its
own and cannot store it twice.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha1
from pathlib import Path
from typing import Any, TypeVar

import structlog
from redis.exceptions import NoScriptError

from server.store import replies
from server.store.client.client import UNANSWERED, reach_store
from server.store.client.faults import LOST, may_pass, sentence, stop_if_told_to
from server.store.client.node import Command
from server.store.client.profile import examine
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
"""How long a table is kept after its last commit."""
GAME_TTL_MS = 30 * DAY_MS
"""How long a finished game is kept in the archive."""

_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5

T = TypeVar("T")
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Script:
    source: str
    digest: str
    reads: bool = False
    """It writes nothing."""
    keeps: bool = False
    """A failover must not take back what it answers."""


def _script(name: str, *, reads: bool = False, keeps: bool = False) -> Script:
    source = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return Script(source, sha1(source.encode(), usedforsecurity=False).hexdigest(), reads, keeps)


CREATE, APPEND = _script("create.lua", keeps=True), _script("append.lua", keeps=True)
LOAD = _script("load.lua", reads=True)
SET_PRESENCE, HEARTBEAT = _script("presence.lua"), _script("heartbeat.lua")  # said again and again


class RedisLog:
    """A TableLog, for every form of address; connects with the first request.

    `answer_within_s` bounds one try, `give_up_after_s` a request with all its tries. Raises StoreError.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = 32,
        attempt_timeout_s: float = 1.5,
        table_ttl_ms: int = TABLE_TTL_MS,
        game_ttl_ms: int = GAME_TTL_MS,
        timeout_s: float = 5.0,
        keepalive_s: float = 5.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._reach = reach_store(url, connections=connections, attempt_timeout_s=attempt_timeout_s)
        self._idle_ms = table_ttl_ms
        self._game_ms = game_ttl_ms
        self._give_up_after_s = timeout_s
        self._quiet_s = keepalive_s
        self._sleep = sleep

    async def check(self) -> None:
        """That the store is there, lets us in and is recent enough; raises StoreUnavailable. Logs what it promises."""
        await self._known(partial(examine, self._reach))

    async def create(self, code: str, commit: Commit) -> bool:
        keys = keys_of(code)
        arguments = (
            code,
            *(commit.e, commit.player or "", commit.request or "", data := dump(commit)),
            *(self._idle_ms, SCHEMA, self._channel_at_once(keys)),
        )
        reply = await self._run(CREATE, (keys.head, keys.log), arguments)
        created = bool(reply[0] == b"CREATED")
        if created:
            await self._tell_now_confirmed(code, keys, data)
        return created

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None = None,
        trim: bool = False,
        game: str | None = None,
        deadline_in_ms: int | None = None,
        only_when_due: bool = False,
    ) -> AppendResult:
        keys = keys_of(code)
        arguments = (
            code,
            *(commit.n, commit.e, commit.parent, commit.player or "", commit.request or "", data := dump(commit)),
            *("" if snapshot is None else dump(Snapshot(commit.at, snapshot)), "1" if trim else ""),
            "" if game is None else dump_game(game),
            *("" if deadline_in_ms is None else deadline_in_ms, "1" if only_when_due else ""),
            *(self._idle_ms, SCHEMA, self._channel_at_once(keys), self._game_ms),
        )
        touched = (keys.head, keys.log, keys.game(commit.n), keys.games)
        outcome = replies.parse_append(code, commit, await self._run(APPEND, touched, arguments))
        if isinstance(outcome, Appended):
            await self._tell_now_confirmed(code, keys, data)
        return outcome

    async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
        keys = keys_of(code)
        arguments = ("1" if whole_game else "",)
        reply = await self._run(LOAD, (keys.head, keys.log), arguments)
        return replies.parse_load(code, reply)

    async def read(self, code: str, after: LogPosition) -> tuple[Commit, ...] | None:
        key = keys_of(code).log
        entries: list[Any] = await self._known(partial(self._reach.ask, key, "XRANGE", key, f"{after.n}-0", "+"))
        if not entries:
            return None
        if replies.parse_position(*entries[0]) != after:
            return None
        return verify_chain(code, after, [replies.parse_entry(code, *entry) for entry in entries[1:]])

    async def find_request(self, code: str, player: str, request: str) -> int | None:
        key = keys_of(code).head
        last: bytes | None = await self._known(partial(self._reach.ask, key, "HGET", key, f"request:{player}"))
        if last is None:
            return None
        n, _, stored = last.decode().split(" ", 2)
        return int(n) if stored == request else None

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        keys = [keys_of(code).head for code in codes]
        requests: list[tuple[str, Command]] = [(key, ("HMGET", key, "n", "id", "presence_changed_at")) for key in keys]
        heads = await self._known(partial(self._ask_each, requests, enough=1))
        known = zip(codes, heads, strict=True)
        return {code: replies.parse_head(head) for code, head in known if not isinstance(head, Exception)}

    async def ask_each(self, requests: Sequence[tuple[str, Command]]) -> list[Any]:
        """The answers to commands that read, each with the key it is about; raises StoreUnavailable."""
        return await self._known(partial(self._ask_each, requests, enough=len(requests)))

    async def _ask_each(self, requests: Sequence[tuple[str, Command]], *, enough: int) -> list[Any]:
        """Raises what stood in the way of so many answers."""
        answers = await self._reach.ask_each(requests)
        errors = [answer for answer in answers if isinstance(answer, Exception)]
        if errors and len(answers) - len(errors) < enough:
            raise errors[0]
        return answers

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
        await self._known(partial(self._reach.ask, SERVERS, "ZREM", SERVERS, server_id))

    async def listen(self, subscriber: Subscriber) -> None:
        def said(payload: bytes) -> None:
            name, _, written = payload.partition(b"\0")
            code = name.decode(errors="replace")
            if not subscriber.wants(code):
                return
            try:
                if written.startswith(b"\0"):  # as no commit does; see presence.lua
                    subscriber.presence_changed(code, replies.parse_presence(code, written[1:]))
                else:
                    subscriber.committed(code, load_commit(code, None, written))
            except StoreError as error:
                # Whoever wants for this table compares heads, reads it, and fails there, loudly.
                log.warning("wake-up not understood", reason=str(error))

        listener = Listener(
            self._reach, CHANNELS, said, subscriber.resubscribed, keepalive_s=self._quiet_s, sleep=self._sleep
        )
        await listener.run()

    def _channel_at_once(self, keys: Keys) -> str:
        """Where a script tells of a commit: nowhere, if replicas have to confirm it first."""
        return "" if self._reach.copies else keys.channel

    async def _tell_now_confirmed(self, code: str, keys: Keys, data: bytes) -> None:
        if not self._reach.copies:
            return
        try:
            await self._reach.ask(keys.channel, "SPUBLISH", keys.channel, code.encode() + b"\0" + data)
        except UNANSWERED as error:  # as any wake-up may be; the commit is safe
            log.info("wake-up not told", table=code, problem=sentence(error, self._reach.place))
        stop_if_told_to()

    async def close(self) -> None:
        await self._reach.close()

    async def _run(self, script: Script, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        send = self._reach.write if script.keeps else self._reach.ask
        by_digest, by_source = ("EVALSHA_RO", "EVAL_RO") if script.reads else ("EVALSHA", "EVAL")

        async def ask() -> Any:
            try:
                return await send(keys[0], by_digest, script.digest, len(keys), *keys, *arguments)
            except NoScriptError:  # after a restart, or on another server; it remembers the source from now on
                return await send(keys[0], by_source, script.source, len(keys), *keys, *arguments)

        return await self._known(ask)

    async def _known(self, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer; asked for again until it is known, refused for good, or the time is up."""
        give_up_at = asyncio.get_running_loop().time() + self._give_up_after_s
        pause, fault = _FIRST_PAUSE_S, ""
        try:
            async with asyncio.timeout_at(give_up_at):
                while True:
                    try:
                        answer = await ask()
                        stop_if_told_to()
                    except LOST as error:
                        fault = sentence(error, self._reach.place)
                        stop_if_told_to()
                        if not may_pass(error):
                            raise StoreUnavailable(fault) from error
                    else:
                        return answer
                    await self._sleep(pause * random.uniform(0.5, 1.0))
                    pause = min(2 * pause, _LONGEST_PAUSE_S)
        except TimeoutError as error:
            raise StoreUnavailable(fault or sentence(error, self._reach.place)) from error
