"""Sends updates to the viewers of one table: after a change, after joining, and when somebody comes or goes."""

from collections.abc import Sequence

from server.presence.audience import Audience, Viewer
from server.presence.tracker import PresenceTracker
from server.tables.record import Change, Record, Reloaded
from spades_core.events import LoggedEvent
from spades_core.protocol.messages import Presence
from spades_core.updates import snapshot_update, unchanged_update, update_after


class Publisher:
    def __init__(self, record: Record, audience: Audience, presence: PresenceTracker) -> None:
        self._record = record
        self._audience = audience
        self._presence = presence

    def publish(self, change: Change, ms_left: int | None) -> None:
        """Send a change to all viewers."""
        present = self._presence.present(change.table)
        for viewer in self._audience:
            if isinstance(change, Reloaded):
                viewer.send(snapshot_update(change.table, change.at, viewer.player, present=present, ms_left=ms_left))
            else:
                viewer.send(update_after(change, viewer.player, present=present, ms_left=ms_left))

    def welcome(self, viewer: Viewer, missed: Sequence[LoggedEvent] | None, ms_left: int | None, re: str) -> None:
        """Send all there is to a viewer that joined; `missed` is None if what it missed is not known."""
        table, at = self._record.table, self._record.at
        present = self._presence.present(table)
        viewer.send(snapshot_update(table, at, viewer.player, present=present, ms_left=ms_left, missed=missed, re=re))

    def confirm(self, viewer: Viewer, ms_left: int | None, re: str) -> None:
        """Answer a request that had nothing (more) to change."""
        table, at = self._record.table, self._record.at
        present = self._presence.present(table)
        viewer.send(unchanged_update(table, at, viewer.player, present=present, ms_left=ms_left, re=re))

    def presence(self) -> None:
        message = Presence(self._record.code, self._presence.present(self._record.table))
        for viewer in self._audience:
            viewer.send(message)
