"""The hands that others may hold: drawn from what cannot be excluded, the likelier the more often.

Invariant: a world gives every seat as many cards as it has, all unseen cards
and no other, and none of a suit that its owner showed to lack.
"""

from collections.abc import Callable
from math import exp
from random import Random

from spades_core.bots import knobs
from spades_core.bots.policy import choice
from spades_core.bots.position import Position
from spades_core.bots.worth import expected_tricks, nil_chance

Hands = list[list[int]]
Play = tuple[int, int, int]
"""Who played what: seat, suit, bit."""


class Dealer:
    """Deals the unseen cards to the seats other than `me`, those first that fewest may hold."""

    def __init__(self, position: Position, hand: list[int], me: int) -> None:
        self.me, self.hand = me, hand
        begun = position.begun
        self.room = [position.left] * 4
        for step in range(begun):
            self.room[me - begun + step & 3] -= 1
        self.room[me] = 0
        self.free: list[tuple[int, int]] = []
        self.bound: list[tuple[list[int], tuple[int, int]]] = []
        others = [seat for seat in range(4) if seat != me]
        for suit in range(4):
            able = [seat for seat in others if not position.void[seat] >> suit & 1]
            unseen = position.out[suit] & ~hand[suit]
            while unseen:
                bit = unseen & -unseen
                unseen ^= bit
                if len(able) == 3:
                    self.free.append((suit, bit))
                else:
                    self.bound.append((able, (suit, bit)))
        self.bound.sort(key=lambda each: len(each[0]))

    def deal(self, chance: Random) -> Hands:
        """Four hands, the own one among them."""
        while True:
            hands = [[0, 0, 0, 0] for _ in range(4)]
            hands[self.me] = self.hand[:]
            room = self.room[:]
            if not self.bound or self._deal_bound(hands, room, chance.random):
                break
        random, at = chance.random, 0
        free = sorted(self.free, key=lambda _: random())
        for held, space in zip(hands, room, strict=True):
            for suit, bit in free[at : at + space]:
                held[suit] |= bit
            at += space
        return hands

    def _deal_bound(self, hands: Hands, room: list[int], random: Callable[[], float]) -> bool:
        """The cards that not everybody can hold, each to a seat as likely as it has room; False at a dead end."""
        for able, (suit, bit) in self.bound:
            total = 0
            for seat in able:
                total += room[seat]
            if not total:
                return False
            draw = random() * total
            for seat in able:
                draw -= room[seat]
                if draw < 0:
                    break
            room[seat] -= 1
            hands[seat][suit] |= bit
        return True


class Evidence:
    """How well hands explain what their owners bid and played."""

    def __init__(self, start: Position, plays: list[Play], me: int, sizes: list[int]) -> None:
        """`start` is the position before the first card; it is played on."""
        self.me, self.bids, self.sizes = me, start.bids, sizes
        self.played = [[0, 0, 0, 0] for _ in range(4)]
        for seat, suit, bit in plays:
            self.played[seat][suit] |= bit
        later = [own[:] for own in self.played]
        self.moments: list[tuple[Position, int, int, int, list[int]]] = []
        for seat, suit, bit in plays:
            if seat != me:
                self.moments.append((start.copy(), seat, suit, bit, later[seat][:]))
            later[seat][suit] ^= bit
            start.play(seat, suit, bit)

    def likelihood(self, hands: Hands) -> float:
        """In no unit; only ratios mean something."""
        likely = self.of_bids(hands)
        surprise = knobs.SURPRISE
        for position, seat, suit, bit, later in self.moments:
            now = hands[seat]
            held = [now[0] | later[0], now[1] | later[1], now[2] | later[2], now[3] | later[3]]
            wanted, card = choice(position, held, seat)
            if wanted != suit:
                likely *= surprise
            elif card != bit:
                likely *= surprise if card > 2 * bit or bit > 2 * card else surprise**0.5
        return likely

    def of_bids(self, hands: Hands) -> float:
        likely = 1e-9
        for step in (1, 2, 3):
            seat = self.me + step & 3
            bid, now, gone = self.bids[seat], hands[seat], self.played[seat]
            full = [now[0] | gone[0], now[1] | gone[1], now[2] | gone[2], now[3] | gone[3]]
            likely *= explains(full, self.sizes, bid)
        return likely


def explains(full: list[int], sizes: list[int], bid: int) -> float:
    """How likely the owner of thirteen cards is to bid so."""
    if bid == 0:
        return nil_chance(full, sizes, knobs.UNKNOWN_PARTNER)
    off = expected_tricks(full, sizes) - bid - knobs.BID_SHIFT
    return exp(-off * off / (2 * knobs.BID_SPREAD * knobs.BID_SPREAD))


def drawn(dealer: Dealer, likelihood: Callable[[Hands], float], count: int, chance: Random) -> list[Hands]:
    """So many worlds out of a multiple dealt, by their likelihood; a likely one may be there twice."""
    dealt = [dealer.deal(chance) for _ in range(count * knobs.OVERDEALT)]
    weights = [likelihood(hands) for hands in dealt]
    worlds = []
    step = sum(weights) / count
    pointer, reached, at = chance.random() * step, weights[0], 0
    for _ in range(count):
        while reached < pointer and at < len(dealt) - 1:
            at += 1
            reached += weights[at]
        worlds.append(dealt[at])
        pointer += step
    chance.shuffle(worlds)
    return worlds
