"""Who is looking at one table on this server.

Invariant: at most one viewer a player; the newest wins and the older is told why.
"""

from collections.abc import Iterator
from typing import Protocol

from spades_core.protocol.messages import CLOSE_REPLACED, ServerMessage


class Viewer(Protocol):
    """Somebody's connection, as a table sees it. Neither method may block or fail."""

    @property
    def player(self) -> str: ...

    @property
    def name(self) -> str: ...

    def send(self, message: ServerMessage) -> None: ...

    def close(self, code: int) -> None: ...


class Audience:
    def __init__(self) -> None:
        self._by_player: dict[str, Viewer] = {}

    def __iter__(self) -> Iterator[Viewer]:
        return iter(list(self._by_player.values()))

    def __contains__(self, viewer: Viewer) -> bool:
        return self._by_player.get(viewer.player) is viewer

    def __bool__(self) -> bool:
        return bool(self._by_player)

    @property
    def players(self) -> frozenset[str]:
        return frozenset(self._by_player)

    def admit(self, viewer: Viewer) -> None:
        older = self._by_player.get(viewer.player)
        self._by_player[viewer.player] = viewer
        if older is not None and older is not viewer:
            older.close(CLOSE_REPLACED)

    def dismiss(self, viewer: Viewer) -> bool:
        """False when this viewer was replaced already, or never came."""
        if viewer not in self:
            return False
        del self._by_player[viewer.player]
        return True
