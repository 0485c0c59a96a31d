"""decide(table, command) -> events: the only place that refuses.

A refusal changes nothing; accepted events are what the log appends and
`evolve` applies.
"""

from typing import assert_never

from spades_core.cards import parse_card
from spades_core.commands import (
    AskForNextHand,
    Command,
    DealHand,
    LeaveSeat,
    LookAtHand,
    OpenTable,
    PassCards,
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
    CardsPassed,
    GameStarted,
    HandDealt,
    HandLookedAt,
    HandScored,
    LoggedEvent,
    NextHandAsked,
    PlayBegan,
    PlayerReturned,
    SeatChanged,
    SeatLeft,
    SeatTaken,
    TableOpened,
    TrickTaken,
)
from spades_core.deck import DECKS
from spades_core.evolve import evolve, evolve_all
from spades_core.legal import (
    ALL_BIDS,
    CARDS_TO_PASS,
    face_down_seats,
    first_leader,
    legal_bids,
    legal_cards,
    who_passes,
    why_barred,
    winning_seat,
)
from spades_core.scoring import game_end, score_side
from spades_core.seats import SEATS, SIDES, Seat, clean_name, next_seat, partner_of, replaced, seats_of
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
        case LookAtHand(seat):
            return _look_at_hand(table, seat)
        case PassCards():
            return _pass_cards(table, command)
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
    deck = DECKS[table.rules.deck]
    bit = deck.bit.get(card, 0)
    if not hand.held[command.seat] & bit:
        raise Refused("not_in_hand", f"You do not hold {card}.")
    if not legal_cards(table.rules, hand, command.seat) & bit:
        raise Refused(*why_barred(table.rules, hand, command.seat))
    played = CardPlayed(command.seat, card)
    trick = (*hand.trick, card)
    if len(trick) < 4:
        return (played,)
    winner = winning_seat(deck, hand.leader, trick)
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
            (hand.blind[side], hand.blind[side + 2]),
        )
        for side in SIDES
    )
    scored = HandScored(hand.number, (bids[0], bids[1], bids[2], bids[3]), taken, (first, second))
    ended = game_end(table.rules, (first.score, second.score), hand.number)
    return (scored,) if ended is None else (scored, ended)


def _place_bid(table: Table, command: PlaceBid) -> tuple[LoggedEvent, ...]:
    seat, bid = command.seat, command.bid
    _, hand = _on_turn(table, seat, "bidding")
    if bid not in ALL_BIDS:
        raise Refused("no_bid", f"A bid is 0 (nil) to 13, not {bid}.")
    if hand.face_down[seat] and not command.blind:
        raise Refused("look_first", "Your hand lies face down: look at it before you bid, or bid blind nil.")
    if command.blind and (bid != 0 or not hand.face_down[seat]):
        raise Refused("not_blind", "Blind nil is a bid of nil on a hand that lies face down.")
    allowed = legal_bids(table.rules, hand, seat)
    if bid not in allowed:
        raise Refused("bid_not_allowed", _why_no_bid(table, allowed))
    bids: list[LoggedEvent] = [BidPlaced(seat, bid, command.blind)]
    if command.blind:
        bids.append(HandLookedAt(seat, DECKS[table.rules.deck].cards_in(hand.held[seat])))
    if hand.bids.count(None) == 1:
        after = evolve_all(table, tuple(bids))
        assert after.game is not None and after.game.hand is not None
        if not after.game.hand.to_pass:
            bids.append(PlayBegan(first_leader(table.rules, after.game.hand)))
    return tuple(bids)


def _why_no_bid(table: Table, allowed: tuple[int, ...]) -> str:
    """The switches that leave fewer bids, in the order of how narrow they are."""
    words = "nil" if allowed == (0,) else " or ".join("nil" if bid == 0 else str(bid) for bid in allowed)
    if len(allowed) <= 2:
        return f"The rules of this table leave you only {words}."
    return f"The rules of this table allow you {_span(allowed)}."


def _span(allowed: tuple[int, ...]) -> str:
    """As in "nil, 2 to 9 or 11 to 13"."""
    runs: list[list[int]] = []
    for bid in allowed:
        if runs and bid == runs[-1][-1] + 1:
            runs[-1].append(bid)
        else:
            runs.append([bid])
    words = [f"{run[0] or 'nil'}" if len(run) == 1 else f"{run[0] or 'nil'} to {run[-1]}" for run in runs]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" or {words[-1]}"


def _look_at_hand(table: Table, seat: Seat) -> tuple[LoggedEvent, ...]:
    hand = table.game.hand if table.game else None
    if hand is None or not hand.face_down[seat]:
        return ()
    return (HandLookedAt(seat, DECKS[table.rules.deck].cards_in(hand.held[seat])),)


def _pass_cards(table: Table, command: PassCards) -> tuple[LoggedEvent, ...]:
    try:
        cards = tuple(parse_card(card) for card in command.cards)
    except ValueError as problem:
        raise Refused("no_card", f"{problem}.") from None
    _, hand = _on_turn(table, command.seat, "passing")
    if len(set(cards)) != CARDS_TO_PASS or len(cards) != CARDS_TO_PASS:
        raise Refused("two_cards", "You pass two different cards.")
    deck = DECKS[table.rules.deck]
    for card in cards:
        if not hand.held[command.seat] & deck.bit.get(card, 0):
            raise Refused("not_in_hand", f"You do not hold {card}.")
    passed = CardsPassed(command.seat, partner_of(command.seat), cards)
    if len(hand.to_pass) > 1:
        return (passed,)
    after = evolve(table, passed)
    assert after.game is not None and after.game.hand is not None
    return passed, PlayBegan(first_leader(table.rules, after.game.hand))


def _on_turn(table: Table, seat: Seat, phase: str) -> tuple[Game, Hand]:
    """The game and the hand, once it is certain that `seat` may act in this phase."""
    game = table.game
    if table.phase != phase or game is None or game.hand is None:
        now = {
            "lobby": "the game has not started",
            "bidding": "the bidding is not over",
            "passing": "cards are being passed",
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
    if len(deck) != 52 or set(deck) != set(DECKS[table.rules.deck].cards):
        raise ValueError("a deck holds each of its 52 cards once")
    hands = (deck[0:13], deck[13:26], deck[26:39], deck[39:52])
    face_down = face_down_seats(table.rules, game.scores)
    return (HandDealt(len(game.sheet) + 1, game.next_dealer, hands, face_down),)


def _start_game(table: Table, command: StartGame) -> tuple[LoggedEvent, ...]:
    _between_games(table, "start a game")
    _host_only(table, command.by, "start the game")
    names = _free_bot_names(table)
    bots = [BotSeated(seat, names.pop(0)) for seat in SEATS if table.seats[seat] is None]
    dealer = command.dealer if table.rules.first_dealer == "drawn" else next_seat(command.by, 3)
    return *bots, GameStarted(dealer)


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
