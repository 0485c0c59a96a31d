"""What a player knows during the play, read off its view in one pass: the public position and its own hand."""

from dataclasses import dataclass

from spades_core.bots.engine.position import SPADES, CardBit, DeckBits, Discards, Play, Position, deck_bits, legal
from spades_core.cards import Card
from spades_core.seats import Seat
from spades_core.views import SeatView

SIDE_SUITS = 7
"""The bits of the suits other than spades."""


@dataclass(slots=True)
class Observation:
    """The public position and the hand, by suit, of seat `me`."""

    deck: DeckBits
    me: Seat
    hand: list[int]
    position: Position

    @classmethod
    def from_view(cls, view: SeatView) -> "Observation":
        """Raise ValueError for a view of no seat, or before the bidding is over."""
        me, rules = view.you, view.rules
        bids = [seat.bid for seat in view.seats if seat.bid is not None]
        if me is None or len(bids) < 4:
            raise ValueError("the view must be of a seat, after the bidding")
        deck = deck_bits(rules)
        position = Position(rules, bids, me, [seat.taken for seat in view.seats])
        _remove_tricks(view, position, deck)
        if view.trick is not None:
            position.winner = view.trick.leader
            _play_trick(view.trick.leader, view.trick.cards, position, deck.bit_of)
        return cls(deck, me, deck.masks_of(view.hand), position)

    def card(self, card_bit: CardBit) -> Card:
        return self.deck.card_of[card_bit]

    def distinct_cards(self) -> list[CardBit]:
        """Return the lowest of each group of equivalent legal cards, which no card of another player separates."""
        position = self.position
        masks, distinct = legal(position, self.hand), []
        for suit in range(4):
            others = position.out[suit] & ~self.hand[suit]
            if position.trick_size and suit == (SPADES if position.ruffed else position.led):
                others |= position.best
            cards, last = masks[suit], 0
            while cards:
                bit = cards & -cards
                cards ^= bit
                if not last or others & (bit - 1) & -last:
                    distinct.append((suit, bit))
                last = bit
        return distinct


def _remove_tricks(view: SeatView, position: Position, deck: DeckBits) -> None:
    """Remove the cards of the finished tricks and mark the voids that they showed."""
    read = deck.read_trick
    clubs, diamonds, hearts, spades = position.out
    no_ruff = view.rules.first_trick_spades == "refused"
    for trick in view.tricks:
        gone, led, discards = read(trick.cards)
        clubs -= gone[0]
        diamonds -= gone[1]
        hearts -= gone[2]
        spades -= gone[3]
        if discards or led == SPADES:
            _mark_voids(trick.leader, led, discards, position, no_ruff=no_ruff)
        no_ruff = False
        if not position.barred_until_broken:
            position.spades_barred = False
    position.out = [clubs, diamonds, hearts, spades]


def _mark_voids(leader: int, led: int, discards: Discards, position: Position, *, no_ruff: bool) -> None:
    void = position.void
    if led == SPADES and position.spades_barred:
        void[leader] |= SIDE_SUITS
    for step, suit in discards:
        void[leader + step & 3] |= SIDE_SUITS if no_ruff and suit == SPADES else 1 << led
        if suit == SPADES and position.barred_until_broken:
            position.spades_barred = False


def _play_trick(leader: int, cards: tuple[Card, ...], position: Position, bit_of: dict[Card, CardBit]) -> None:
    """Play the current trick; a spade played where it is allowed only without other cards shows three voids."""
    seat = leader
    for card in cards:
        suit, bit = bit_of[card]
        only_spades = position.no_ruff and position.led != SPADES if position.trick_size else position.spades_barred
        if suit == SPADES and only_spades:
            position.void[seat] |= SIDE_SUITS
        position.play(seat, suit, bit)
        seat = seat + 1 & 3


def play_history(view: SeatView) -> tuple[Position, list[Play]]:
    """Return the position before the first card, and every card played since."""
    deck = deck_bits(view.rules)
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.trick is not None:
        tricks.append((view.trick.leader, view.trick.cards))
    plays = [(leader + step & 3, *deck.bit_of[card]) for leader, cards in tricks for step, card in enumerate(cards)]
    first = plays[0][0] if plays else view.you or 0
    return Position(view.rules, [seat.bid or 0 for seat in view.seats], first), plays
