"""Every message, named by who speaks. docs/protocol.md shows each with an example.

One frame is one message, a msgpack map whose "t" names it. `id` is chosen by
the client, new for every request of a session, and repeated when the request is
sent again; the answer carries it as `re`. `on` is the `e` of the update that the
player was looking at: its id, for after a rewind numbers are used again.
"""

from dataclasses import dataclass
from typing import Literal

from spades_core.cards import Card
from spades_core.events import HandScored, VisibleEvent
from spades_core.seats import DEFAULT_LEVEL, BySeat, Level, Seat
from spades_core.views import SeatView

PROTOCOL = 2
"""Raised when an old client would misread a new server."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame of a connection. Without a token a new guest session begins; a name is enough.

    `connected_at` is when you began to connect, in milliseconds by your own clock: of
    two connections of a session at one table the one connected_at later is kept.
    """

    name: str
    token: str | None = None
    connected_at: int | None = None
    protocol: int = PROTOCOL
    t: Literal["hello"] = "hello"


@dataclass(frozen=True, slots=True)
class MakeTable:
    """A new table; you sit at seat 0 and are its host.

    `rules` is the text form of a rule set: a preset and the switches that
    differ from it, as in `classic,target=300,blind_nil=on`.
    """

    id: str
    rules: str = "classic"
    t: Literal["make_table"] = "make_table"


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Come to a table, first or again. `n` and `e` name the last update seen, to be told what was missed."""

    id: str
    code: str
    n: int | None = None
    e: str | None = None
    t: Literal["join_table"] = "join_table"


@dataclass(frozen=True, slots=True)
class Sit:
    """Take an empty seat or a bot's, or, between games, change to it."""

    id: str
    seat: Seat
    t: Literal["sit"] = "sit"


@dataclass(frozen=True, slots=True)
class AddBot:
    """Put a bot on an empty seat, or change the level of the bot there, which you may between hands too."""

    id: str
    seat: Seat
    level: Level = DEFAULT_LEVEL
    t: Literal["add_bot"] = "add_bot"


@dataclass(frozen=True, slots=True)
class DropBot:
    id: str
    seat: Seat
    t: Literal["drop_bot"] = "drop_bot"


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game, the first or another; bots of this level take the empty seats. Only the host may."""

    id: str
    level: Level = DEFAULT_LEVEL
    t: Literal["start"] = "start"


@dataclass(frozen=True, slots=True)
class Look:
    """Turn up your hand, which lies face down because you may bid blind nil; with it you decline to."""

    id: str
    t: Literal["look"] = "look"


@dataclass(frozen=True, slots=True)
class Bid:
    """0 is nil; `blind` says nil without having looked at the hand."""

    id: str
    on: str
    bid: int
    blind: bool = False
    t: Literal["bid"] = "bid"


@dataclass(frozen=True, slots=True)
class Pass:
    """Two cards to your partner, after a blind nil bid."""

    id: str
    on: str
    cards: tuple[Card, ...]
    t: Literal["pass"] = "pass"


@dataclass(frozen=True, slots=True)
class Play:
    id: str
    on: str
    card: Card
    t: Literal["play"] = "play"


@dataclass(frozen=True, slots=True)
class NextHand:
    """I have seen the score of this hand. The next one is dealt when all who are there said so, or after a while."""

    id: str
    on: str
    t: Literal["next_hand"] = "next_hand"


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table. During a game a bot plays on and the seat stays yours: join again to take it back."""

    id: str
    t: Literal["leave"] = "leave"


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there? Answered by a pong at once."""

    t: Literal["ping"] = "ping"


@dataclass(frozen=True, slots=True)
class Welcome:
    """The answer to hello. Keep the token: it is the session, and with it the seats."""

    token: str
    name: str
    version: str
    t: Literal["welcome"] = "welcome"


@dataclass(frozen=True, slots=True)
class Update:
    """What happened since the update before, and how the table now looks to you.

    `n` counts the commits of the table without gaps, the same for everybody;
    `e` is the id of that commit. `events` may span several commits after a
    return; `fresh` means that what was missed is not told and only the view
    counts. `sheet` is the score sheet of the whole game, sent when it is new to
    you; so is `rules_card`, the rules of this table in plain words. `present`
    says whose connection is alive. `ms_left` is the time until the table acts by
    itself (deals the next hand), in milliseconds.
    """

    code: str
    n: int
    e: str
    events: tuple[VisibleEvent, ...]
    view: SeatView
    present: BySeat[bool]
    sheet: tuple[HandScored, ...] | None = None
    rules_card: tuple[str, ...] | None = None
    ms_left: int | None = None
    fresh: bool = False
    re: str | None = None
    t: Literal["update"] = "update"


@dataclass(frozen=True, slots=True)
class Presence:
    """Somebody's connection came or went."""

    code: str
    present: BySeat[bool]
    t: Literal["presence"] = "presence"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request or frame not accepted: a code for programs, a sentence for people, the field if one is at fault."""

    code: str
    text: str
    field: str | None = None
    re: str | None = None
    t: Literal["refusal"] = "refusal"


@dataclass(frozen=True, slots=True)
class Left:
    """You are no longer at the table."""

    re: str
    t: Literal["left"] = "left"


@dataclass(frozen=True, slots=True)
class Restarting:
    """The server is about to restart, or to stop for good: it ends the connection next, with CLOSE_RESTARTING.

    Come back in `ms` milliseconds; every client is given a time of its own.
    """

    ms: int
    t: Literal["restarting"] = "restarting"


@dataclass(frozen=True, slots=True)
class Pong:
    t: Literal["pong"] = "pong"


TableRequest = Sit | AddBot | DropBot | Start | Look | Bid | Pass | Play | NextHand | Leave
"""What is said at a table."""
ClientMessage = Hello | MakeTable | JoinTable | TableRequest | Ping
ServerMessage = Welcome | Update | Presence | Refusal | Left | Restarting | Pong

CLOSE_REPLACED = 4001
CLOSE_TOO_SLOW = 4002
CLOSE_RESTARTING = 4003
CLOSE_PROTOCOL = 4004
CLOSE_SILENT = 4005
CLOSE_REASONS: dict[int, str] = {
    CLOSE_REPLACED: "Your seat was opened in another window.",
    CLOSE_TOO_SLOW: "Your connection could not keep up.",
    CLOSE_RESTARTING: "The server is restarting.",
    CLOSE_PROTOCOL: "This client does not speak the server's language.",
    CLOSE_SILENT: "Nothing was said after connecting.",
}
"""Why the server ends a connection: its own number and a sentence for each."""
