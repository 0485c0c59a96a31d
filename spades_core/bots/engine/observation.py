"""The knowledge of a player during the play, read from its view: the public position and its own hand."""

from dataclasses import dataclass

from spades_core.bots.engine.position import (
    SIDE_SUITS_MASK,
    SPADES,
    CardBit,
    DeckBits,
    Discards,
    Play,
    Position,
    deck_bits,
)
from spades_core.cards import Card
from spades_core.seats import Seat
from spades_core.views import SeatView


@dataclass(slots=True)
class Observation:
    """The public position and the hand, by suit, of seat `own_seat`."""

    deck: DeckBits
    own_seat: Seat
    hand: list[int]
    position: Position

    @classmethod
    def from_view(cls, view: SeatView) -> "Observation":
        """Raise ValueError for a view of no seat, or before the bidding is over."""
        own_seat, rules = view.you, view.rules
        bids = [seat.bid for seat in view.seats if seat.bid is not None]
        if own_seat is None or len(bids) < 4:
            raise ValueError("the view must be of a seat, after the bidding")
        deck = deck_bits(rules)
        position = Position(rules, bids, own_seat, [seat.taken for seat in view.seats])
        _remove_tricks(view, position, deck)
        if view.trick is not None:
            position.winner = view.trick.leader
            _play_trick(view.trick.leader, view.trick.cards, position, deck.bit_of)
        return cls(deck, own_seat, deck.masks_of(view.hand), position)

    def card(self, card_bit: CardBit) -> Card:
        return self.deck.card_of[card_bit]

    def distinct_cards(self) -> list[CardBit]:
        """Return the lowest of each group of legal cards that no card of another player separates."""
        position = self.position
        masks, distinct = position.legal_cards(self.hand), []
        for suit in range(4):
            others = position.unplayed[suit] & ~self.hand[suit]
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
    """Remove the cards of the finished tricks and mark the voids shown in them."""
    read = deck.read_trick
    clubs, diamonds, hearts, spades = position.unplayed
    ruffing_forbidden = view.rules.first_trick_spades == "refused"
    for trick in view.tricks:
        gone, led, discards = read(trick.cards)
        clubs -= gone[0]
        diamonds -= gone[1]
        hearts -= gone[2]
        spades -= gone[3]
        if discards or led == SPADES:
            _mark_voids(trick.leader, led, discards, position, ruffing_forbidden=ruffing_forbidden)
        ruffing_forbidden = False
        if not position.forbidden_until_broken:
            position.spade_lead_forbidden = False
    position.unplayed = [clubs, diamonds, hearts, spades]


def _mark_voids(leader: int, led: int, discards: Discards, position: Position, *, ruffing_forbidden: bool) -> None:
    voids = position.voids
    if led == SPADES and position.spade_lead_forbidden:
        voids[leader] |= SIDE_SUITS_MASK
    for step, suit in discards:
        voids[leader + step & 3] |= SIDE_SUITS_MASK if ruffing_forbidden and suit == SPADES else 1 << led
        if suit == SPADES and position.forbidden_until_broken:
            position.spade_lead_forbidden = False


def _play_trick(leader: int, cards: tuple[Card, ...], position: Position, bit_of: dict[Card, CardBit]) -> None:
    """Play the current trick. A spade that is legal only from a hand of spades shows three voids."""
    seat = leader
    for card in cards:
        suit, bit = bit_of[card]
        only_spades = (
            position.ruffing_forbidden and position.led != SPADES
            if position.trick_size
            else position.spade_lead_forbidden
        )
        if suit == SPADES and only_spades:
            position.voids[seat] |= SIDE_SUITS_MASK
        position.play(seat, suit, bit)
        seat = seat + 1 & 3


def play_history(view: SeatView) -> tuple[Position, list[Play]]:
    """Return the position before the first card, and every card played."""
    deck = deck_bits(view.rules)
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.trick is not None:
        tricks.append((view.trick.leader, view.trick.cards))
    plays = [(leader + step & 3, *deck.bit_of[card]) for leader, cards in tricks for step, card in enumerate(cards)]
    first = plays[0][0] if plays else view.you or 0
    return Position(view.rules, [seat.bid or 0 for seat in view.seats], first), plays
