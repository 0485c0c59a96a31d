"""decide, between the deal and the first card: looking, bidding and passing (R20 to R27, R94 to R109)."""

from spades_core.cards import Card, parse_card
from spades_core.commands import CommandRefused, PassCards, PlaceBid
from spades_core.deck import DECKS
from spades_core.events import BidPlaced, CardsPassed, HandLookedAt, LoggedEvent, PlayBegan
from spades_core.evolve import current_hand, evolve, evolve_all
from spades_core.legal import ALL_BIDS, CARDS_TO_PASS, first_leader, legal_bids
from spades_core.seats import Seat, partner_of
from spades_core.state import Game, Hand, Table


def place_bid(table: Table, command: PlaceBid) -> tuple[LoggedEvent, ...]:
    seat, bid = command.seat, command.bid
    _, hand = require_turn(table, seat, "bidding")
    if bid not in ALL_BIDS:
        raise CommandRefused("no_bid", f"A bid is 0 (nil) to 13, not {bid}.")
    if hand.face_down[seat] and not command.blind:
        raise CommandRefused("look_first", "Your hand lies face down: look at it before you bid, or bid blind nil.")
    if command.blind and (bid != 0 or not hand.face_down[seat]):
        raise CommandRefused("not_blind", "Blind nil is a bid of nil on a hand that lies face down.")
    allowed = legal_bids(table.rules, hand, seat)
    if bid not in allowed:
        raise CommandRefused("bid_not_allowed", f"The rules of this table leave you only {_bids_as_text(allowed)}.")
    bids: list[LoggedEvent] = [BidPlaced(seat, bid, command.blind)]
    if command.blind:
        bids.append(HandLookedAt(seat, DECKS[table.rules.deck].cards_in(hand.held[seat])))
    if hand.bids.count(None) == 1:
        after = current_hand(evolve_all(table, tuple(bids)))
        if not after.to_pass:
            bids.append(PlayBegan(first_leader(table.rules, after)))
    return tuple(bids)


def _bids_as_text(allowed: tuple[int, ...]) -> str:
    """Write bids as ranges: "nil, 2 to 9 or 11 to 13"."""
    runs: list[list[int]] = []
    for bid in allowed:
        if runs and bid == runs[-1][-1] + 1:
            runs[-1].append(bid)
        else:
            runs.append([bid])
    words = [f"{run[0] or 'nil'}" if len(run) == 1 else f"{run[0] or 'nil'} to {run[-1]}" for run in runs]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" or {words[-1]}"


def look_at_hand(table: Table, seat: Seat) -> tuple[LoggedEvent, ...]:
    hand = table.game.hand if table.game else None
    if hand is None or not hand.face_down[seat]:
        return ()
    return (HandLookedAt(seat, DECKS[table.rules.deck].cards_in(hand.held[seat])),)


def pass_cards(table: Table, command: PassCards) -> tuple[LoggedEvent, ...]:
    cards = tuple(valid_card(card) for card in command.cards)
    _, hand = require_turn(table, command.seat, "passing")
    if len(set(cards)) != CARDS_TO_PASS or len(cards) != CARDS_TO_PASS:
        raise CommandRefused("two_cards", "You pass two different cards.")
    for card in cards:
        require_held(table, hand, command.seat, card)
    passed = CardsPassed(command.seat, partner_of(command.seat), cards)
    if len(hand.to_pass) > 1:
        return (passed,)
    return passed, PlayBegan(first_leader(table.rules, current_hand(evolve(table, passed))))


def valid_card(text: str) -> Card:
    try:
        return parse_card(text)
    except ValueError as problem:
        raise CommandRefused("no_card", f"{problem}.") from None


def require_held(table: Table, hand: Hand, seat: Seat, card: Card) -> int:
    """Return the bit of a card in the table's deck. Raises CommandRefused if `seat` does not hold it."""
    bit = DECKS[table.rules.deck].bit.get(card, 0)
    if not hand.held[seat] & bit:
        raise CommandRefused("not_in_hand", f"You do not hold {card}.")
    return bit


def require_turn(table: Table, seat: Seat, phase: str) -> tuple[Game, Hand]:
    """Return the game and the hand. Raises CommandRefused unless it is the turn of `seat` in this phase."""
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
        raise CommandRefused("wrong_phase", f"Not now: {now[table.phase]}.")
    if game.hand.turn != seat:
        occupant = table.seats[game.hand.turn]
        name = occupant.name if occupant else "another seat"
        raise CommandRefused("not_your_turn", f"It is the turn of {name}, not yours.")
    return game, game.hand
