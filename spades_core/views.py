"""What one seat may see.

A view is built up from public facts and the viewer's own cards; nothing is deleted from a full state.

Invariant: for every table and seat, `view_for` of the full table equals
`view_for` of the table folded from that seat's redacted events. So a view
cannot depend on anything its viewer was not told.
"""

from dataclasses import dataclass
from typing import Literal

from spades_core.cards import Card
from spades_core.deck import DECKS, Deck
from spades_core.events import (
    CardsPassed,
    GameEnded,
    HandDealt,
    HandLookedAt,
    HandReceived,
    LoggedEvent,
    SeatTaken,
    VisibleEvent,
)
from spades_core.legal import CARDS_TO_PASS, illegal_reason, legal_bids, legal_cards, winning_seat
from spades_core.ruleset import RuleSet
from spades_core.scoring import tricks_and_bags
from spades_core.seats import SEATS, SIDES, BySeat, BySide, Level, Seat, Side, partner_of, seats_of
from spades_core.state import Hand, Phase, Table, Trick


@dataclass(frozen=True, slots=True)
class PublicSeat:
    """A seat as everybody sees it.

    `away`: a bot plays for the person. `level`: of the bot that plays this seat
    now. `face_down`: has not looked at its hand. `blind`: bid nil without
    looking. `ready`: asked for the next hand.
    """

    kind: Literal["empty", "person", "bot"]
    name: str
    away: bool
    level: Level | None
    bid: int | None
    blind: bool
    face_down: bool
    taken: int
    cards_left: int
    ready: bool


@dataclass(frozen=True, slots=True)
class PublicSide:
    """A partnership: its score and bags before this hand, and what it bid and took in it.

    `contract` is None until both have bid. `helping` of the tricks `taken` count
    for it; `new_bags` are those of this hand so far.
    """

    score: int
    bags: int
    contract: int | None
    taken: int
    helping: int
    new_bags: int


@dataclass(frozen=True, slots=True)
class PublicTrick:
    """The cards on the table, the leader's first, and who would win as it stands."""

    leader: Seat
    cards: tuple[Card, ...]
    winning: Seat


@dataclass(frozen=True, slots=True)
class SeatView:
    """Everything one viewer may know, with what it may do.

    `you` is None for someone at the table without a seat. `hand` is sorted by
    suit and rank, lowest first, and empty while it lies face down. `legal_cards`
    and `legal_bids` are empty unless it is your turn; `barred` then says why the
    other cards may not be played. `may_look`: your hand lies face down;
    `may_bid_blind`: it is your turn and you may bid nil on it. `to_pass` is how
    many cards you have to pass to your partner now. `tricks` are the finished
    tricks of this hand.
    """

    code: str
    rules: RuleSet
    phase: Phase
    you: Seat | None
    host: Seat | None
    seats: BySeat[PublicSeat]
    sides: BySide[PublicSide]
    hand_number: int
    dealer: Seat | None
    turn: Seat | None
    hand: tuple[Card, ...]
    legal_cards: tuple[Card, ...]
    legal_bids: tuple[int, ...]
    may_look: bool
    may_bid_blind: bool
    to_pass: int
    passed: tuple[Card, ...]
    received: tuple[Card, ...]
    barred: str | None
    trick: PublicTrick | None
    tricks: tuple[Trick, ...]
    broken: bool
    outcome: GameEnded | None


def view_for(seat: Seat | None, table: Table) -> SeatView:
    """What the person on `seat`, or one without a seat, may know of `table`."""
    game = table.game
    hand = game.hand if game else None
    deck = DECKS[table.rules.deck]
    own = _own(seat, table, hand)
    return SeatView(
        code=table.code,
        rules=table.rules,
        phase=table.phase,
        you=seat,
        host=table.host,
        seats=(_seat(table, SEATS[0]), _seat(table, SEATS[1]), _seat(table, SEATS[2]), _seat(table, SEATS[3])),
        sides=(_side(table, SIDES[0]), _side(table, SIDES[1])),
        hand_number=hand.number if hand else 0,
        dealer=hand.dealer if hand else None,
        turn=table.turn,
        hand=deck.cards_in(own.held),
        legal_cards=deck.cards_in(own.playable),
        legal_bids=own.bids,
        may_look=own.face_down,
        may_bid_blind=own.may_bid_blind,
        to_pass=own.to_pass,
        passed=hand.passed[seat] if hand and seat is not None else (),
        received=hand.passed[partner_of(seat)] if hand and seat is not None else (),
        barred=own.barred,
        trick=_trick(deck, hand),
        tricks=hand.tricks if hand else (),
        broken=hand.broken if hand else False,
        outcome=game.outcome if game else None,
    )


@dataclass(frozen=True, slots=True)
class _Own:
    """What only the viewer itself knows and may do; the masks are of the table's deck."""

    held: int = 0
    playable: int = 0
    bids: tuple[int, ...] = ()
    face_down: bool = False
    may_bid_blind: bool = False
    to_pass: int = 0
    barred: str | None = None


def _own(seat: Seat | None, table: Table, hand: Hand | None) -> _Own:
    if hand is None or seat is None:
        return _Own()
    on_turn = table.turn == seat
    if hand.face_down[seat]:
        blind = on_turn and 0 in legal_bids(table.rules, hand, seat)
        return _Own(face_down=True, may_bid_blind=blind)
    held = hand.held[seat]
    if not on_turn:
        return _Own(held)
    match table.phase:
        case "bidding":
            return _Own(held, bids=legal_bids(table.rules, hand, seat))
        case "passing":
            return _Own(held, to_pass=CARDS_TO_PASS)
        case _:
            playable = legal_cards(table.rules, hand, seat)
            barred = illegal_reason(table.rules, hand, seat)[1] if playable != held else None
            return _Own(held, playable, barred=barred)


def redact(seat: Seat | None, event: LoggedEvent) -> VisibleEvent:
    """What a viewer is told of an event: its own cards of a deal, nobody's identity."""
    match event:
        case HandDealt(number, dealer, hands, face_down):
            seen = () if seat is None or face_down[seat] else hands[seat]
            return HandReceived(number, dealer, seat, seen, face_down)
        case HandLookedAt(looking, cards):
            return HandLookedAt(looking, cards if looking == seat else ())
        case CardsPassed(giver, to, cards):
            return CardsPassed(giver, to, cards if seat in (giver, to) else ())
        case SeatTaken(taken, name, _):
            return SeatTaken(taken, name, player="")
        case _:
            return event


def _seat(table: Table, seat: Seat) -> PublicSeat:
    occupant, game = table.seats[seat], table.game
    hand = game.hand if game else None
    return PublicSeat(
        kind="empty" if occupant is None else "bot" if occupant.player is None else "person",
        name=occupant.name if occupant else "",
        away=occupant is not None and occupant.away,
        level=table.bot_level(seat),
        bid=hand.bids[seat] if hand else None,
        blind=hand is not None and hand.blind[seat],
        face_down=hand is not None and hand.face_down[seat],
        taken=hand.taken[seat] if hand else 0,
        cards_left=hand.cards_left(seat) if hand else 0,
        ready=game is not None and game.ready[seat],
    )


def _side(table: Table, side: Side) -> PublicSide:
    game = table.game
    if game is None:
        return PublicSide(0, 0, None, 0, 0, 0)
    score, bags = game.scores[side], game.bags[side]
    if game.hand is None:
        return PublicSide(score, bags, None, 0, 0, 0)
    first, second = seats_of(side)
    one, other = game.hand.bids[first], game.hand.bids[second]
    taken = game.hand.taken[first], game.hand.taken[second]
    if one is None or other is None:
        return PublicSide(score, bags, None, 0, 0, 0)
    helping, new_bags = tricks_and_bags(table.rules, (one, other), taken)
    if game.hand.played_out:  # then the hand is scored, and `bags` has them
        new_bags = 0
    return PublicSide(score, bags, one + other, sum(taken), helping, new_bags)


def _trick(deck: Deck, hand: Hand | None) -> PublicTrick | None:
    if hand is None or not hand.trick:
        return None
    return PublicTrick(hand.leader, hand.trick, winning_seat(deck, hand.leader, hand.trick))
