"""The messages of clients and servers. docs/protocol.md shows each with an example.

One frame is one message, a msgpack map with the name of the message in "t". The
client chooses an `id` for every request of a session and repeats it when it sends
the request again; the answer has the same id in `re`. `on` is the `e` of the
update that the player acts on. It is the id of a commit, not its number, because
numbers are used again after a rollback.
"""

from dataclasses import dataclass
from typing import Literal

from spades_core.cards import Card
from spades_core.events import HandScored, VisibleEvent
from spades_core.seats import DEFAULT_LEVEL, BySeat, Level, Seat
from spades_core.views import SeatView

PROTOCOL = 2
"""The version of the protocol. It grows with every change that an old client would misread."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame of a connection. Without a token it begins a new guest session, which needs only a name.

    `connected_at` is when the client began to connect, in milliseconds by its own
    clock: of two connections of a session at one table the later one is kept.
    """

    name: str
    token: str | None = None
    connected_at: int | None = None
    protocol: int = PROTOCOL
    t: Literal["hello"] = "hello"


@dataclass(frozen=True, slots=True)
class MakeTable:
    """Make a table. You sit at seat 0 and are its host.

    `rules` is the text form of a rule set: a preset and the switches that
    differ from it, as in `classic,target=300,blind_nil=on`.
    """

    id: str
    rules: str = "classic"
    t: Literal["make_table"] = "make_table"


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Join a table, or come back to it. `n` and `e` are those of the last update seen; later events are then sent."""

    id: str
    code: str
    n: int | None = None
    e: str | None = None
    t: Literal["join_table"] = "join_table"


@dataclass(frozen=True, slots=True)
class Sit:
    """Take an empty seat or a bot's; between games also from another seat."""

    id: str
    seat: Seat
    t: Literal["sit"] = "sit"


@dataclass(frozen=True, slots=True)
class AddBot:
    """Put a bot on an empty seat, or, also between hands, change the level of the bot there."""

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
    """Start a game; bots of this level take the empty seats. Only the host may."""

    id: str
    level: Level = DEFAULT_LEVEL
    t: Literal["start"] = "start"


@dataclass(frozen=True, slots=True)
class Look:
    """Turn up your hand, which lies face down because you may bid blind nil. This declines the blind bid."""

    id: str
    t: Literal["look"] = "look"


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid; 0 is nil. `blind` is for a nil before looking at the hand."""

    id: str
    on: str
    bid: int
    blind: bool = False
    t: Literal["bid"] = "bid"


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass two cards to your partner, after a blind nil."""

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
    """Ask for the next hand. It is dealt when all players who are present have asked, or after a while."""

    id: str
    on: str
    t: Literal["next_hand"] = "next_hand"


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table. During a game a bot plays on and the seat stays yours; join again to take it back."""

    id: str
    t: Literal["leave"] = "leave"


@dataclass(frozen=True, slots=True)
class Ping:
    """Ask for a pong, which is sent at once."""

    t: Literal["ping"] = "ping"


@dataclass(frozen=True, slots=True)
class Welcome:
    """The answer to hello. The token is the session and its seats: keep it."""

    token: str
    name: str
    version: str
    t: Literal["welcome"] = "welcome"


@dataclass(frozen=True, slots=True)
class Update:
    """The events since the update before, and the table as you see it now.

    `n` counts the commits of the table without gaps, the same for everybody;
    `e` is the id of that commit. After a return `events` may span several commits;
    `fresh` means that the missed events are left out and only the view counts.
    `sheet` is the score sheet of the whole game and `rules_card` the rules in plain
    words; both are sent when they are new to you. `present` tells which players are
    connected. `ms_left` is the time until the table acts by itself (deals the next
    hand), in milliseconds.
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
    """A player has connected or disconnected."""

    code: str
    present: BySeat[bool]
    t: Literal["presence"] = "presence"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused request or frame. `code` is for programs, `text` a sentence for people, `field` the field at fault."""

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
    """The server is about to restart or stop, and closes the connection next, with CLOSE_RESTARTING.

    Connect again in `ms` milliseconds; every client is given a different time.
    """

    ms: int
    t: Literal["restarting"] = "restarting"


@dataclass(frozen=True, slots=True)
class Pong:
    t: Literal["pong"] = "pong"


TableRequest = Sit | AddBot | DropBot | Start | Look | Bid | Pass | Play | NextHand | Leave
"""A request to the table that the client has joined."""
ClientMessage = Hello | MakeTable | JoinTable | TableRequest | Ping
ServerMessage = Welcome | Update | Presence | Refusal | Left | Restarting | Pong

CLOSE_REPLACED = 4001
CLOSE_TOO_SLOW = 4002
CLOSE_RESTARTING = 4003
CLOSE_PROTOCOL = 4004
CLOSE_HELLO_TIMEOUT = 4005
CLOSE_REASONS: dict[int, str] = {
    CLOSE_REPLACED: "Your seat was opened in another window.",
    CLOSE_TOO_SLOW: "Your connection could not keep up.",
    CLOSE_RESTARTING: "The server is restarting.",
    CLOSE_PROTOCOL: "This client uses another version of the protocol.",
    CLOSE_HELLO_TIMEOUT: "The client did not introduce itself in time.",
}
"""The close codes of the server, with a sentence for people."""
