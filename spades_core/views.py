"""The view of one seat: everything that its player may know.

A view is built from public facts and the viewer's own cards, never by deleting from a full state.

Invariant: for every table and seat, `view_for` of the full table equals
`view_for` of the table folded from that seat's redacted events. So a view
cannot depend on anything that its viewer was not sent.
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

    `away`: a bot plays for the person. `level`: the level of the bot that plays
    this seat now. `face_down`: the hand was not looked at yet. `blind`: the bid
    was a blind nil. `ready`: the player has asked for the next hand.
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
    """A partnership: its score and bags before this hand, and its contract and tricks in it.

    `contract` is None until both have bid. `helping` of the tricks `taken` count
    for it; `new_bags` are the bags of this hand so far.
    """

    score: int
    bags: int
    contract: int | None
    taken: int
    helping: int
    new_bags: int


@dataclass(frozen=True, slots=True)
class PublicTrick:
    """The cards on the table, the leader's first, and the seat that is winning so far."""

    leader: Seat
    cards: tuple[Card, ...]
    winning: Seat


@dataclass(frozen=True, slots=True)
class SeatView:
    """Everything that one viewer may know, with its legal moves.

    `you` is None for a viewer without a seat. `hand` is sorted by suit and rank,
    lowest first, and empty while it lies face down. `legal_cards` and
    `legal_bids` are empty unless it is your turn; `barred` is then the reason why
    the other cards may not be played. `may_look`: your hand lies face down.
    `may_bid_blind`: it is your turn and you may bid nil on it. `to_pass` is the
    number of cards that you have to pass to your partner now. `tricks` are the
    finished tricks of this hand.
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
    """Return the view of the player on `seat`, or of a viewer without a seat."""
    game = table.game
    hand = game.hand if game else None
    deck = DECKS[table.rules.deck]
    private = _private_facts(seat, table, hand)
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
        hand=deck.cards_in(private.held),
        legal_cards=deck.cards_in(private.playable),
        legal_bids=private.bids,
        may_look=private.face_down,
        may_bid_blind=private.may_bid_blind,
        to_pass=private.to_pass,
        passed=hand.passed[seat] if hand and seat is not None else (),
        received=hand.passed[partner_of(seat)] if hand and seat is not None else (),
        barred=private.barred,
        trick=_trick(deck, hand),
        tricks=hand.tricks if hand else (),
        broken=hand.broken if hand else False,
        outcome=game.outcome if game else None,
    )


@dataclass(frozen=True, slots=True)
class _PrivateFacts:
    """The viewer's own hand and legal moves; `held` and `playable` are masks of the table's deck."""

    held: int = 0
    playable: int = 0
    bids: tuple[int, ...] = ()
    face_down: bool = False
    may_bid_blind: bool = False
    to_pass: int = 0
    barred: str | None = None


def _private_facts(seat: Seat | None, table: Table, hand: Hand | None) -> _PrivateFacts:
    if hand is None or seat is None:
        return _PrivateFacts()
    on_turn = table.turn == seat
    if hand.face_down[seat]:
        blind = on_turn and 0 in legal_bids(table.rules, hand, seat)
        return _PrivateFacts(face_down=True, may_bid_blind=blind)
    held = hand.held[seat]
    if not on_turn:
        return _PrivateFacts(held)
    match table.phase:
        case "bidding":
            return _PrivateFacts(held, bids=legal_bids(table.rules, hand, seat))
        case "passing":
            return _PrivateFacts(held, to_pass=CARDS_TO_PASS)
        case _:
            playable = legal_cards(table.rules, hand, seat)
            barred = illegal_reason(table.rules, hand, seat)[1] if playable != held else None
            return _PrivateFacts(held, playable, barred=barred)


def redact(seat: Seat | None, event: LoggedEvent) -> VisibleEvent:
    """Return an event as the viewer is sent it, without the cards of others and without identities."""
    match event:
        case HandDealt(number, dealer, hands, face_down):
            own = () if seat is None or face_down[seat] else hands[seat]
            return HandReceived(number, dealer, seat, own, face_down)
        case HandLookedAt(owner, cards):
            return HandLookedAt(owner, cards if owner == seat else ())
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
    score, bags, hand = game.scores[side], game.bags[side], game.hand
    first, second = seats_of(side)
    first_bid, second_bid = (hand.bids[first], hand.bids[second]) if hand else (None, None)
    if hand is None or first_bid is None or second_bid is None:
        return PublicSide(score, bags, None, 0, 0, 0)
    taken = hand.taken[first], hand.taken[second]
    helping, new_bags = tricks_and_bags(table.rules, (first_bid, second_bid), taken)
    if hand.played_out:  # then the hand is scored, and `bags` includes them
        new_bags = 0
    return PublicSide(score, bags, first_bid + second_bid, sum(taken), helping, new_bags)


def _trick(deck: Deck, hand: Hand | None) -> PublicTrick | None:
    if hand is None or not hand.trick:
        return None
    return PublicTrick(hand.leader, hand.trick, winning_seat(deck, hand.leader, hand.trick))
