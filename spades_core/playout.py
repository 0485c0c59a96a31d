"""Hands dealt, bid and played to their end at random, many thousand a second.

Why there is a second way to play. `decide` and `evolve` make a new table for
every card, with all that a server, a log and a viewer need: some ten µs. A bot
that searches asks how thousands of hands end and looks at nothing on the way.
A playout keeps only what the rules ask for, in copies of its own: it is pure.

How it is fast. A seat holds a small mask for each suit, and `Tables` know what
is in every mask: to follow suit is one look into them. Cards are numbers, their
places in the deck; the highest that follows or is a spade wins the trick.

How it stays equal. Bids and the first leader are asked of `legal`, as decide
does; points are those of `scoring`, remembered. Only how cards are played is
written once more: R30 to R39, R106, R107, R130 to R132. The tests have decide
accept the cards of playouts under drawn rules, compare the tricks with evolve's
and find planted mistakes. What is legal is equally likely, within one part in
ten million: so little does the remainder of 30 random bits favour.
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

Place = int  # of a card in its deck: 0 is the lowest club, 51 the highest spade
BITS = tuple(1 << place for place in range(52))
ROUND = tuple(tuple(next_seat(leader, steps) for steps in range(4)) for leader in SEATS)


class Tables:
    """Of each place its `suit`, 0 to 3, and `bit` in it; of each suit the `places` in every mask, and where it lies."""

    def __init__(self, deck: Deck) -> None:
        self.suit = tuple(SUITS.index(deck.suit[card]) for card in deck.cards)
        self.first_spade = self.suit.index(3)
        starts = [self.suit.index(suit) for suit in range(4)]
        self.slices = tuple((start, (1 << self.suit.count(suit)) - 1) for suit, start in enumerate(starts))
        self.bit = tuple(1 << place - starts[suit] for place, suit in enumerate(self.suit))
        self.places = tuple(_subsets(range(start, start + self.suit.count(suit))) for suit, start in enumerate(starts))

    def by_suit(self, held: int) -> list[int]:
        return [held >> start & ones for start, ones in self.slices]

    def any_suit(self, mine: list[int], spared: bool) -> tuple[Place, ...]:
        """All that is held; if spades are spared, the others, unless there are none."""
        clubs, diamonds, hearts, spades = self.places
        side = clubs[mine[0]] + diamonds[mine[1]] + hearts[mine[2]]
        return side if spared and side else side + spades[mine[3]]


def _subsets(suit: range) -> list[tuple[Place, ...]]:
    subsets: list[tuple[Place, ...]] = [()]
    for place in suit:
        subsets += [(*lower, place) for lower in subsets]
    return subsets


tables_of = cache(Tables)  # made when first asked for, in some milliseconds


def dealt(rng: Random) -> BySeat[int]:
    """Four hands of any deck, all deals equally likely; sorting by chance takes half as long as shuffling."""
    random = rng.random
    cards = sorted(BITS, key=lambda _: random())
    return sum(cards[:13]), sum(cards[13:26]), sum(cards[26:39]), sum(cards[39:])


def bid_out(rules: RuleSet, hand: Hand, rng: Random) -> Hand:
    """`hand` after the bids that it lacks. It can be played out, unless somebody bid blind before and passes cards."""
    if None not in hand.bids:
        return hand
    hand = Hand(hand.number, hand.dealer, hand.held, hand.turn, hand.leader, hand.bids, blind=hand.blind)
    write = object.__setattr__  # nobody else has this hand yet; a new one for every bid would take twice the time
    while None in hand.bids:
        legal = legal_bids(rules, hand, hand.turn)
        write(hand, "bids", with_value(hand.bids, hand.turn, legal[rng.getrandbits(30) % len(legal)]))
        write(hand, "turn", next_seat(hand.turn))
    to_pass = passing_order(rules, hand)
    write(hand, "to_pass", to_pass)
    write(hand, "leader", hand.leader if to_pass else first_leader(rules, hand))
    write(hand, "turn", to_pass[0] if to_pass else hand.leader)
    return hand


def play_out(rules: RuleSet, hand: Hand, rng: Random, played: list[Place] | None = None) -> BySeat[int]:
    """The tricks each seat ends with if from here on, be it in a trick, all play at random; `played` gets the cards."""
    assert None not in hand.bids
    assert not hand.to_pass
    tables, draw, drawn = tables_of(DECKS[rules.deck]), rng.getrandbits, [] if played is None else played
    suit_of, bit_of, any_suit, first_spade = tables.suit, tables.bit, tables.any_suit, tables.first_spade
    held = [tables.by_suit(mask) for mask in hand.held]
    taken, leader, begun, first = list(hand.taken), hand.leader, len(hand.trick), not hand.tricks
    until_broken = rules.lead_spades == "when_broken"
    barred = not hand.broken if until_broken else first and rules.lead_spades == "not_first_trick"
    club = first and rules.first_lead in ("two_of_clubs", "lowest_clubs")
    lowest = first and rules.first_lead == "lowest_clubs"
    spared = first and rules.first_trick_spades == "refused"
    for _ in range(len(hand.tricks), 13):
        if begun:
            led, best, winner = _on_table(rules, hand)
        else:
            mine = held[leader]
            options = tables.places[0][mine[0]][:1] if club else any_suit(mine, barred)
            best, winner, begun = options[draw(30) % len(options)], leader, 1
            led = suit_of[best]
            mine[led] ^= bit_of[best]
            drawn.append(best)
        follow = tables.places[led]
        for seat in ROUND[leader][begun:]:
            mine = held[seat]
            follows = follow[mine[led]]
            if follows:
                card = follows[0 if lowest else draw(30) % len(follows)]
            else:
                options = any_suit(mine, spared)
                card = options[draw(30) % len(options)]
                barred = barred and card < first_spade
            mine[suit_of[card]] ^= bit_of[card]
            drawn.append(card)
            if card > best and (follows or card >= first_spade):
                best, winner = card, seat
        taken[winner] += 1
        leader, begun, club, lowest, spared, barred = winner, 0, False, False, False, barred and until_broken
    return taken[0], taken[1], taken[2], taken[3]


def _on_table(rules: RuleSet, hand: Hand) -> tuple[int, Place, Seat]:
    """Of a trick that has begun: the suit led, the card that wins it so far, and whose that is."""
    deck, best = DECKS[rules.deck], winning_index(DECKS[rules.deck], hand.trick)
    return SUITS.index(deck.suit[hand.trick[0]]), deck.cards.index(hand.trick[best]), ROUND[hand.leader][best]


def points(rules: RuleSet, hand: Hand, taken: BySeat[int], bags: BySide[int] = (0, 0)) -> BySide[int]:
    """What each side scores when these are the tricks of `hand`; `bags` are those from before."""
    bids, blind = [bid or 0 for bid in hand.bids], hand.blind
    return (
        _side_points(rules, (bids[0], bids[2]), (taken[0], taken[2]), bags[0], (blind[0], blind[2])),
        _side_points(rules, (bids[1], bids[3]), (taken[1], taken[3]), bags[1], (blind[1], blind[3])),
    )


@lru_cache(1 << 16)
def _side_points(rules: RuleSet, bids: BySide[int], taken: BySide[int], bags: int, blind: BySide[bool]) -> int:
    return score_side(rules, seats_of(SIDES[0]), bids, taken, score=0, bags=bags, blind=blind).points
