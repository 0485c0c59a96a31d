"""Random playouts: hands dealt, bid and played to their end at random, many thousand a second.

`decide` and `evolve` make a new table for every card, in some ten µs, with all that a server,
a log and a viewer need. A playout keeps only what the rules need, in copies of its own: it is
a second, independent implementation of the play, for benchmarks and to compare tricks with.

A seat holds one mask for each suit, and `DeckTables` list the cards of every mask, so following
suit is one table look-up. Cards are indices into the deck; the highest card that follows suit
or is a spade wins the trick.

Bids and the first leader come from `legal`, points from `scoring`. Only the play of the cards
is implemented again: R30 to R39, R106, R107, R130 to R132. All legal choices are equally
likely, up to the bias of 30 random bits modulo their number: less than one in ten million.
"""

from functools import cache, lru_cache
from random import Random

from spades_core.cards import SUITS
from spades_core.deck import DECKS, Deck
from spades_core.legal import first_leader, legal_bids, passing_order, winning_index
from spades_core.ruleset import RuleSet
from spades_core.scoring import score_side
from spades_core.seats import SEATS, SIDES, BySeat, BySide, Seat, next_seat, seats_of, with_value
from spades_core.state import Hand

CardIndex = int  # of a card in its deck: 0 is the lowest club, 51 the highest spade
BITS = tuple(1 << index for index in range(52))
ROUND = tuple(tuple(next_seat(leader, steps) for steps in range(4)) for leader in SEATS)


class DeckTables:
    """Look-up tables of a deck.

    `suit` is the suit of each card index, 0 to 3, and `bit` its bit within the suit. `cards` has
    for each suit the card indices in every mask, and `slices` the first index of the suit and the
    mask of all its cards.
    """

    def __init__(self, deck: Deck) -> None:
        self.suit = tuple(SUITS.index(deck.suit[card]) for card in deck.cards)
        self.first_spade = self.suit.index(3)
        starts = [self.suit.index(suit) for suit in range(4)]
        self.slices = tuple((start, (1 << self.suit.count(suit)) - 1) for suit, start in enumerate(starts))
        self.bit = tuple(1 << index - starts[suit] for index, suit in enumerate(self.suit))
        self.cards = tuple(_subsets(range(start, start + self.suit.count(suit))) for suit, start in enumerate(starts))

    def split(self, held: int) -> list[int]:
        """Return the masks of the four suits in a mask of the whole deck."""
        return [held >> start & ones for start, ones in self.slices]

    def any_suit(self, own: list[int], no_spades: bool) -> tuple[CardIndex, ...]:
        """Return all cards held, without the spades if `no_spades` and there are others."""
        clubs, diamonds, hearts, spades = self.cards
        side = clubs[own[0]] + diamonds[own[1]] + hearts[own[2]]
        return side if no_spades and side else side + spades[own[3]]


def _subsets(suit: range) -> list[tuple[CardIndex, ...]]:
    subsets: list[tuple[CardIndex, ...]] = [()]
    for index in suit:
        subsets += [(*lower, index) for lower in subsets]
    return subsets


deck_tables = cache(DeckTables)  # made on first use, in some milliseconds


def deal(rng: Random) -> BySeat[int]:
    """Return four hands as masks, all deals equally likely. Sorting at random takes half as long as shuffling."""
    random = rng.random
    cards = sorted(BITS, key=lambda _: random())
    return sum(cards[:13]), sum(cards[13:26]), sum(cards[26:39]), sum(cards[39:])


def bid_out(rules: RuleSet, hand: Hand, rng: Random) -> Hand:
    """Return `hand` with all bids made: ready to be played out, unless a blind nil has cards to pass."""
    if None not in hand.bids:
        return hand
    hand = Hand(hand.number, hand.dealer, hand.held, hand.turn, hand.leader, hand.bids, blind=hand.blind)
    write = object.__setattr__  # this hand is not shared yet; a new one for every bid would take twice the time
    while None in hand.bids:
        legal = legal_bids(rules, hand, hand.turn)
        write(hand, "bids", with_value(hand.bids, hand.turn, legal[rng.getrandbits(30) % len(legal)]))
        write(hand, "turn", next_seat(hand.turn))
    to_pass = passing_order(rules, hand)
    write(hand, "to_pass", to_pass)
    write(hand, "leader", hand.leader if to_pass else first_leader(rules, hand))
    write(hand, "turn", to_pass[0] if to_pass else hand.leader)
    return hand


def play_out(rules: RuleSet, hand: Hand, rng: Random, played: list[CardIndex] | None = None) -> BySeat[int]:
    """Play at random from here on, be it in mid-trick; return the tricks of each seat. `played` gets the cards."""
    assert None not in hand.bids
    assert not hand.to_pass
    tables, draw, drawn = deck_tables(DECKS[rules.deck]), rng.getrandbits, [] if played is None else played
    suit_of, bit_of, any_suit, first_spade = tables.suit, tables.bit, tables.any_suit, tables.first_spade
    held = [tables.split(mask) for mask in hand.held]
    taken, leader, trick_size, first = list(hand.taken), hand.leader, len(hand.trick), not hand.tricks
    until_broken = rules.lead_spades == "when_broken"
    barred = not hand.broken if until_broken else first and rules.lead_spades == "not_first_trick"
    club = first and rules.first_lead in ("two_of_clubs", "lowest_clubs")
    lowest = first and rules.first_lead == "lowest_clubs"
    no_ruff = first and rules.first_trick_spades == "refused"
    for _ in range(len(hand.tricks), 13):
        if trick_size:
            led, best, winner = _current_trick(rules, hand)
        else:
            own = held[leader]
            options = tables.cards[0][own[0]][:1] if club else any_suit(own, barred)
            best, winner, trick_size = options[draw(30) % len(options)], leader, 1
            led = suit_of[best]
            own[led] ^= bit_of[best]
            drawn.append(best)
        follow = tables.cards[led]
        for seat in ROUND[leader][trick_size:]:
            own = held[seat]
            follows = follow[own[led]]
            if follows:
                card = follows[0 if lowest else draw(30) % len(follows)]
            else:
                options = any_suit(own, no_ruff)
                card = options[draw(30) % len(options)]
                barred = barred and card < first_spade
            own[suit_of[card]] ^= bit_of[card]
            drawn.append(card)
            if card > best and (follows or card >= first_spade):
                best, winner = card, seat
        taken[winner] += 1
        leader, trick_size, club, lowest, no_ruff, barred = winner, 0, False, False, False, barred and until_broken
    return taken[0], taken[1], taken[2], taken[3]


def _current_trick(rules: RuleSet, hand: Hand) -> tuple[int, CardIndex, Seat]:
    """Return of the trick on the table the suit led, the winning card and the seat that played it."""
    deck, best = DECKS[rules.deck], winning_index(DECKS[rules.deck], hand.trick)
    return SUITS.index(deck.suit[hand.trick[0]]), deck.cards.index(hand.trick[best]), ROUND[hand.leader][best]


def points(rules: RuleSet, hand: Hand, taken: BySeat[int], bags: BySide[int] = (0, 0)) -> BySide[int]:
    """Return what each side scores for the tricks `taken`; `bags` are those from earlier hands."""
    bids, blind = [bid or 0 for bid in hand.bids], hand.blind
    return (
        _side_points(rules, (bids[0], bids[2]), (taken[0], taken[2]), bags[0], (blind[0], blind[2])),
        _side_points(rules, (bids[1], bids[3]), (taken[1], taken[3]), bags[1], (blind[1], blind[3])),
    )


@lru_cache(1 << 16)
def _side_points(rules: RuleSet, bids: BySide[int], taken: BySide[int], bags: int, blind: BySide[bool]) -> int:
    return score_side(rules, seats_of(SIDES[0]), bids, taken, score=0, bags=bags, blind=blind).points
