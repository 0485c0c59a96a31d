"""What the viewers of one table are sent: after a commit, after coming, and when somebody comes or goes.

Invariant: a viewer is sent the view of its own seat, and events redacted for it.
"""

from server.presence.audience import Audience, Viewer
from server.presence.tracker import Attendants
from server.tables.record import Record
from spades_core.commit import Commit
from spades_core.events import BotTookOver, GameStarted, HandScored, LoggedEvent, SeatLeft
from spades_core.protocol.messages import Presence, Update
from spades_core.rules_card import rules_card
from spades_core.views import redact, view_for


class Publisher:
    def __init__(self, record: Record, audience: Audience, attendants: Attendants) -> None:
        self._record = record
        self._audience = audience
        self._attendants = attendants

    def commit(self, commit: Commit | None, ms_left: int | None) -> None:
        """Tell everybody of a commit just applied; None means that the table was loaded anew."""
        if commit is None:
            for viewer in self._audience:
                self.anew(viewer, ms_left)
            return
        scored = any(isinstance(event, HandScored | GameStarted) for event in commit.events)
        for viewer in self._audience:
            re = self._answer(commit, viewer.player) if viewer.player == commit.player else None
            self._send(viewer, commit.events, ms_left, re=re, sheet=scored)

    def _answer(self, commit: Commit, player: str) -> str | None:
        """The request it answers. No leave, which is answered with `left`, even if its player is back by then."""
        has_seat = self._record.table.seat_of(player) is not None
        for event in commit.events:
            if isinstance(event, BotTookOver) or (isinstance(event, SeatLeft) and not has_seat):
                return None
        return commit.request

    def nothing_new(self, viewer: Viewer, ms_left: int | None, re: str) -> None:
        """The answer to a request that had nothing (more) to change."""
        self._send(viewer, (), ms_left, re=re)

    def arrival(self, viewer: Viewer, missed: tuple[LoggedEvent, ...] | None, ms_left: int | None, re: str) -> None:
        """All there is, to somebody who came; `missed` is None when what was missed is not known."""
        self._send(viewer, missed or (), ms_left, re=re, fresh=missed is None, sheet=True, card=True)

    def anew(self, viewer: Viewer, ms_left: int | None) -> None:
        """The whole picture, to be looked at as if for the first time."""
        self._send(viewer, (), ms_left, fresh=True, sheet=True, card=True)

    def presence(self) -> None:
        message = Presence(self._record.code, self._attendants.present(self._record.table))
        for viewer in self._audience:
            viewer.send(message)

    def _send(
        self,
        viewer: Viewer,
        events: tuple[LoggedEvent, ...],
        ms_left: int | None,
        *,
        re: str | None = None,
        fresh: bool = False,
        sheet: bool = False,
        card: bool = False,
    ) -> None:
        table, game = self._record.table, self._record.table.game
        seat = table.seat_of(viewer.player)
        viewer.send(
            Update(
                code=self._record.code,
                n=self._record.at.n,
                e=self._record.at.e,
                events=tuple(redact(seat, event) for event in events),
                view=view_for(seat, table),
                present=self._attendants.present(table),
                sheet=(game.sheet if game else ()) if sheet else None,
                rules_card=rules_card(table.rules) if card else None,
                ms_left=ms_left,
                fresh=fresh,
                re=re,
            )
        )
