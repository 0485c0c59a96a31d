"""Events: facts about a table, named in the past tense.

They are the log, the replay and, redacted, part of every update to players. `t`
is the tag of an event's type in its serialized form.
"""

from dataclasses import dataclass
from typing import Literal

from spades_core.cards import Card
from spades_core.ruleset import RuleSet
from spades_core.seats import BySeat, BySide, Level, Seat, Side


@dataclass(frozen=True, slots=True)
class TableOpened:
    code: str
    rules: RuleSet
    t: Literal["table_opened"] = "table_opened"


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """`player` is the identity of the person, derived from a secret; it is blank in updates to players."""

    seat: Seat
    name: str
    player: str
    t: Literal["seat_taken"] = "seat_taken"


@dataclass(frozen=True, slots=True)
class SeatChanged:
    seat: Seat
    to: Seat
    t: Literal["seat_changed"] = "seat_changed"


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A person or a bot left; the seat is empty."""

    seat: Seat
    t: Literal["seat_left"] = "seat_left"


@dataclass(frozen=True, slots=True)
class BotSeated:
    seat: Seat
    name: str
    level: Level
    t: Literal["bot_seated"] = "bot_seated"


@dataclass(frozen=True, slots=True)
class BotLevelChanged:
    """The bot on this seat plays at another level from now on."""

    seat: Seat
    level: Level
    t: Literal["bot_level_changed"] = "bot_level_changed"


@dataclass(frozen=True, slots=True)
class BotTookOver:
    """A bot plays for a person who is away; the seat stays theirs."""

    seat: Seat
    t: Literal["bot_took_over"] = "bot_took_over"


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    seat: Seat
    t: Literal["player_returned"] = "player_returned"


@dataclass(frozen=True, slots=True)
class GameStarted:
    """`dealer` deals the first hand."""

    dealer: Seat
    t: Literal["game_started"] = "game_started"


@dataclass(frozen=True, slots=True)
class HandDealt:
    """All four hands; this event is logged and never sent. A player may bid blind on a `face_down` hand."""

    number: int
    dealer: Seat
    hands: BySeat[tuple[Card, ...]]
    face_down: BySeat[bool] = (False, False, False, False)
    t: Literal["hand_dealt"] = "hand_dealt"


@dataclass(frozen=True, slots=True)
class HandReceived:
    """A deal as one viewer sees it: its own 13 cards, or none if they lie face down or the viewer has no seat."""

    number: int
    dealer: Seat
    seat: Seat | None
    cards: tuple[Card, ...]
    face_down: BySeat[bool] = (False, False, False, False)
    t: Literal["hand_received"] = "hand_received"


@dataclass(frozen=True, slots=True)
class HandLookedAt:
    """A hand that lay face down was turned up; only its owner is sent the `cards`."""

    seat: Seat
    cards: tuple[Card, ...]
    t: Literal["hand_looked_at"] = "hand_looked_at"


@dataclass(frozen=True, slots=True)
class BidPlaced:
    seat: Seat
    bid: int
    blind: bool = False
    t: Literal["bid_placed"] = "bid_placed"


@dataclass(frozen=True, slots=True)
class CardsPassed:
    """Two cards went to the partner; only these two players are sent the `cards`."""

    seat: Seat
    to: Seat
    cards: tuple[Card, ...]
    t: Literal["cards_passed"] = "cards_passed"


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """Bidding and passing are over; `seat` leads the first trick."""

    seat: Seat
    t: Literal["play_began"] = "play_began"


@dataclass(frozen=True, slots=True)
class CardPlayed:
    seat: Seat
    card: Card
    t: Literal["card_played"] = "card_played"


@dataclass(frozen=True, slots=True)
class TrickTaken:
    seat: Seat
    t: Literal["trick_taken"] = "trick_taken"


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One reason for points. `count` is a number of tricks, bags or penalties; `seat` is set for a single nil."""

    kind: Literal[
        "contract_made",
        "contract_set",
        "ten_made",
        "ten_set",
        "overtricks",
        "nil_made",
        "nil_failed",
        "blind_nil_made",
        "blind_nil_failed",
        "double_nil_made",
        "double_nil_failed",
        "bag_penalty",
        "bags_given_back",
    ]
    points: int
    count: int
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class SideScore:
    """One side's result of a hand.

    `helping` of the tricks `taken` counted for the contract. The points of the
    lines add up to `points`; `score` and `bags` are after the hand.
    """

    contract: int
    taken: int
    helping: int
    lines: tuple[ScoreLine, ...]
    points: int
    score: int
    bags: int


@dataclass(frozen=True, slots=True)
class HandVoided:
    """A part of the hand in play was lost, so the hand does not count; it is dealt again with the same number."""

    number: int
    t: Literal["hand_voided"] = "hand_voided"


@dataclass(frozen=True, slots=True)
class HandScored:
    number: int
    bids: BySeat[int]
    taken: BySeat[int]
    sides: BySide[SideScore]
    t: Literal["hand_scored"] = "hand_scored"


@dataclass(frozen=True, slots=True)
class NextHandAsked:
    seat: Seat
    t: Literal["next_hand_asked"] = "next_hand_asked"


@dataclass(frozen=True, slots=True)
class GameEnded:
    """`winner` is None for a draw, which is possible only at the hand limit."""

    winner: Side | None
    reason: Literal["target", "floor", "mercy", "hand_limit"]
    t: Literal["game_ended"] = "game_ended"


PublicEvent = (
    TableOpened
    | SeatTaken
    | SeatChanged
    | SeatLeft
    | BotSeated
    | BotLevelChanged
    | BotTookOver
    | PlayerReturned
    | GameStarted
    | HandLookedAt
    | BidPlaced
    | CardsPassed
    | PlayBegan
    | CardPlayed
    | TrickTaken
    | HandVoided
    | HandScored
    | NextHandAsked
    | GameEnded
)
LoggedEvent = PublicEvent | HandDealt
"""An event as it is logged."""
VisibleEvent = PublicEvent | HandReceived
"""An event as a viewer is sent it."""
Event = PublicEvent | HandDealt | HandReceived
