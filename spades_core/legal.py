"""Legal bids and cards, and the winner of a trick (RULES.md: R20 to R39, R94 to R114, R130 onwards)."""

from spades_core.cards import SUIT_NAMES, Card
from spades_core.deck import DECKS, Deck
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS, BySide, Seat, next_seat, partner_of
from spades_core.state import Hand

ALL_BIDS = tuple(range(14))
CARDS_TO_PASS = 2
BLIND_NIL_DEFICIT = 100
"""A side that is so many points behind may bid blind nil."""


def legal_bids(rules: RuleSet, hand: Hand, seat: Seat) -> tuple[int, ...]:
    """Return the bids allowed to `seat` if it were its turn; never empty (R94 to R104, R109)."""
    partner = hand.bids[partner_of(seat)]
    bids = _bids_of_variant(rules, hand, seat, partner)
    if rules.nil_value is None or (rules.double_nil == "forbidden" and partner == 0):
        bids = tuple(bid for bid in bids if bid)
    if rules.min_bid == "no_ones":
        bids = tuple(bid for bid in bids if bid != 1)
    if rules.min_bid == "side_four" and partner is not None:
        bids = tuple(bid for bid in bids if bid + partner >= 4)
    if rules.sum_not_13 and hand.bids.count(None) == 1:
        others = sum(bid for bid in hand.bids if bid is not None)
        bids = tuple(bid for bid in bids if bid + others != 13)
    return bids


def _bids_of_variant(rules: RuleSet, hand: Hand, seat: Seat, partner: int | None) -> tuple[int, ...]:
    if rules.variant == "partnership":
        return ALL_BIDS
    if rules.variant == "suicide":
        if partner is None:
            return (0, *ALL_BIDS[4:])
        return ALL_BIDS[4:] if partner == 0 else (0,)
    spades = (hand.held[seat] & DECKS[rules.deck].spades).bit_count()
    return (spades,) if rules.variant == "mirror" or spades == 0 else (0, spades)


def face_down_seats(rules: RuleSet, scores: BySide[int]) -> tuple[bool, bool, bool, bool]:
    """Return, by seat, whether a hand is dealt face down because its side is behind enough to bid blind nil (R97)."""
    first, second = (
        rules.blind_nil is not None and scores[1 - side] - scores[side] >= BLIND_NIL_DEFICIT for side in (0, 1)
    )
    return first, second, first, second


def passing_order(rules: RuleSet, hand: Hand) -> tuple[Seat, ...]:
    """Return the seats that pass two cards after the bidding, in order: each blind nil, then its partner (R99)."""
    if rules.blind_nil != "swap":
        return ()
    order = [next_seat(hand.dealer, steps) for steps in (1, 2, 3, 4)]
    passing: list[Seat] = []
    for seat in order:
        if hand.blind[seat] and seat not in passing:
            passing += [seat, partner_of(seat)]
    return tuple(passing)


def first_leader(rules: RuleSet, hand: Hand) -> Seat:
    """Return the seat that leads the first trick, once the bidding is over (R105 to R108)."""
    order = [next_seat(hand.dealer, steps) for steps in (1, 2, 3, 4)]
    if rules.first_lead == "left_of_dealer":
        return order[0]
    if rules.first_lead == "highest_bidder":
        return max(order, key=lambda seat: hand.bids[seat] or 0)
    clubs = DECKS[rules.deck].suit_mask["C"]
    return next(seat for seat in order if hand.held[seat] & clubs & -clubs)


def legal_cards(rules: RuleSet, hand: Hand, seat: Seat) -> int:
    """Return the mask of the cards that `seat`, whose turn it is, may play; never empty."""
    deck, held = DECKS[rules.deck], hand.held[seat]
    if hand.trick:
        follow = held & deck.follow_mask[hand.trick[0]]
        if not hand.tricks:
            return _legal_to_follow_first_trick(rules, deck, held, follow)
        return follow or held
    if not hand.tricks and rules.first_lead in ("two_of_clubs", "lowest_clubs"):
        clubs = held & deck.suit_mask["C"]
        return clubs & -clubs
    barred = not hand.broken if rules.lead_spades == "when_broken" else _first_spade_barred(rules, hand)
    return held & ~deck.spades or held if barred else held


def _legal_to_follow_first_trick(rules: RuleSet, deck: Deck, held: int, follow: int) -> int:
    if follow:
        return follow & -follow if rules.first_lead == "lowest_clubs" else follow
    return held & ~deck.spades or held if rules.first_trick_spades == "refused" else held


def _first_spade_barred(rules: RuleSet, hand: Hand) -> bool:
    return rules.lead_spades == "not_first_trick" and not hand.tricks


def illegal_reason(rules: RuleSet, hand: Hand, seat: Seat) -> tuple[str, str]:
    """Return why `seat`, whose turn it is, may not play its other cards: a code and a sentence for the player."""
    deck = DECKS[rules.deck]
    if not hand.trick:
        if not hand.tricks and rules.first_lead in ("two_of_clubs", "lowest_clubs"):
            return "lead_lowest_club", "The first trick is led with the lowest club."
        if _first_spade_barred(rules, hand):
            return "no_spade_first", "A spade may not be led to the first trick."
        return "spades_not_broken", "Spades are not broken yet, so you cannot lead one."
    if not hand.held[seat] & deck.follow_mask[hand.trick[0]]:
        return "no_spade_first", "No spade may be played on the first trick while you hold anything else."
    if not hand.tricks and rules.first_lead == "lowest_clubs":
        return "lowest_club", "On the first trick everybody plays their lowest club."
    return "must_follow", f"You must follow {SUIT_NAMES[deck.suit[hand.trick[0]]]}."


def winning_index(deck: Deck, trick: tuple[Card, ...]) -> int:
    """Return the index in `trick` of the winning card: the highest spade, else the highest of the suit led."""
    counts = deck.follow_mask[trick[0]] | deck.spades
    best, best_bit = 0, 0
    for index, card in enumerate(trick):
        bit = deck.bit[card]
        if bit & counts and bit > best_bit:
            best, best_bit = index, bit
    return best


def winning_seat(deck: Deck, leader: Seat, trick: tuple[Card, ...]) -> Seat:
    return SEATS[(leader + winning_index(deck, trick)) & 3]
