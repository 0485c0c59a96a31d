"""evolve(table, event) -> table: apply an event. It never refuses, and uses neither random numbers nor the time.

The same function serves the server, which holds all four hands, and a viewer,
which holds only its own (`HandReceived`).
"""

from dataclasses import replace
from typing import assert_never

from spades_core.deck import DECKS, Deck
from spades_core.events import (
    BidPlaced,
    BotLevelChanged,
    BotSeated,
    BotTookOver,
    CardPlayed,
    CardsPassed,
    Event,
    GameEnded,
    GameStarted,
    HandDealt,
    HandLookedAt,
    HandReceived,
    HandScored,
    HandVoided,
    NextHandAsked,
    PlayBegan,
    PlayerReturned,
    SeatChanged,
    SeatLeft,
    SeatTaken,
    TableOpened,
    TrickTaken,
)
from spades_core.legal import passing_order
from spades_core.ruleset import RuleSet
from spades_core.seats import BySeat, Seat, next_seat, with_value
from spades_core.state import Game, Hand, Occupant, Table, Trick, next_host


def evolve(table: Table, event: Event) -> Table:
    """Return the table after `event`."""
    match event:
        case CardPlayed():
            return _with_hand(table, _card_played(DECKS[table.rules.deck], current_hand(table), event))
        case TrickTaken():
            return _with_hand(table, _trick_taken(current_hand(table), event.seat))
        case BidPlaced() | HandLookedAt() | CardsPassed() | PlayBegan():
            return _with_hand(table, _evolve_bidding(table.rules, current_hand(table), event))
        case HandScored() | HandDealt() | HandReceived() | HandVoided() | GameStarted() | NextHandAsked() | GameEnded():
            return replace(table, game=_evolve_game(table.rules, table.game, event))
        case TableOpened(code, rules):
            return Table(code, rules)
        case _:
            return _evolve_seats(table, event)


def evolve_all(table: Table, events: tuple[Event, ...]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table


def current_hand(table: Table) -> Hand:
    """Return the hand last dealt. There must be one."""
    assert table.game is not None
    assert table.game.hand is not None
    return table.game.hand


# The events of every card and trick call the constructors: `replace` would take twice as long as all the rest.


def _with_hand(table: Table, hand: Hand) -> Table:
    game = table.game
    assert game is not None
    game = Game(game.next_dealer, game.scores, game.bags, game.sheet, hand, game.ready, game.outcome)
    return Table(table.code, table.rules, table.seats, table.host, game)


def _card_played(deck: Deck, hand: Hand, event: CardPlayed) -> Hand:
    seat, card, trick = event.seat, event.card, hand.trick
    bit = deck.bit[card]
    return Hand(
        hand.number,
        hand.dealer,
        with_value(hand.held, seat, hand.held[seat] & ~bit),
        next_seat(seat),
        hand.leader,
        hand.bids,
        hand.face_down,
        hand.blind,
        hand.to_pass,
        hand.taken,
        (*trick, card),
        hand.tricks,
        hand.broken or (bool(trick) and bool(bit & deck.spades & ~deck.follow_mask[trick[0]])),
        hand.passed,
    )


def _trick_taken(hand: Hand, winner: Seat) -> Hand:
    return Hand(
        hand.number,
        hand.dealer,
        hand.held,
        winner,
        winner,
        hand.bids,
        hand.face_down,
        hand.blind,
        hand.to_pass,
        with_value(hand.taken, winner, hand.taken[winner] + 1),
        (),
        (*hand.tricks, Trick(hand.leader, hand.trick, winner)),
        hand.broken,
        hand.passed,
    )


def _evolve_bidding(rules: RuleSet, hand: Hand, event: BidPlaced | HandLookedAt | CardsPassed | PlayBegan) -> Hand:
    deck = DECKS[rules.deck]
    match event:
        case BidPlaced(seat, bid, blind):
            hand = replace(
                hand,
                bids=with_value(hand.bids, seat, bid),
                blind=with_value(hand.blind, seat, blind),
                turn=next_seat(seat),
            )
            passing = () if None in hand.bids else passing_order(rules, hand)
            return replace(hand, to_pass=passing, turn=passing[0]) if passing else hand
        case HandLookedAt(seat, cards):
            own = hand.held[seat] | deck.mask_of(cards)
            return replace(
                hand, face_down=with_value(hand.face_down, seat, False), held=with_value(hand.held, seat, own)
            )
        case CardsPassed(seat, to, cards):
            mask, left = deck.mask_of(cards), hand.to_pass[1:]
            held = with_value(hand.held, seat, hand.held[seat] & ~mask)
            return replace(
                hand,
                held=with_value(held, to, held[to] | mask),
                to_pass=left,
                turn=left[0] if left else hand.turn,
                passed=with_value(hand.passed, seat, cards),
            )
        case PlayBegan(seat):
            return replace(hand, leader=seat, turn=seat)
        case _:
            assert_never(event)


def _evolve_game(
    rules: RuleSet,
    game: Game | None,
    event: HandScored | HandDealt | HandReceived | HandVoided | GameStarted | NextHandAsked | GameEnded,
) -> Game:
    if isinstance(event, GameStarted):
        return Game(next_dealer=event.dealer)
    assert game is not None
    match event:
        case HandDealt(number, dealer, hands, face_down):
            mask_of = DECKS[rules.deck].mask_of
            all_held = mask_of(hands[0]), mask_of(hands[1]), mask_of(hands[2]), mask_of(hands[3])
            return _dealt(game, number, dealer, all_held, face_down)
        case HandReceived(number, dealer, seat, cards, face_down):
            own: BySeat[int] = (0, 0, 0, 0)
            if seat is not None:
                own = with_value(own, seat, DECKS[rules.deck].mask_of(cards))
            return _dealt(game, number, dealer, own, face_down)
        case HandVoided():
            assert game.hand is not None
            return replace(game, next_dealer=game.hand.dealer, hand=None)
        case HandScored(_, _, _, (ours, theirs)):
            return replace(
                game, scores=(ours.score, theirs.score), bags=(ours.bags, theirs.bags), sheet=(*game.sheet, event)
            )
        case NextHandAsked(seat):
            return replace(game, ready=with_value(game.ready, seat, True))
        case GameEnded():
            return replace(game, outcome=event)
        case _:
            assert_never(event)


def _dealt(game: Game, number: int, dealer: Seat, held: BySeat[int], face_down: BySeat[bool]) -> Game:
    first = next_seat(dealer)
    hand = Hand(number, dealer, held, turn=first, leader=first, face_down=face_down)
    return replace(game, next_dealer=first, hand=hand, ready=(False, False, False, False))


def _evolve_seats(
    table: Table,
    event: SeatTaken | SeatChanged | SeatLeft | BotSeated | BotLevelChanged | BotTookOver | PlayerReturned,
) -> Table:
    seats, host = table.seats, table.host
    match event:
        case SeatTaken(seat, name, player):
            arrived = with_value(seats, seat, Occupant(name, player))
            return replace(table, seats=arrived, host=_host_after_arrival(seats, host, seat))
        case SeatChanged(seat, to):
            moved = with_value(with_value(seats, to, seats[seat]), seat, None)
            return replace(table, seats=moved, host=to if host == seat else host)
        case SeatLeft(seat):
            return replace(
                table, seats=with_value(seats, seat, None), host=next_host(seats, seat) if host == seat else host
            )
        case BotSeated(seat, name, level):
            return replace(table, seats=with_value(seats, seat, Occupant(name, None, level=level)))
        case BotLevelChanged(seat, level):
            return replace(table, seats=with_value(seats, seat, replace(_occupant_of(seats, seat), level=level)))
        case BotTookOver(seat):
            successor = next_host(seats, seat) if host == seat else None
            away = with_value(seats, seat, replace(_occupant_of(seats, seat), away=True))
            return replace(table, seats=away, host=host if successor is None else successor)
        case PlayerReturned(seat):
            back = with_value(seats, seat, replace(_occupant_of(seats, seat), away=False))
            return replace(table, seats=back, host=_host_after_arrival(seats, host, seat))
        case _:
            assert_never(event)


def _host_after_arrival(seats: BySeat[Occupant | None], host: Seat | None, arrived: Seat) -> Seat:
    """Return the host: the person who has just arrived if there was none or the host is away (R74)."""
    current = None if host is None else seats[host]
    return arrived if host is None or current is None or current.away else host


def _occupant_of(seats: BySeat[Occupant | None], seat: Seat) -> Occupant:
    occupant = seats[seat]
    assert occupant is not None
    return occupant
