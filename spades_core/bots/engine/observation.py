"""What a player sees, read off its view in one pass: the public position and its own hand, in small masks."""

from dataclasses import dataclass

from spades_core.bots.engine.position import SPADES, Place, Places, Position, Strangers, legal, places_of
from spades_core.cards import Card
from spades_core.ruleset import RuleSet
from spades_core.seats import Seat
from spades_core.views import SeatView

Play = tuple[int, int, int]
"""Who played what: seat, suit, bit."""
SIDE_SUITS = 7
"""The bits of the suits that are not spades."""


@dataclass(slots=True)
class Sight:
    """`hand` are the cards of seat `me` by suit."""

    rules: RuleSet
    places: Places
    me: Seat
    hand: list[int]
    position: Position

    def card(self, place: Place) -> Card:
        return self.places.card[place]

    def different(self) -> list[Place]:
        """Of the legal cards the lowest of each run that no card of another player parts."""
        position = self.position
        masks, places = legal(position, self.hand), []
        for suit in range(4):
            others = position.out[suit] & ~self.hand[suit]
            if position.begun and suit == (SPADES if position.ruffed else position.led):
                others |= position.best
            cards, last = masks[suit], 0
            while cards:
                bit = cards & -cards
                cards ^= bit
                if not last or others & (bit - 1) & -last:
                    places.append((suit, bit))
                last = bit
        return places


def see(view: SeatView) -> Sight:
    """Raises ValueError when nobody sits there or the bidding is not over: then there is nothing to play."""
    me, rules = view.you, view.rules
    bids = [seat.bid for seat in view.seats if seat.bid is not None]
    if me is None or len(bids) < 4:
        raise ValueError("cards are read by a seat, after the bidding")
    places = places_of(rules)
    position = Position(rules, bids, me, [seat.taken for seat in view.seats])
    _past(view, position, places)
    if view.trick is not None:
        position.winner = view.trick.leader
        _on_table(view.trick.leader, view.trick.cards, position, places.at)
    return Sight(rules, places, me, places.by_suit(view.hand), position)


def _past(view: SeatView, position: Position, places: Places) -> None:
    """The finished tricks: what is gone, and what each seat has shown to lack."""
    read = places.read_trick
    clubs, diamonds, hearts, spades = position.out
    spared = view.rules.first_trick_spades == "refused"
    for trick in view.tricks:
        gone, led, strangers = read(trick.cards)
        clubs -= gone[0]
        diamonds -= gone[1]
        hearts -= gone[2]
        spades -= gone[3]
        if strangers or led == SPADES:
            _lacking(trick.leader, led, strangers, position, spared=spared)
        spared = False
        if not position.until_broken:
            position.barred = False
    position.out = [clubs, diamonds, hearts, spades]


def _lacking(leader: int, led: int, strangers: Strangers, position: Position, *, spared: bool) -> None:
    """What a trick of several suits, or of spades, shows to be lacking."""
    void = position.void
    if led == SPADES and position.barred:
        void[leader] |= SIDE_SUITS
    for step, suit in strangers:
        void[leader + step & 3] |= SIDE_SUITS if spared and suit == SPADES else 1 << led
        if suit == SPADES and position.until_broken:
            position.barred = False


def _on_table(leader: int, cards: tuple[Card, ...], position: Position, at: dict[Card, tuple[int, int]]) -> None:
    seat = leader
    for card in cards:
        suit, bit = at[card]
        reluctant = position.spared_first and position.led != SPADES if position.begun else position.barred
        if suit == SPADES and reluctant:
            position.void[seat] |= SIDE_SUITS
        position.play(seat, suit, bit)
        seat = seat + 1 & 3


def history(view: SeatView) -> tuple[Position, list[Play]]:
    """The position before the first card, and every card since: seat, suit, bit."""
    places = places_of(view.rules)
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.trick is not None:
        tricks.append((view.trick.leader, view.trick.cards))
    plays = [(leader + step & 3, *places.at[card]) for leader, cards in tricks for step, card in enumerate(cards)]
    first = plays[0][0] if plays else view.you or 0
    return Position(view.rules, [seat.bid or 0 for seat in view.seats], first), plays
