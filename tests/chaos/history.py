"""What a run leaves behind to be judged: what people asked, what they were shown, and what the log says."""

from dataclasses import dataclass

from spades_client.connection import Request

from server.store.log import LoadedTable, Snapshot
from spades_core.commit import Commit
from spades_core.events import VisibleEvent
from spades_core.protocol.messages import Update
from spades_core.seats import SEATS, Seat
from spades_core.state import Trick
from spades_core.views import PublicTrick, SeatView


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request of one person; the times are of one steady clock.

    `answered` is None when no answer ever came. An answer is an update of the
    table `code` with the number `n`, or a refusal with its code in `refused`.
    """

    player: str
    request: Request
    sent: float
    answered: float | None = None
    code: str = ""
    n: int | None = None
    refused: str | None = None

    @property
    def acknowledged(self) -> bool:
        return self.n is not None

    def __str__(self) -> str:
        return f"{self.request} of {self.player}"


@dataclass(frozen=True, slots=True)
class ObservedUpdate:
    """One update that reached a person; `shown` is its view in one line."""

    n: int
    e: str
    fresh: bool
    seat: Seat | None
    events: tuple[VisibleEvent, ...]
    shown: str


@dataclass(frozen=True, slots=True)
class UpdateStream:
    """All updates that one person was sent of one table, in order."""

    player: str
    code: str
    seen: tuple[ObservedUpdate, ...]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One commit as the store wrote it down, with the snapshot and the archived game that were written with it."""

    commit: Commit
    snapshot: Snapshot | None = None
    game: str | None = None


Log = dict[str, list[LogEntry]]
"""Everything ever appended, by table."""


@dataclass(frozen=True, slots=True)
class History:
    """`final` is each table as the store gave it at the end."""

    asked: tuple[RequestRecord, ...]
    streams: tuple[UpdateStream, ...]
    journal: Log
    final: dict[str, LoadedTable | None]


def seen(update: Update) -> ObservedUpdate:
    return ObservedUpdate(update.n, update.e, update.fresh, update.view.you, update.events, shown(update.view))


def shown(view: SeatView) -> str:
    """Whatever a person could act on or brag about, in one line that can be read and compared."""
    seats = " ".join(
        f"{seat}:{at.kind}{' away' * at.away},bid={at.bid}{'!' * at.blind},took={at.taken},left={at.cards_left}"
        for seat, at in zip(SEATS, view.seats, strict=True)
    )
    sides = " ".join(f"{side.score}/{side.bags}" for side in view.sides)
    return (
        f"{view.phase}, hand {view.hand_number}, turn {view.turn}, you {view.you} with {' '.join(view.hand)}; "
        f"may {' '.join(view.legal_cards)}{view.legal_bids}{view.to_pass}; trick {_trick(view.trick)}; "
        f"tricks {' '.join(map(_trick, view.tricks))}; {seats}; scores {sides}; {view.outcome}"
    )


def _trick(trick: Trick | PublicTrick | None) -> str:
    return f"{trick.leader}:{''.join(trick.cards)}" if trick else "none"
