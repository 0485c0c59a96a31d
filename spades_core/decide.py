"""decide(table, command) -> events, or CommandRefused: the only source of events.

A refused command changes nothing. The events of an accepted one are appended to
the log and applied by `evolve`.
"""

from typing import assert_never

from spades_core.bidding import look_at_hand, pass_cards, place_bid, require_held, require_turn, valid_card
from spades_core.cards import Card
from spades_core.commands import (
    AskForNextHand,
    Command,
    CommandRefused,
    DealHand,
    LeaveSeat,
    LookAtHand,
    OpenTable,
    PassCards,
    PlaceBid,
    PlayCard,
    Redeal,
    RemoveBot,
    ReturnToSeat,
    SeatBot,
    StartGame,
    TakeOver,
    TakeSeat,
)
from spades_core.deck import DECKS
from spades_core.events import (
    CardPlayed,
    HandDealt,
    HandScored,
    HandVoided,
    LoggedEvent,
    NextHandAsked,
    PlayerReturned,
    SeatTaken,
    TableOpened,
    TrickTaken,
)
from spades_core.evolve import evolve
from spades_core.legal import face_down_seats, illegal_reason, legal_cards, winning_seat
from spades_core.scoring import game_end, score_side
from spades_core.seating import leave_seat, remove_bot, seat_bot, start_game, take_over, take_seat, valid_name
from spades_core.seats import SEATS, SIDES, Seat, seats_of, with_value
from spades_core.state import Game, Hand, Table


def decide(table: Table, command: Command) -> tuple[LoggedEvent, ...]:
    """Return the events that `command` causes at `table`. Raises CommandRefused."""
    match command:
        case PlayCard():
            return _play_card(table, command)
        case PlaceBid():
            return place_bid(table, command)
        case LookAtHand(seat):
            return look_at_hand(table, seat)
        case PassCards():
            return pass_cards(table, command)
        case AskForNextHand():
            return _ask_for_next_hand(table, command.seat)
        case DealHand():
            return _deal_hand(table, command.deck)
        case Redeal():
            return _deal_again(table, command)
        case StartGame():
            return start_game(table, command)
        case OpenTable(code, rules, player, name):
            return TableOpened(code, rules), SeatTaken(SEATS[0], valid_name(name), player)
        case TakeSeat():
            return take_seat(table, command)
        case LeaveSeat(seat):
            return leave_seat(table, seat)
        case TakeOver(seat):
            return take_over(table, seat)
        case ReturnToSeat(seat):
            occupant = table.seats[seat]
            return (PlayerReturned(seat),) if occupant is not None and occupant.away else ()
        case SeatBot():
            return seat_bot(table, command)
        case RemoveBot(by, seat):
            return remove_bot(table, by, seat)
        case _:
            assert_never(command)


def _play_card(table: Table, command: PlayCard) -> tuple[LoggedEvent, ...]:
    card = valid_card(command.card)
    game, hand = require_turn(table, command.seat, "playing")
    bit = require_held(table, hand, command.seat, card)
    if not legal_cards(table.rules, hand, command.seat) & bit:
        raise CommandRefused(*illegal_reason(table.rules, hand, command.seat))
    played = CardPlayed(command.seat, card)
    trick = (*hand.trick, card)
    if len(trick) < 4:
        return (played,)
    winner = winning_seat(DECKS[table.rules.deck], hand.leader, trick)
    if len(hand.tricks) < 12:
        return played, TrickTaken(winner)
    return played, TrickTaken(winner), *_score_hand(table, game, hand, winner)


def _score_hand(table: Table, game: Game, hand: Hand, last_winner: Seat) -> tuple[LoggedEvent, ...]:
    taken = with_value(hand.taken, last_winner, hand.taken[last_winner] + 1)
    bids = tuple(bid or 0 for bid in hand.bids)
    first, second = (
        score_side(
            table.rules,
            seats_of(side),
            (bids[side], bids[side + 2]),
            (taken[side], taken[side + 2]),
            score=game.scores[side],
            bags=game.bags[side],
            blind=(hand.blind[side], hand.blind[side + 2]),
        )
        for side in SIDES
    )
    scored = HandScored(hand.number, (bids[0], bids[1], bids[2], bids[3]), taken, (first, second))
    ended = game_end(table.rules, (first.score, second.score), hand.number)
    return (scored,) if ended is None else (scored, ended)


def _ask_for_next_hand(table: Table, seat: Seat) -> tuple[LoggedEvent, ...]:
    if table.phase != "scored" or table.game is None:
        raise CommandRefused("wrong_phase", "Not now: no hand has just ended.")
    return () if table.game.ready[seat] else (NextHandAsked(seat),)


def _deal_hand(table: Table, deck: tuple[Card, ...]) -> tuple[LoggedEvent, ...]:
    game = table.game
    if table.phase != "scored" or game is None:
        raise CommandRefused("wrong_phase", "Not now: a hand is dealt after a game starts or a hand ends.")
    if len(deck) != 52 or set(deck) != set(DECKS[table.rules.deck].cards):
        raise ValueError("a deck holds each of its 52 cards once")
    hands = (deck[0:13], deck[13:26], deck[26:39], deck[39:52])
    face_down = face_down_seats(table.rules, game.scores)
    return (HandDealt(len(game.sheet) + 1, game.next_dealer, hands, face_down),)


def _deal_again(table: Table, command: Redeal) -> tuple[LoggedEvent, ...]:
    hand = table.game.hand if table.game else None
    if table.turn is None or hand is None or hand.number != command.number:
        raise CommandRefused("hand_not_in_play", f"Hand {command.number} is not in play, so it is not dealt again.")
    voided = HandVoided(hand.number)
    return voided, *_deal_hand(evolve(table, voided), command.deck)
