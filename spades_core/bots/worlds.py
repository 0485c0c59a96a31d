"""The hands that others may hold: drawn from what cannot be excluded, the likelier the more often.

Invariant: a world gives every seat as many cards as it has, all unseen cards
and no other, none of a suit that its owner showed to lack, and to a partner what
was passed to it and not played since.
"""

from math import exp
from random import Random

from spades_core.bots.position import Position

Hands = list[list[int]]


def unseen_cards(position: Position, hand: list[int]) -> list[tuple[int, int]]:
    """What the others hold together, as suits and bits."""
    cards = []
    for suit in (0, 1, 2, 3):
        others = position.out[suit] & ~hand[suit]
        while others:
            bit = others & -others
            cards.append((suit, bit))
            others ^= bit
    return cards


class Dealer:
    """Deals the unseen cards to the other seats, most constrained cards first."""

    def __init__(self, position: Position, hand: list[int], me: int, known: Hands | None = None) -> None:
        self.me, self.hand = me, hand
        begun = position.begun
        leader = (me - begun) & 3
        self.room = [0, 0, 0, 0]
        for step in (1, 2, 3):
            seat = me + step & 3
            self.room[seat] = position.left - ((seat - leader & 3) < begun)
        self.fixed = [list(own) for own in known] if known else [[0] * 4 for _ in range(4)]
        groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for suit, bit in unseen_cards(position, hand):
            owner = [seat for seat in range(4) if known and known[seat][suit] & bit]
            if owner:
                self.room[owner[0]] -= 1
                continue
            able = tuple(seat for seat in range(4) if seat != me and not position.void[seat] >> suit & 1)
            groups.setdefault(able, []).append((suit, bit))
        self.free = groups.pop(tuple(seat for seat in range(4) if seat != me), [])
        self.bound = sorted(groups.items(), key=lambda group: len(group[0]))

    def deal(self, chance: Random) -> Hands:
        """Four hands, the own one among them."""
        hands = [own[:] for own in self.fixed]
        hands[self.me] = self.hand[:]
        random = chance.random
        room = self.room[:]
        if self.bound and not self._deal_bound(hands, room, random):
            return self.deal(chance)
        free = sorted(self.free, key=lambda _: random())
        at = 0
        for seat in (0, 1, 2, 3):
            held = hands[seat]
            for suit, bit in free[at : at + room[seat]]:
                held[suit] |= bit
            at += room[seat]
        return hands

    def _deal_bound(self, hands: Hands, room: list[int], random) -> bool:  # type: ignore[no-untyped-def]
        for able, cards in self.bound:
            for suit, bit in cards:
                spaces = [room[seat] for seat in able]
                total = sum(spaces)
                if not total:
                    return False
                draw = random() * total
                seat = able[-1]
                for candidate, space in zip(able, spaces, strict=True):
                    draw -= space
                    if draw < 0:
                        seat = candidate
                        break
                room[seat] -= 1
                hands[seat][suit] |= bit
        return True


def explains(estimate: float, bid: int, spread: float = 1.2, shift: float = 0.4) -> float:
    """How well a hand worth so much explains its owner's bid."""
    off = estimate - bid - shift
    return exp(-off * off / (2 * spread * spread))
