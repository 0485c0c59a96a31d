"""The easy bot: bids its expected tricks, considers the current trick only, and sometimes plays at random.

It bids nil only if no other bid is legal, discards no ace on a ruff, and ruffs no sure winner of its partner.
"""

from random import Random

from spades_core.bots.engine.auction import Auction
from spades_core.bots.engine.bid_policy import policy_bid
from spades_core.bots.engine.hand_value import expected_tricks
from spades_core.bots.engine.observation import Observation
from spades_core.bots.engine.passing import pass_cards
from spades_core.bots.engine.policy import policy_card
from spades_core.bots.engine.position import DUCK, HIGHEST, SPADES, TAKE, CardBit, deck_bits
from spades_core.cards import Card
from spades_core.views import SeatView

NOISE = 0.12
"""Probability of playing a random card of the suit, or of leading a random suit."""
BID_STD_DEV = 0.35
"""Standard deviation of the error of its expected tricks."""


def choose_blind(_view: SeatView, _rng: Random) -> bool:
    """Always look first."""
    return False


def choose_bid(view: SeatView, rng: Random) -> int:
    """Return the expected tricks with a random error, rounded down; at least one if legal."""
    deck, auction, legal_bids = deck_bits(view.rules), Auction.from_view(view), view.legal_bids
    held = deck.masks_of(view.hand)
    if view.rules.variant != "partnership":
        return policy_bid(auction, legal_bids, held, deck.suit_sizes)
    tricks = expected_tricks(held, deck.suit_sizes) + rng.gauss(0, BID_STD_DEV)
    wanted = min(max(1, int(tricks)), auction.max_bid)
    return min((bid for bid in legal_bids if bid), key=lambda bid: abs(bid - wanted))


def choose_pass(view: SeatView, _rng: Random) -> tuple[Card, Card]:
    """Return the same cards as `hard`."""
    return pass_cards(view)


def choose_card(view: SeatView, rng: Random) -> Card:
    """Return a card by rules of thumb, or the policy's card while a nil of its own side is alive."""
    if len(view.legal_cards) == 1:
        return view.legal_cards[0]
    seen = Observation.from_view(view)
    position = seen.position
    if position.goal[seen.own_seat] not in (TAKE, DUCK):
        return seen.card(policy_card(position, seen.hand, seen.own_seat))
    at_random = rng.random() < NOISE
    cards = position.legal_cards(seen.hand)
    if not position.trick_size:
        return seen.card(_lead(seen, cards, rng if at_random else None))
    if not cards[position.led]:
        return seen.card(_ruff_or_discard(seen, cards))
    if at_random and position.trick_size < 3:
        return rng.choice([card for card in view.legal_cards if card[0] != "A"] or view.legal_cards)
    return seen.card((position.led, _follow(seen, cards[position.led])))


def _lead(seen: Observation, cards: list[int], rng: Random | None) -> CardBit:
    """Lead an ace while tricks are needed, else low from the longest side suit, or with `rng` from any."""
    suits = [suit for suit in range(SPADES) if cards[suit]]
    if not suits:
        return SPADES, _lowest(cards[SPADES])
    if rng is not None:
        suit = rng.choice(suits)
        return suit, _lowest(cards[suit])
    if _wants_tricks(seen):
        for suit in suits:
            ace = 1 << seen.deck.suit_sizes[suit] - 1
            if cards[suit] & ace:
                return suit, ace
    longest = max(suits, key=lambda suit: cards[suit].bit_count())
    return longest, _lowest(cards[longest])


def _follow(seen: Observation, cards: int) -> int:
    position = seen.position
    winning = 0 if position.ruffed else cards & -(position.best << 1)
    if not winning or _partner_wins(seen) or not _wants_tricks(seen):
        return _lowest(cards)
    if position.trick_size == 3:
        return _lowest(winning)
    ace = 1 << seen.deck.suit_sizes[position.led] - 1
    return HIGHEST[winning] if position.trick_size == 2 or (cards & ace and position.led != SPADES) else _lowest(cards)


def _ruff_or_discard(seen: Observation, cards: list[int]) -> CardBit:
    position, spades = seen.position, cards[SPADES]
    winning = spades & -(position.best << 1) if position.ruffed else spades
    side_suits = [suit for suit in range(SPADES) if cards[suit]]
    if position.led != SPADES and winning and not _partner_wins(seen) and (_wants_tricks(seen) or not side_suits):
        return SPADES, _lowest(winning)
    if not side_suits:
        return SPADES, _lowest(spades)
    suit = min(side_suits, key=lambda suit: _lowest(cards[suit]) << 13 - seen.deck.suit_sizes[suit])
    return suit, _lowest(cards[suit])


def _partner_wins(seen: Observation) -> bool:
    """Return whether the partner wins the trick for certain, or probably: with an ace or a ruff."""
    position = seen.position
    looks_sure = position.ruffed or position.best == 1 << seen.deck.suit_sizes[position.led] - 1
    return position.winner == seen.own_seat ^ 2 and (position.trick_size == 3 or looks_sure)


def _wants_tricks(seen: Observation) -> bool:
    return seen.position.goal[seen.own_seat] == TAKE


def _lowest(cards: int) -> int:
    return cards & -cards
