"""The information-set tree search of open_spiel as a bot for the arena.

    spades arena --a medium --b tests.open_spiel.ismcts:two_hundred --deals 20

This is `open_spiel.python.algorithms.ismcts` with its random rollouts, playing the
spades game of open_spiel. That game defines neither the information sets of its
players nor a resampling of its states, so both are defined here: an information
set is a player, the cards dealt to the player, and all bids and cards played; a
resampled state deals the unseen cards at random, respecting known voids. The bot
is given its view only.

The search alone decides what to bid and play. Its game has the classic rules (see
test_open_spiel.py) with the following differences, none of which makes its moves
illegal here:

1. Spades are never broken. The bot leads a spade only from a hand of nothing else
   and expects the same of others; a spade led otherwise is accepted.
2. Partners bid at most thirteen together. Higher bids of others count as thirteen.
3. The bot maximizes the points of its own side in this hand, regardless of the
   score of the opponents and of the end of the game.

Its game takes the last digit of a score as the number of bags, so it is given the
bags as the score. The bot supports classic rules only.
"""

from random import Random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from arena.blunders.inference import ALL_CARDS, bits_of, excluded_cards
from spades_core.cards import Card
from spades_core.deck import STANDARD
from spades_core.seats import SEATS, next_seat
from spades_core.views import SeatView

FIRST_BID = 52
"""Actions 0 to 51 are cards, numbered as in the standard deck; bids follow."""
EXPLORATION = 100.0
"""The exploration constant, in points: about what a bid or a nil wins or loses."""
GAME = pyspiel.load_game("spades")


class Search(ISMCTSBot):
    """A search whose nodes are the information sets of the player on turn."""

    def get_state_key(self, state: Any) -> tuple[object, ...]:
        history, player = state.history(), state.current_player()
        return player, frozenset(history[player:52:4]), tuple(history[52:])


class Ismcts:
    def __init__(self, simulations: int) -> None:
        self.simulations = simulations

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return self._action(view, rng) - FIRST_BID

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        return STANDARD.cards[self._action(view, rng)]

    def choose_pass(self, view: SeatView, _rng: Random) -> tuple[Card, Card]:
        return view.hand[0], view.hand[1]

    def _action(self, view: SeatView, rng: Random) -> int:
        random = np.random.RandomState(rng.getrandbits(32))
        search = Search(GAME, RandomRolloutEvaluator(1, random), EXPLORATION, self.simulations, random_state=random)
        search.set_resampler(lambda _state, _player: sample_state(view, rng))
        return int(search.step(sample_state(view, rng)))


def two_hundred() -> Ismcts:
    return Ismcts(200)


def sample_state(view: SeatView, rng: Random) -> Any:
    """Return a random state of the open_spiel game that agrees with the view."""
    assert view.dealer is not None
    first = next_seat(view.dealer)
    hands = {seat: bits_of(held) for seat, held in enumerate(sample_deal(view, rng))}
    state = GAME.new_initial_state()
    for index in range(52):  # its deck is dealt card by card, first to the player on the left of the dealer
        state.apply_action(hands[next_seat(first, index)][index // 4].bit_length() - 1)
    sides = view.sides[first & 1], view.sides[1 - (first & 1)]
    state.set_current_scores([side.bags for side in sides])
    bids = [view.seats[next_seat(first, step)].bid for step in range(4)]
    for step, bid in enumerate(bids):
        if bid is not None:
            most = 13 - (bids[step - 2] or 0) if step > 1 else 13
            state.apply_action(FIRST_BID + min(bid, most))
    for trick in (*view.tricks, *([view.trick] if view.trick else [])):
        for card in trick.cards:
            state.apply_action(STANDARD.cards.index(card))
    return state


def sample_deal(view: SeatView, rng: Random) -> list[int]:
    """Return four hands as they may have been dealt, as card masks by seat."""
    held = _sample_hands(view, rng)
    for trick in (*view.tricks, *([view.trick] if view.trick else [])):
        for step, card in enumerate(trick.cards):
            held[next_seat(trick.leader, step)] |= STANDARD.bit[card]
    return held


def _sample_hands(view: SeatView, rng: Random) -> list[int]:
    """Return four hands as they may be held now. Cards that the fewest seats can hold are dealt first."""
    assert view.you is not None
    seen = STANDARD.mask_of(view.hand) | STANDARD.mask_of(view.trick.cards if view.trick else ())
    for trick in view.tricks:
        seen |= STANDARD.mask_of(trick.cards)
    excluded, unseen = excluded_cards(view), bits_of(ALL_CARDS & ~seen)
    others = [seat for seat in SEATS if seat != view.you]
    while True:
        room = {seat: view.seats[seat].cards_left for seat in others}
        held = [0, 0, 0, 0]
        held[view.you] = STANDARD.mask_of(view.hand)
        rng.shuffle(unseen)
        for bit in sorted(unseen, key=lambda bit: sum(not bit & excluded[seat] for seat in others)):
            candidates = [seat for seat in others if room[seat] and not bit & excluded[seat]]
            if not candidates:
                break
            receiver = rng.choices(candidates, [room[seat] for seat in candidates])[0]
            held[receiver] |= bit
            room[receiver] -= 1
        else:
            return held
