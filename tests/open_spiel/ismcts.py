"""The information-set tree search of open_spiel as a bot for the arena.

    spades arena --a medium --b tests.open_spiel.ismcts:two_hundred --deals 20

It is `open_spiel.python.algorithms.ismcts` with its random rollouts, playing the
spades of open_spiel. Its game can neither name an information set nor draw worlds
from one, so both are ours: a set is a seat, the cards dealt to it and all that
was bid and played; a world deals the cards it cannot see anew, to whoever was not
shown to lack their suit. It sees its view and nothing else.

What it bids and plays is what its search found; nothing here chooses for it. Its
game is ours in classic rules (see test_open_spiel.py) but for these things, and
none of them makes a move of it illegal here:

1. Spades never break. It leads one only from a hand of nothing else, and believes
   the same of others; one that somebody led all the same is played on.
2. Partners bid no more than thirteen together. It does so, and takes what others
   bid beyond for thirteen.
3. It plays for the points of its own side in this hand: neither what the others
   score nor the end of the game is anything to it.

For the bags its game takes the last digit of a score, so it is given those for a
score. It plays classic rules only.
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
"""Its actions: 0 to 51 are cards, as they are numbered in our standard deck, and from here on bids."""
EXPLORATION = 100.0
"""In points, as is what it weighs this against: about what bids and nils win and lose."""
GAME = pyspiel.load_game("spades")


class Search(ISMCTSBot):
    """Tells positions apart by what the player on turn knows."""

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
        search.set_resampler(lambda _state, _player: world(view, rng))
        return int(search.step(world(view, rng)))


def two_hundred() -> Ismcts:
    return Ismcts(200)


def world(view: SeatView, rng: Random) -> Any:
    """A state of its game as it may be, given the view."""
    assert view.dealer is not None
    first = next_seat(view.dealer)
    hands = {seat: bits_of(held) for seat, held in enumerate(dealt(view, rng))}
    state = GAME.new_initial_state()
    for place in range(52):  # card by card, and its first player is ours left of the dealer
        state.apply_action(hands[next_seat(first, place)][place // 4].bit_length() - 1)
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


def dealt(view: SeatView, rng: Random) -> list[int]:
    """The four hands as they may have been dealt: what was played, and what is unseen dealt anew."""
    held = _held(view, rng)
    for trick in (*view.tricks, *([view.trick] if view.trick else [])):
        for step, card in enumerate(trick.cards):
            held[next_seat(trick.leader, step)] |= STANDARD.bit[card]
    return held


def _held(view: SeatView, rng: Random) -> list[int]:
    """What each seat may hold now; cards that fewest may hold are given first, and a dead end begins anew."""
    assert view.you is not None
    seen = STANDARD.mask_of(view.hand) | STANDARD.mask_of(view.trick.cards if view.trick else ())
    for trick in view.tricks:
        seen |= STANDARD.mask_of(trick.cards)
    lacks, unseen = excluded_cards(view), bits_of(ALL_CARDS & ~seen)
    others = [seat for seat in SEATS if seat != view.you]
    while True:
        room = {seat: view.seats[seat].cards_left for seat in others}
        held = [0, 0, 0, 0]
        held[view.you] = STANDARD.mask_of(view.hand)
        rng.shuffle(unseen)
        for bit in sorted(unseen, key=lambda bit: sum(not bit & lacks[seat] for seat in others)):
            takers = [seat for seat in others if room[seat] and not bit & lacks[seat]]
            if not takers:
                break
            taker = rng.choices(takers, [room[seat] for seat in takers])[0]
            held[taker] |= bit
            room[taker] -= 1
        else:
            return held
