"""The viewers of one table on this server.

Invariant: at most one viewer per player, the one that connected last. The others are closed with the reason.
"""

from collections.abc import Iterator
from typing import Protocol

from spades_core.protocol.messages import CLOSE_REPLACED, ServerMessage


class Viewer(Protocol):
    """A player's connection, as a table sees it. Neither `send` nor `close` blocks or fails."""

    @property
    def player(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def connected_at(self) -> int:
        """When the client began to connect, in ms by its own clock."""

    def send(self, message: ServerMessage) -> None: ...

    def close(self, code: int) -> None: ...


class Viewers:
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
        """When the connection of each player began."""
        return {player: viewer.connected_at for player, viewer in self._by_player.items()}

    def add(self, viewer: Viewer) -> bool:
        """Add a viewer in place of the player's older one; close it and return False if it is the older one itself."""
        other = self._by_player.get(viewer.player, viewer)
        if other.connected_at > viewer.connected_at:
            viewer.close(CLOSE_REPLACED)
            return False
        self._by_player[viewer.player] = viewer
        if other is not viewer:
            other.close(CLOSE_REPLACED)
        return True

    def remove(self, viewer: Viewer) -> bool:
        """Return False if this viewer was replaced already, or never added."""
        if viewer not in self:
            return False
        del self._by_player[viewer.player]
        return True
