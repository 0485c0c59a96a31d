"""Sends updates to the viewers of one table: after a change, after joining, and when somebody comes or goes."""

from collections.abc import Sequence

from server.presence.tracker import PresenceTracker
from server.presence.viewers import Viewer, Viewers
from server.tables.replica import Change, Reloaded, TableReplica
from spades_core.events import LoggedEvent
from spades_core.protocol.messages import Presence
from spades_core.updates import snapshot_update, unchanged_update, update_after


class Publisher:
    def __init__(self, replica: TableReplica, viewers: Viewers, presence: PresenceTracker) -> None:
        self._replica = replica
        self._viewers = viewers
        self._presence = presence

    def publish(self, change: Change, ms_left: int | None) -> None:
        """Send a change to all viewers."""
        present = self._presence.present(change.table)
        for viewer in self._viewers:
            if isinstance(change, Reloaded):
                viewer.send(snapshot_update(change.table, change.at, viewer.player, present=present, ms_left=ms_left))
            else:
                viewer.send(update_after(change, viewer.player, present=present, ms_left=ms_left))

    def welcome(self, viewer: Viewer, missed: Sequence[LoggedEvent] | None, ms_left: int | None, re: str) -> None:
        """Send all there is to a viewer that joined; `missed` is None if what it missed is not known."""
        table, at = self._replica.table, self._replica.at
        present = self._presence.present(table)
        viewer.send(snapshot_update(table, at, viewer.player, present=present, ms_left=ms_left, missed=missed, re=re))

    def confirm(self, viewer: Viewer, ms_left: int | None, re: str) -> None:
        """Answer a request that had nothing (more) to change."""
        table, at = self._replica.table, self._replica.at
        present = self._presence.present(table)
        viewer.send(unchanged_update(table, at, viewer.player, present=present, ms_left=ms_left, re=re))

    def presence(self) -> None:
        message = Presence(self._replica.code, self._presence.present(self._replica.table))
        for viewer in self._viewers:
            viewer.send(message)
