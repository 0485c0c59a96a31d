"""The archive of finished games, read: which there are, and the text of each.

Invariant: nothing is written here. A game whose lifetime is over is gone, also
where the index of its bucket still has it.
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

AT_ONCE = 200
"""How many texts are asked for in one go."""

_NAME = re.compile(r"([0-9A-Za-z]+)-([1-9][0-9]{0,17})")


class CorruptGameError(StoreError):
    """What is kept under the name of a game is no text."""


@dataclass(frozen=True, slots=True)
class GameName:
    """A game is named after its table and the commit that ended it."""

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
    """`ended_ms` is when it ended by the clock of the store, in milliseconds since 1970."""

    name: GameName
    ended_ms: int
    written: bytes

    def text(self) -> str:
        """Raises GameDamaged."""
        return _text(self.name, self.written)


class Archive:
    def __init__(self, log: RedisLog) -> None:
        self._log = log

    async def games(self) -> AsyncIterator[ArchivedGame]:
        """All that are kept, the newest first; raises StoreUnavailable."""
        index = await self._index()
        for begin in range(0, len(index), AT_ONCE):
            part = index[begin : begin + AT_ONCE]
            for (ended_ms, name), written in zip(part, await self._written([name for _, name in part]), strict=True):
                if written is not None:
                    yield ArchivedGame(name, ended_ms, written)

    async def text(self, name: GameName) -> str | None:
        """None when there is no such game, or not any more; raises GameDamaged, StoreUnavailable."""
        (written,) = await self._written([name])
        return None if written is None else _text(name, written)

    async def _index(self) -> list[tuple[int, GameName]]:
        requests: list[tuple[str, Command]] = [(key, ("ZRANGE", key, 0, -1, "WITHSCORES")) for key in GAMES]
        found: list[tuple[int, GameName]] = []
        for said in await self._log.ask_each(requests):
            for member, score in zip(said[::2], said[1::2], strict=True):
                name = GameName.parse(member.decode(errors="replace").replace(":", "-"))
                if name is not None:  # what is no name is none of ours
                    found.append((int(float(score)), name))
        return sorted(found, key=lambda each: (-each[0], each[1].code, -each[1].n))

    async def _written(self, names: Sequence[GameName]) -> list[bytes | None]:
        answers: list[Any] = await self._log.ask_each([(name.key, ("GET", name.key)) for name in names])
        return answers


def _text(name: GameName, written: bytes) -> str:
    try:
        return load_game(written)
    except (zlib.error, UnicodeDecodeError) as error:
        raise CorruptGameError(f"the archived game {name} is damaged: its bytes cannot be read") from error
