"""The updates that the players of a table are sent, made from its commits.

Invariant: an update holds the view of its player's seat and events redacted for that seat.
"""

from collections.abc import Sequence

from spades_core.commit import Applied, LogPosition
from spades_core.events import BotTookOver, GameStarted, HandScored, LoggedEvent, SeatLeft
from spades_core.protocol.messages import Update
from spades_core.rules_card import rules_card
from spades_core.seats import BySeat
from spades_core.state import Table
from spades_core.views import redact, view_for


def update_after(applied: Applied, player: str, *, present: BySeat[bool], ms_left: int | None) -> Update:
    """Return what `player` is sent after a commit; the player who asked for it gets it as the answer."""
    commit = applied.commit
    new_sheet = any(isinstance(event, HandScored | GameStarted) for event in commit.events)
    re = _answered_request(applied) if player == commit.player else None
    return _update(
        applied.table, commit.at, player, commit.events, present=present, ms_left=ms_left, re=re, sheet=new_sheet
    )


def snapshot_update(
    table: Table,
    at: LogPosition,
    player: str,
    *,
    present: BySeat[bool],
    ms_left: int | None,
    missed: Sequence[LoggedEvent] | None = None,
    re: str | None = None,
) -> Update:
    """Return all there is to know of a table, for a player who joined or whose server has loaded the table anew.

    `missed` are the events since the update that the player saw last; None if that is not known.
    """
    return _update(
        table,
        at,
        player,
        missed or (),
        present=present,
        ms_left=ms_left,
        re=re,
        fresh=missed is None,
        sheet=True,
        card=True,
    )


def unchanged_update(
    table: Table, at: LogPosition, player: str, *, present: BySeat[bool], ms_left: int | None, re: str
) -> Update:
    """Return the answer to a request that had nothing to change."""
    return _update(table, at, player, (), present=present, ms_left=ms_left, re=re)


def _answered_request(applied: Applied) -> str | None:
    """Return the request that a commit answers; None for a leave, which is answered with `left`."""
    commit = applied.commit
    assert commit.player is not None
    has_seat = applied.table.seat_of(commit.player) is not None
    for event in commit.events:
        if isinstance(event, BotTookOver) or (isinstance(event, SeatLeft) and not has_seat):
            return None
    return commit.request


def _update(
    table: Table,
    at: LogPosition,
    player: str,
    events: Sequence[LoggedEvent],
    *,
    present: BySeat[bool],
    ms_left: int | None,
    re: str | None = None,
    fresh: bool = False,
    sheet: bool = False,
    card: bool = False,
) -> Update:
    seat, game = table.seat_of(player), table.game
    return Update(
        code=table.code,
        n=at.n,
        e=at.id,
        events=tuple(redact(seat, event) for event in events),
        view=view_for(seat, table),
        present=present,
        sheet=(game.sheet if game else ()) if sheet else None,
        rules_card=rules_card(table.rules) if card else None,
        ms_left=ms_left,
        fresh=fresh,
        re=re,
    )
