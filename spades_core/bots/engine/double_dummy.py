"""Double-dummy search of the last tricks: alpha-beta with all four hands known.

It searches one of several equivalent cards and caches the bounds of positions between tricks.
Four tricks take half a millisecond on average, rarely more than three, and at worst twenty.
"""

from math import inf

from spades_core.bots.engine.position import SIDE_SUITS, SPADES, CardBit, Hands, Position
from spades_core.bots.engine.rollout import last_trick_winner
from spades_core.bots.engine.utility import Utility

Trick = tuple[int, bool, int, int, int, bool, int]
"""Tricks left, whether a spade lead is forbidden, trick size, suit led, winning bit, whether it is a ruff, its seat."""


class DoubleDummy:
    """A search for the side of `seat`, with the bounds found so far. It modifies no argument."""

    def __init__(self, utility: Utility, seat: int) -> None:
        self.utility, self.side = utility, seat & 1
        self.hands: Hands = []
        self.taken: list[int] = []
        self.forbidden_until_broken = True
        self.bounds: dict[tuple[int, ...], tuple[float, float]] = {}

    def value(self, position: Position, hands: Hands) -> float:
        """Return the utility if both sides play optimally; not for the first trick, whose rules differ."""
        self.hands, self.taken = [held[:] for held in hands], position.taken[:]
        self.forbidden_until_broken = position.forbidden_until_broken
        left, no_spade_lead, trick_size = position.tricks_left, position.spade_lead_forbidden, position.trick_size
        if not trick_size:
            return self._search_trick(position.winner, left, no_spade_lead, -inf, inf)
        trick = left, no_spade_lead, trick_size, position.led, position.best, position.ruffed, position.winner
        return self._search_card(position.last_seat + 1 & 3, trick, -inf, inf)

    def _search_trick(self, leader: int, left: int, no_spade_lead: bool, alpha: float, beta: float) -> float:
        """Return the value before a trick, or a bound if it is not between alpha and beta."""
        if left == 1:
            return self._leaf(last_trick_winner(leader, self.hands))
        first, second, third, fourth = self.hands
        key = leader, no_spade_lead, *self.taken, *first, *second, *third, *fourth
        lower, upper = self.bounds.get(key, (-inf, inf))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        value = self._search_card(leader, (left, no_spade_lead, 0, 0, 0, False, leader), alpha, beta)
        self.bounds[key] = value if value > alpha else lower, value if value < beta else upper
        return value

    def _search_card(self, seat: int, trick: Trick, alpha: float, beta: float) -> float:
        """Return the value of the best card of a seat, or a bound as above."""
        ours, held = seat & 1 == self.side, self.hands[seat]
        best = -inf if ours else inf
        for card_bit in self._distinct_cards(seat, trick):
            suit, bit = card_bit
            held[suit] ^= bit
            value = self._search_after(seat, card_bit, trick, alpha, beta)
            held[suit] ^= bit
            if ours:
                best = max(best, value)
                alpha = max(alpha, value)
            else:
                best = min(best, value)
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best

    def _search_after(self, seat: int, card_bit: CardBit, trick: Trick, alpha: float, beta: float) -> float:
        """Return the value after a card, or a bound as above."""
        left, no_spade_lead, trick_size, led, best, ruffed, winner = trick
        suit, bit = card_bit
        if not trick_size:
            return self._search_card(seat + 1 & 3, (left, no_spade_lead, 1, suit, bit, False, seat), alpha, beta)
        if suit == SPADES != led:
            no_spade_lead = no_spade_lead and not self.forbidden_until_broken
            if not ruffed or bit > best:
                best, ruffed, winner = bit, True, seat
        elif suit == led and bit > best and not ruffed:
            best, winner = bit, seat
        if trick_size < 3:
            trick = left, no_spade_lead, trick_size + 1, led, best, ruffed, winner
            return self._search_card(seat + 1 & 3, trick, alpha, beta)
        if left == 1:
            return self._leaf(winner)
        self.taken[winner] += 1
        value = self._search_trick(winner, left - 1, no_spade_lead, alpha, beta)
        self.taken[winner] -= 1
        return value

    def _leaf(self, winner: int) -> float:
        """Return the utility after the last trick."""
        self.taken[winner] += 1
        value = self.utility.value(self.taken)
        self.taken[winner] -= 1
        return value

    def _distinct_cards(self, seat: int, trick: Trick) -> list[CardBit]:
        """Return the highest of each group of equivalent legal cards, high cards first."""
        _, no_spade_lead, trick_size, led, best, ruffed, _ = trick
        held, distinct = self.hands[seat], []
        suits: tuple[int, ...] = (SPADES, *SIDE_SUITS)
        if trick_size and held[led]:
            suits = (led,)
        elif not trick_size and no_spade_lead and (held[0] or held[1] or held[2]):
            suits = SIDE_SUITS
        for suit in suits:
            others = self.hands[seat ^ 1][suit] | self.hands[seat ^ 2][suit] | self.hands[seat ^ 3][suit]
            if trick_size and suit == (SPADES if ruffed else led):
                others |= best
            cards, last = held[suit], 0
            while cards:
                bit = 1 << cards.bit_length() - 1
                cards ^= bit
                if not last or others & (last - 1) & -bit:
                    distinct.append((suit, bit))
                last = bit
        return distinct
