"""The medium bot: counts what its hand is worth, cashes sure winners, ducks when the contract is made.

It looks one trick ahead. It protects a nil, its own or its partner's, takes
tricks while its side or a set needs them, and otherwise gets rid of winners.
"""

from random import Random

from spades_core.bots.engine.auction import Auction, auction_of, loses_even_if_made, wins_if_made
from spades_core.bots.engine.passing import cards_of_shelter
from spades_core.bots.levels.medium import hand_evaluation
from spades_core.bots.levels.medium.following import cover, duck, follow_to_win, stay_under
from spades_core.bots.levels.medium.hand_evaluation import expected_tricks, nil_risk
from spades_core.bots.levels.medium.leading import lead_to_win, lead_under
from spades_core.bots.levels.medium.medium_observation import SUITS, Reading, read
from spades_core.cards import Card
from spades_core.views import SeatView

NOISE = 0.05
"""How often it misjudges its hand by half a trick, or leads something else than it should."""

BOLDNESS = 0.8
"""Added before an estimate is rounded down; measured: from 0.7 to 1.0 makes no difference in points, only in bags."""

SUICIDE_RISK = 1.5
"""Of a side's two hands the one under it is taken to be the better nil, while the partner has not bid."""


def choose_blind(_view: SeatView, _rng: Random) -> bool:
    """It looks at its hand first."""
    return False


def choose_bid(view: SeatView, rng: Random) -> int:
    """One of `view.legal_bids`."""
    assert view.you is not None
    legal = view.legal_bids
    if len(legal) == 1:
        return legal[0]
    suits = SUITS[view.rules.deck]
    held = suits.deck.mask_of(view.hand)
    auction, tricks, risk = auction_of(view, view.you), expected_tricks(suits, held), nil_risk(suits, held)
    if rng.random() < NOISE:
        tricks += rng.choice((-0.5, 0.5))
    bid = _bid(view, auction, tricks, risk)
    promises = [other for other in legal if other] if bid else legal
    return min(promises or legal, key=lambda other: (abs(other - bid), abs(other - tricks)))


def _bid(view: SeatView, auction: Auction, tricks: float, risk: float) -> int:
    """What it would like to bid, legal or not."""
    if 0 in view.legal_bids and _sensible_nil(view, auction, tricks, risk):
        bid = 0
    elif view.rules.variant == "whiz":
        return max(view.legal_bids)
    else:
        bid = int(tricks + BOLDNESS)
        if auction.is_last:
            total = bid + (auction.partner_bid or 0) + auction.their_contract
            bid += _room_at_the_table(total, (tricks + BOLDNESS) % 1)
        bid = min(max(bid, 1), _most(auction))
    if auction.partner_bid is not None and view.rules.variant == "partnership":
        bid = _to_the_score(bid, auction, tricks, risk)
    return bid


def _most(auction: Auction) -> int:
    return max(1, 13 - (auction.partner_bid or 0))


def _sensible_nil(view: SeatView, auction: Auction, tricks: float, risk: float) -> bool:
    """Whether nil promises more than the tricks of this hand. Never behind a partner's nil."""
    if auction.partner_bid == 0:
        return False
    if view.rules.variant == "suicide":
        return risk <= SUICIDE_RISK
    if view.rules.variant == "whiz":
        return risk <= hand_evaluation.bearable_risk(auction) + 0.3 * max(0.0, max(view.legal_bids) - tricks)
    return tricks <= 2.3 and risk <= hand_evaluation.bearable_risk(auction)


def _room_at_the_table(total: int, fraction: float) -> int:
    """What the last bidder corrects: four players who bid 13 and more bid too much, with 9 and less too little."""
    return -1 if total >= 13 else 1 if total <= 9 and fraction >= 0.5 else 0


def _to_the_score(bid: int, auction: Auction, tricks: float, risk: float) -> int:
    """Near the end: never a bid that loses the game when made, nor a higher one than the game needs."""
    if loses_even_if_made(bid, auction):
        reach = range(bid + 1, min(_most(auction), int(tricks) + 4) + 1)
        for enough in (wins_if_made, lambda other, auction: not loses_even_if_made(other, auction)):
            for other in reach:
                if enough(other, auction):
                    return other
        if auction.partner_bid and not loses_even_if_made(0, auction) and risk < 1.5:
            return 0
    while bid > 1 and auction.is_last and wins_if_made(bid - 1, auction):
        bid -= 1
    return bid


def choose_pass(view: SeatView, _rng: Random) -> tuple[Card, Card]:
    """Two cards of `view.hand`: what endangers the own nil, else what shelters the partner's."""
    assert view.you is not None
    if view.seats[view.you].bid != 0:
        return cards_of_shelter(view)
    suits = SUITS[view.rules.deck]
    first, second = suits.deck.cards_in(hand_evaluation.dangers(suits, suits.deck.mask_of(view.hand)))
    return first, second


def choose_card(view: SeatView, rng: Random) -> Card:
    """One of `view.legal_cards`."""
    if len(view.legal_cards) == 1:
        return view.legal_cards[0]
    table = read(view)
    return table.suits.deck.cards[_choice(table, rng).bit_length() - 1]


def _choice(table: Reading, rng: Random) -> int:
    if table.keeps_nil(table.me):
        return stay_under(table) if table.best else lead_under(table)
    if table.best and table.keeps_nil(table.partner) and (saving := cover(table)):
        return saving
    if wants_tricks(table):
        return follow_to_win(table) if table.best else lead_to_win(table, rng, NOISE)
    return duck(table) if table.best else lead_under(table)


def wants_tricks(table: Reading) -> bool:
    """Whether a trick is worth more than a bag: for the own contract, or to set the other side."""
    ours, theirs = table.need
    if table.keeps_nil(table.partner):
        ours = table.bids[table.me] - table.taken[table.me]
    if not table.counts[table.me]:
        ours = 0
    if 0 < ours <= table.left or table.rules.bag_limit is None:
        return True
    to_set = table.left - theirs + 1
    return theirs > 0 and 0 < to_set <= max(1, table.bosses().bit_count())
