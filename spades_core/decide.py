"""decide(table, command) -> events: the only place that refuses.

A refusal changes nothing; accepted events are what the log appends and
`evolve` applies.
"""

from typing import assert_never

from spades_core.cards import BIT, DECK, parse_card
from spades_core.commands import (
    AskForNextHand,
    Command,
    DealHand,
    LeaveSeat,
    OpenTable,
    PlaceBid,
    PlayCard,
    RemoveBot,
    ReturnToSeat,
    SeatBot,
    StartGame,
    TakeSeat,
)
from spades_core.events import (
    BidPlaced,
    BotSeated,
    BotTookOver,
    CardPlayed,
    GameStarted,
    HandDealt,
    HandScored,
    LoggedEvent,
    NextHandAsked,
    PlayerReturned,
    SeatChanged,
    SeatLeft,
    SeatTaken,
    TableOpened,
    TrickTaken,
)
from spades_core.legal import ALL_BIDS, legal_cards, why_barred, winning_seat
from spades_core.scoring import game_end, score_side
from spades_core.seats import SEATS, SIDES, Seat, clean_name, replaced, seats_of
from spades_core.state import Game, Hand, Table

BOT_NAMES = ("Otto", "Wilma", "Hugo", "Ada")


class Refused(Exception):
    """Why a command was not carried out: a `code` for programs, a sentence for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def decide(table: Table, command: Command) -> tuple[LoggedEvent, ...]:
    """What `command` makes happen at `table`; raises Refused."""
    match command:
        case PlayCard():
            return _play_card(table, command)
        case PlaceBid():
            return _place_bid(table, command)
        case AskForNextHand():
            return _ask_for_next_hand(table, command.seat)
        case DealHand():
            return _deal_hand(table, command)
        case StartGame():
            return _start_game(table, command)
        case OpenTable(code, rules, player, name):
            return TableOpened(code, rules), SeatTaken(SEATS[0], _name(name), player)
        case TakeSeat():
            return _take_seat(table, command)
        case LeaveSeat(seat):
            return _leave_seat(table, seat)
        case ReturnToSeat(seat):
            occupant = table.seats[seat]
            return (PlayerReturned(seat),) if occupant is not None and occupant.away else ()
        case SeatBot(by, seat):
            return _seat_bot(table, by, seat)
        case RemoveBot(by, seat):
            return _remove_bot(table, by, seat)
        case _:
            assert_never(command)


def _play_card(table: Table, command: PlayCard) -> tuple[LoggedEvent, ...]:
    try:
        card = parse_card(command.card)
    except ValueError as problem:
        raise Refused("no_card", f"{problem}.") from None
    game, hand = _on_turn(table, command.seat, "playing")
    bit = BIT[card]
    if not hand.held[command.seat] & bit:
        raise Refused("not_in_hand", f"You do not hold {card}.")
    if not legal_cards(hand, command.seat) & bit:
        code = "must_follow" if hand.trick else "spades_not_broken"
        raise Refused(code, why_barred(hand))
    played = CardPlayed(command.seat, card)
    trick = (*hand.trick, card)
    if len(trick) < 4:
        return (played,)
    winner = winning_seat(hand.leader, trick)
    if len(hand.tricks) < 12:
        return played, TrickTaken(winner)
    return played, TrickTaken(winner), *_score_hand(table, game, hand, winner)


def _score_hand(table: Table, game: Game, hand: Hand, last_winner: Seat) -> tuple[LoggedEvent, ...]:
    taken = replaced(hand.taken, last_winner, hand.taken[last_winner] + 1)
    bids = tuple(bid or 0 for bid in hand.bids)
    first, second = (
        score_side(
            table.rules,
            seats_of(side),
            (bids[side], bids[side + 2]),
            (taken[side], taken[side + 2]),
            game.scores[side],
            game.bags[side],
        )
        for side in SIDES
    )
    scored = HandScored(hand.number, (bids[0], bids[1], bids[2], bids[3]), taken, (first, second))
    ended = game_end(table.rules, (first.score, second.score), hand.number)
    return (scored,) if ended is None else (scored, ended)


def _place_bid(table: Table, command: PlaceBid) -> tuple[LoggedEvent, ...]:
    _on_turn(table, command.seat, "bidding")
    if command.bid not in ALL_BIDS:
        raise Refused("no_bid", f"A bid is 0 (nil) to 13, not {command.bid}.")
    return (BidPlaced(command.seat, command.bid),)


def _on_turn(table: Table, seat: Seat, phase: str) -> tuple[Game, Hand]:
    """The game and the hand, once it is certain that `seat` may act in this phase."""
    game = table.game
    if table.phase != phase or game is None or game.hand is None:
        now = {
            "lobby": "the game has not started",
            "bidding": "the bidding is not over",
            "playing": "the bidding is over",
            "scored": "the next hand is not dealt yet",
            "over": "the game is over",
        }
        raise Refused("wrong_phase", f"Not now: {now[table.phase]}.")
    if game.hand.turn != seat:
        occupant = table.seats[game.hand.turn]
        raise Refused("not_your_turn", f"It is the turn of {occupant.name if occupant else 'another seat'}, not yours.")
    return game, game.hand


def _ask_for_next_hand(table: Table, seat: Seat) -> tuple[LoggedEvent, ...]:
    if table.phase != "scored" or table.game is None:
        raise Refused("wrong_phase", "Not now: no hand has just ended.")
    return () if table.game.ready[seat] else (NextHandAsked(seat),)


def _deal_hand(table: Table, command: DealHand) -> tuple[LoggedEvent, ...]:
    game = table.game
    if table.phase != "scored" or game is None:
        raise Refused("wrong_phase", "Not now: a hand is dealt after a game starts or a hand ends.")
    deck = command.deck
    if sorted(deck) != sorted(DECK):
        raise ValueError("a deck holds each of the 52 cards once")
    hands = (deck[0:13], deck[13:26], deck[26:39], deck[39:52])
    return (HandDealt(len(game.sheet) + 1, game.next_dealer, hands),)


def _start_game(table: Table, command: StartGame) -> tuple[LoggedEvent, ...]:
    _between_games(table, "start a game")
    _host_only(table, command.by, "start the game")
    names = _free_bot_names(table)
    bots = [BotSeated(seat, names.pop(0)) for seat in SEATS if table.seats[seat] is None]
    return *bots, GameStarted(command.dealer)


def _take_seat(table: Table, command: TakeSeat) -> tuple[LoggedEvent, ...]:
    name = _name(command.name)
    seat, sitting = command.seat, table.seat_of(command.player)
    if sitting == seat:
        return ()
    occupant = table.seats[seat]
    if occupant is not None and occupant.player is not None:
        raise Refused("seat_taken", f"{occupant.name} sits there.")
    if sitting is not None:
        _between_games(table, "change seats")
        return *((SeatLeft(seat),) if occupant else ()), SeatChanged(sitting, seat)
    return (SeatTaken(seat, name, command.player),)


def _leave_seat(table: Table, seat: Seat) -> tuple[LoggedEvent, ...]:
    occupant = table.seats[seat]
    if occupant is None or occupant.player is None:
        return ()
    if table.phase in ("lobby", "over"):
        return (SeatLeft(seat),)
    return () if occupant.away else (BotTookOver(seat),)


def _seat_bot(table: Table, by: Seat, seat: Seat) -> tuple[LoggedEvent, ...]:
    _between_games(table, "add a bot")
    _host_only(table, by, "add bots")
    occupant = table.seats[seat]
    if occupant is not None:
        raise Refused("seat_taken", f"{occupant.name} sits there.")
    return (BotSeated(seat, _free_bot_names(table)[0]),)


def _remove_bot(table: Table, by: Seat, seat: Seat) -> tuple[LoggedEvent, ...]:
    _between_games(table, "remove a bot")
    _host_only(table, by, "remove bots")
    occupant = table.seats[seat]
    if occupant is None or occupant.player is not None:
        raise Refused("no_bot", "No bot sits there.")
    return (SeatLeft(seat),)


def _free_bot_names(table: Table) -> list[str]:
    used = {occupant.name for occupant in table.seats if occupant is not None}
    return [name for name in BOT_NAMES if name not in used] or list(BOT_NAMES)


def _between_games(table: Table, what: str) -> None:
    if table.phase not in ("lobby", "over"):
        raise Refused("wrong_phase", f"You cannot {what} in the middle of a game.")


def _host_only(table: Table, by: Seat, what: str) -> None:
    if table.host != by:
        host = table.seats[table.host] if table.host is not None else None
        raise Refused("not_host", f"Only the host, {host.name if host else 'nobody yet'}, can {what}.")


def _name(text: str) -> str:
    try:
        return clean_name(text)
    except ValueError as problem:
        raise Refused("bad_name", f"That name does not work: {problem}.") from None
