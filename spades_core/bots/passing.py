"""The two cards that partners exchange after a blind nil."""

from spades_core.bots.bidding import shelters
from spades_core.bots.position import Places, places_of
from spades_core.bots.reading import SUITS
from spades_core.bots.worth import nil_chance
from spades_core.cards import Card
from spades_core.views import SeatView


def pass_two(view: SeatView) -> tuple[Card, Card]:
    """What endangers the own nil most, else what shelters the partner's."""
    assert view.you is not None
    if view.seats[view.you].bid == 0:
        return _dangers(view.hand, places_of(view.rules))
    suits = SUITS[view.rules.deck]
    first, second = suits.deck.cards_in(shelters(suits, suits.deck.mask_of(view.hand)))
    return first, second


def _dangers(hand: tuple[Card, ...], places: Places) -> tuple[Card, Card]:
    """The pair without which the nil is safest."""

    def without(pair: tuple[Card, Card]) -> float:
        return nil_chance(places.by_suit(tuple(card for card in hand if card not in pair)), places.full, 3.0)

    pairs = [(one, other) for place, one in enumerate(hand) for other in hand[place + 1 :]]
    return max(pairs, key=without)
