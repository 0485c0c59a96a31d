"""What a player sees, read off its view in one pass: the public position and its own hand, in small masks."""

from dataclasses import dataclass

from spades_core.bots.position import SPADES, Place, Places, Position, legal, places_of
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
    position = Position(rules, bids, me)
    _past(view, position, places.at)
    for seat, seen in enumerate(view.seats):
        if seen.taken:
            position.take(seat, seen.taken)
    position.set_modes()
    if view.trick is not None:
        position.winner = view.trick.leader
        _on_table(view.trick.leader, view.trick.cards, position, places.at)
    return Sight(rules, places, me, places.by_suit(view.hand), position)


def _past(view: SeatView, position: Position, at: dict[Card, tuple[int, int]]) -> None:
    """The finished tricks, in one go: what is gone, and what each seat has shown to lack."""
    out, void = position.out, position.void
    first = True
    for trick in view.tricks:
        cards = trick.cards
        seat = int(trick.leader)
        led, bit = at[cards[0]]
        out[led] ^= bit
        if led == SPADES and position.barred:
            void[seat] |= SIDE_SUITS
        for card in cards[1:]:
            seat = seat + 1 & 3
            suit, bit = at[card]
            out[suit] ^= bit
            if suit != led:
                spared = first and position.spared_first and suit == SPADES
                void[seat] |= SIDE_SUITS if spared else 1 << led
                if suit == SPADES and position.until_broken:
                    position.barred = False
        if first and not position.until_broken:
            position.barred = False
        first = False


def _on_table(leader: int, cards: tuple[Card, ...], position: Position, at: dict[Card, tuple[int, int]]) -> None:
    seat = leader
    for card in cards:
        suit, bit = at[card]
        if suit == SPADES:
            spared = position.left == 13 and position.spared_first and position.led != SPADES
            if position.barred if not position.begun else spared:
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
