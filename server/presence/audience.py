"""Who is looking at one table on this server.

Invariant: at most one viewer a player: the one who connected_at last. The other is told why it has to go.
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

    @property
    def connected_at(self) -> int:
        """When, in ms by the clock of the player's own machine."""

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

    def has(self, player: str) -> bool:
        return player in self._by_player

    @property
    def connected_at(self) -> dict[str, int]:
        """The players, and when each of them connected_at."""
        return {player: viewer.connected_at for player, viewer in self._by_player.items()}

    def admit(self, viewer: Viewer) -> bool:
        """False for one that was connected_at before one that is here: it was long on its way, and is shown out."""
        other = self._by_player.get(viewer.player, viewer)
        if other.connected_at > viewer.connected_at:
            viewer.close(CLOSE_REPLACED)
            return False
        self._by_player[viewer.player] = viewer
        if other is not viewer:
            other.close(CLOSE_REPLACED)
        return True

    def dismiss(self, viewer: Viewer) -> bool:
        """False when this viewer was replaced already, or never came."""
        if viewer not in self:
            return False
        del self._by_player[viewer.player]
        return True
