"""The two cards that partners exchange after a blind nil."""

from itertools import combinations

from spades_core.bots.engine.hand_value import nil_chance
from spades_core.bots.engine.position import SPADES, places_of
from spades_core.cards import Card
from spades_core.legal import CARDS_TO_PASS
from spades_core.views import SeatView

_SPADE_RANKS = 4
"""In the partner's nil hand a spade does as much harm as a card of another suit that is four ranks higher."""


def pass_two(view: SeatView) -> tuple[Card, Card]:
    """Return the two cards most dangerous to the own nil, or else the two best for the partner's nil."""
    assert view.you is not None
    return cards_of_danger(view) if view.seats[view.you].bid == 0 else cards_of_shelter(view)


def cards_of_danger(view: SeatView) -> tuple[Card, Card]:
    """Return the pair of cards without which the own nil is most likely to be made."""
    places = places_of(view.rules)

    def chance_without(pair: tuple[Card, Card]) -> float:
        return nil_chance(places.by_suit(tuple(card for card in view.hand if card not in pair)), places.full, 3.0)

    return max(combinations(view.hand, 2), key=chance_without)


def cards_of_shelter(view: SeatView) -> tuple[Card, Card]:
    """Return the lowest two cards, those of long suits first, a spade only instead of a middling card."""
    places = places_of(view.rules)
    held = places.by_suit(view.hand)

    def harm(card: Card) -> tuple[int, int]:
        suit, bit = places.at[card]
        ranks_below_ace = places.at[Card("A" + "CDHS"[suit])][1].bit_length() - bit.bit_length()
        return (_SPADE_RANKS if suit == SPADES else 0) - ranks_below_ace, -held[suit].bit_count()

    first, second = sorted(sorted(view.hand, key=harm)[:CARDS_TO_PASS], key=view.hand.index)
    return first, second
