"""The easy bot: promises what it sees, plays the trick on the table and counts nothing; sometimes it picks at random.

It never bids nil unless the rules leave nothing else, and is never absurd: no
ace thrown under a ruff, no trump on its partner's sure winner.
"""

from random import Random

from spades_core.bots.engine import bid_policy
from spades_core.bots.engine.auction import auction_of
from spades_core.bots.engine.hand_value import expected_tricks
from spades_core.bots.engine.observation import Sight, see
from spades_core.bots.engine.policy import choice
from spades_core.bots.engine.position import DUCK, SPADES, TAKE, TOP, Place, Position, legal, places_of
from spades_core.bots.levels import hard
from spades_core.cards import Card
from spades_core.views import SeatView

NOISE = 0.12
"""How often it plays some other card of the suit, or leads another suit."""
DOUBT = 0.35
"""By how many tricks it misjudges its hand, as a standard deviation."""


def choose_blind(_view: SeatView, _rng: Random) -> bool:
    """It looks at its hand first."""
    return False


def choose_bid(view: SeatView, rng: Random) -> int:
    """One of `view.legal_bids`: the tricks it counts, rounded down."""
    assert view.you is not None
    places, auction, allowed = places_of(view.rules), auction_of(view, view.you), view.legal_bids
    held = places.by_suit(view.hand)
    if view.rules.variant != "partnership":
        return bid_policy.bid(auction, allowed, held, places.full)
    tricks = expected_tricks(held, places.full) + rng.gauss(0, DOUBT)
    wanted = min(max(1, int(tricks)), bid_policy.most(auction))
    return min((bid for bid in allowed if bid), key=lambda bid: abs(bid - wanted))


def choose_pass(view: SeatView, rng: Random) -> tuple[Card, Card]:
    """Two cards of `view.hand`."""
    return hard.choose_pass(view, rng)


def choose_card(view: SeatView, rng: Random) -> Card:
    """One of `view.legal_cards`."""
    if len(view.legal_cards) == 1:
        return view.legal_cards[0]
    sight = see(view)
    position = sight.position
    if position.mode[sight.me] not in (TAKE, DUCK):
        return sight.card(choice(position, sight.hand, sight.me))
    whim = rng.random() < NOISE
    allowed = legal(position, sight.hand)
    if not position.begun:
        return sight.card(_lead(sight, allowed, rng if whim else None))
    if not allowed[position.led]:
        return sight.card(_off_suit(sight, allowed))
    if whim and position.begun < 3:
        return rng.choice([card for card in view.legal_cards if card[0] != "A"] or view.legal_cards)
    return sight.card((position.led, _follow(sight, allowed[position.led])))


def _lead(sight: Sight, allowed: list[int], whim: Random | None) -> Place:
    """An ace while tricks are needed, else low from the longest side suit."""
    suits = [suit for suit in range(SPADES) if allowed[suit]]
    if not suits:
        return SPADES, _low(allowed[SPADES])
    if whim is not None:
        suit = whim.choice(suits)
        return suit, _low(allowed[suit])
    if _needs(sight):
        for suit in suits:
            ace = 1 << sight.places.full[suit] - 1
            if allowed[suit] & ace:
                return suit, ace
    longest = max(suits, key=lambda suit: allowed[suit].bit_count())
    return longest, _low(allowed[longest])


def _follow(sight: Sight, cards: int) -> int:
    position = sight.position
    over = 0 if position.ruffed else cards & -(position.best << 1)
    partner_holds = position.winner == sight.me ^ 2 and (position.begun == 3 or _looks_sure(sight))
    if not over or partner_holds or not _needs(sight):
        return _low(cards)
    if position.begun == 3:
        return _low(over)
    ace = 1 << sight.places.full[position.led] - 1
    return TOP[over] if position.begun == 2 or (cards & ace and position.led != SPADES) else _low(cards)


def _off_suit(sight: Sight, allowed: list[int]) -> Place:
    position, spades = sight.position, allowed[SPADES]
    over = spades & -(position.best << 1) if position.ruffed else spades
    partner_ahead = position.winner == sight.me ^ 2 and (position.begun == 3 or _looks_sure(sight))
    side = [suit for suit in range(SPADES) if allowed[suit]]
    if position.led != SPADES and over and not partner_ahead and (_needs(sight) or not side):
        return SPADES, _low(over)
    if not side:
        return SPADES, _low(spades)
    suit = min(side, key=lambda suit: _low(allowed[suit]) << 13 - sight.places.full[suit])
    return suit, _low(allowed[suit])


def _looks_sure(sight: Sight) -> bool:
    """A partner's ace, or its ruff: to a child a trick already won."""
    position: Position = sight.position
    return position.ruffed or position.best == 1 << sight.places.full[position.led] - 1


def _needs(sight: Sight) -> bool:
    return sight.position.mode[sight.me] == TAKE


def _low(cards: int) -> int:
    return cards & -cards
