"""Read access to the archive of finished games.

Invariant: nothing is written here. A game is gone when its lifetime is over,
even if the index of its bucket still lists it.
"""

import re
import zlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from server.store.client.node import Command
from server.store.keys import GAMES, keys_of
from server.store.log import StoreError
from server.store.redis_log import RedisLog
from server.store.serialization import load_game

BATCH_SIZE = 200
"""Games fetched in one request."""

_NAME = re.compile(r"([0-9A-Za-z]+)-([1-9][0-9]{0,17})")


class CorruptGameError(StoreError):
    """An archived game cannot be decoded."""


@dataclass(frozen=True, slots=True)
class GameName:
    """The name of a game: the code of its table and the number of the commit that ended it."""

    code: str
    n: int

    def __str__(self) -> str:
        return f"{self.code}-{self.n}"

    @classmethod
    def parse(cls, text: str) -> "GameName | None":
        found = _NAME.fullmatch(text)
        return cls(found[1], int(found[2])) if found else None

    @property
    def key(self) -> str:
        return keys_of(self.code).game(self.n)


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """`ended_ms` is the time of its end by the store's clock, in milliseconds since 1970."""

    name: GameName
    ended_ms: int
    data: bytes

    def text(self) -> str:
        """Raises CorruptGameError."""
        return _text(self.name, self.data)


class Archive:
    def __init__(self, log: RedisLog) -> None:
        self._log = log

    async def games(self) -> AsyncIterator[ArchivedGame]:
        """Yield all games, the newest first. Raises StoreUnavailable."""
        index = await self._index()
        for start in range(0, len(index), BATCH_SIZE):
            batch = index[start : start + BATCH_SIZE]
            for (ended_ms, name), data in zip(batch, await self._fetch([name for _, name in batch]), strict=True):
                if data is not None:
                    yield ArchivedGame(name, ended_ms, data)

    async def text(self, name: GameName) -> str | None:
        """Return the text of a game, or None if there is none. Raises CorruptGameError, StoreUnavailable."""
        (data,) = await self._fetch([name])
        return None if data is None else _text(name, data)

    async def _index(self) -> list[tuple[int, GameName]]:
        requests: list[tuple[str, Command]] = [(key, ("ZRANGE", key, 0, -1, "WITHSCORES")) for key in GAMES]
        index: list[tuple[int, GameName]] = []
        for reply in await self._log.execute_each(requests):
            for member, score in zip(reply[::2], reply[1::2], strict=True):
                name = GameName.parse(member.decode(errors="replace").replace(":", "-"))
                if name is not None:  # ignore foreign members
                    index.append((int(float(score)), name))
        return sorted(index, key=lambda each: (-each[0], each[1].code, -each[1].n))

    async def _fetch(self, names: Sequence[GameName]) -> list[bytes | None]:
        texts: list[Any] = await self._log.execute_each([(name.key, ("GET", name.key)) for name in names])
        return texts


def _text(name: GameName, data: bytes) -> str:
    try:
        return load_game(data)
    except (zlib.error, UnicodeDecodeError) as error:
        raise CorruptGameError(f"the archived game {name} is damaged: its bytes cannot be read") from error
