"""The last tricks played by everybody as if all four hands lay open: alpha-beta, for one imagined world.

Cards that no other card parts count as one, and what is known of a position
between two tricks is kept: four tricks take half a millisecond on average, seldom three,
twenty at the very worst.
"""

from spades_core.bots.engine.position import SPADES, Place, Position
from spades_core.bots.engine.rollout import winner_of_last
from spades_core.bots.engine.utility import Stakes

INFINITE = float("inf")
Trick = tuple[int, bool, int, int, int, bool, int]
"""How many tricks are left with this one, whether spades may not be led yet, how many cards lie there, the suit led,
the card that wins, whether it is a spade on another suit, and whose it is."""


class DoubleDummy:
    """Searches for the side of the seat `mine`. Changes neither the positions nor the hands it is given."""

    def __init__(self, stakes: Stakes, mine: int) -> None:
        self.stakes, self.side = stakes, mine & 1
        self.hands: list[list[int]] = []
        self.taken: list[int] = []
        self.until_broken = True
        self.bounds: dict[tuple[int, ...], tuple[float, float]] = {}

    def value(self, position: Position, hands: list[list[int]]) -> float:
        """To the side that asks, when each side does what is best for it. Not for the first trick: its rules differ."""
        self.hands, self.taken = [held[:] for held in hands], position.taken[:]
        self.until_broken = position.until_broken
        left, barred, begun = position.left, position.barred, position.begun
        if not begun:
            return self._lead(position.winner, left, barred, -INFINITE, INFINITE)
        trick = left, barred, begun, position.led, position.best, position.ruffed, position.winner
        return self._play(position.turn + 1 & 3, trick, -INFINITE, INFINITE)

    def _lead(self, leader: int, left: int, barred: bool, low: float, high: float) -> float:
        """Before a trick. Exact between `low` and `high`, else a bound; so are the two that follow."""
        if left == 1:
            return self._ended(winner_of_last(leader, self.hands))
        one, two, three, four = self.hands
        key = leader, barred, *self.taken, *one, *two, *three, *four
        least, most = self.bounds.get(key, (-INFINITE, INFINITE))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        value = self._play(leader, (left, barred, 0, 0, 0, False, leader), low, high)
        self.bounds[key] = value if value > low else least, value if value < high else most
        return value

    def _play(self, seat: int, trick: Trick, low: float, high: float) -> float:
        """The card of a seat."""
        ours, held = seat & 1 == self.side, self.hands[seat]
        found = -INFINITE if ours else INFINITE
        for place in self._different(seat, trick):
            suit, bit = place
            held[suit] ^= bit
            value = self._played(seat, place, trick, low, high)
            held[suit] ^= bit
            if ours:
                found = max(found, value)
                low = max(low, value)
            else:
                found = min(found, value)
                high = min(high, value)
            if low >= high:
                break
        return found

    def _played(self, seat: int, place: Place, trick: Trick, low: float, high: float) -> float:
        """After that card."""
        left, barred, begun, led, best, ruffed, winner = trick
        suit, bit = place
        if not begun:
            return self._play(seat + 1 & 3, (left, barred, 1, suit, bit, False, seat), low, high)
        if suit == SPADES != led:
            barred = barred and not self.until_broken
            if not ruffed or bit > best:
                best, ruffed, winner = bit, True, seat
        elif suit == led and bit > best and not ruffed:
            best, winner = bit, seat
        if begun < 3:
            return self._play(seat + 1 & 3, (left, barred, begun + 1, led, best, ruffed, winner), low, high)
        if left == 1:
            return self._ended(winner)
        self.taken[winner] += 1
        value = self._lead(winner, left - 1, barred, low, high)
        self.taken[winner] -= 1
        return value

    def _ended(self, winner: int) -> float:
        """The hand is over with a trick for this seat."""
        self.taken[winner] += 1
        value = self.stakes.value(self.taken)
        self.taken[winner] -= 1
        return value

    def _different(self, seat: int, trick: Trick) -> list[Place]:
        """Of what a seat may play the highest of each run that no card of another seat parts, high ones first."""
        _, barred, begun, led, best, ruffed, _ = trick
        held, places = self.hands[seat], []
        suits: tuple[int, ...] = (SPADES, 0, 1, 2)
        if begun and held[led]:
            suits = (led,)
        elif not begun and barred and (held[0] or held[1] or held[2]):
            suits = (0, 1, 2)
        for suit in suits:
            others = self.hands[seat ^ 1][suit] | self.hands[seat ^ 2][suit] | self.hands[seat ^ 3][suit]
            if begun and suit == (SPADES if ruffed else led):
                others |= best
            cards, last = held[suit], 0
            while cards:
                bit = 1 << cards.bit_length() - 1
                cards ^= bit
                if not last or others & (last - 1) & -bit:
                    places.append((suit, bit))
                last = bit
        return places
