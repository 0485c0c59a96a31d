"""The same deals, bids and cards through the spades of open_spiel, a peer written by others, and through the core.

It deals one hand at a time, and its first player bids and leads first. Three
things it does otherwise, and a fourth would fail here:

1. Its spades never break: to who leads and holds anything else, it offers no spade.
2. It allows no bid that makes more than thirteen together with the partner's.
3. It counts no bags but takes the last digit of the score for them, which is not
   their number while the score is below nought (-37 is -40 and 3 bags).
"""

from collections import Counter
from random import Random

import pytest

from spades_core.bots.levels import medium
from spades_core.cards import Card
from spades_core.commands import Command, DealHand, OpenTable, PlaceBid, PlayCard, StartGame
from spades_core.decide import decide
from spades_core.deck import STANDARD, shuffled
from spades_core.events import SideScore
from spades_core.evolve import evolve_all
from spades_core.legal import legal_bids, legal_cards
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS, Seat, next_seat
from spades_core.state import Hand, Table
from spades_core.views import view_for
from tests.scale import cases

HANDS = cases(1000, 5000)
FIRST_BID = 52
"""Its actions: 0 to 51 are cards, as they are numbered in our standard deck, and from here on bids."""


@pytest.fixture(scope="module")
def peer():
    try:
        import pyspiel
    except ImportError as problem:
        pytest.fail(f"open_spiel, the peer our rules are compared with, is not installed ({problem}): run `make test`")
    return pyspiel.load_game("spades")


class Comparison:
    """Games of ours, hand by hand also played by the peer; `seen` counts what happened and how both differ."""

    def __init__(self, peer, rng: Random) -> None:
        self.peer, self.rng, self.seen = peer, rng, Counter()
        self.table = Table()
        self.do(OpenTable("HRTJK", CLASSIC, "secret", "Mara"))

    def do(self, command: Command) -> None:
        self.table = evolve_all(self.table, decide(self.table, command))

    @property
    def hand(self) -> Hand:
        assert self.table.game is not None
        assert self.table.game.hand is not None
        return self.table.game.hand

    def play_hand(self) -> None:
        if self.table.phase in ("lobby", "over"):
            self.do(StartGame(SEATS[0], self.rng.choice(SEATS)))
        game = self.table.game
        assert game is not None
        deck, first = shuffled(self.rng), next_seat(game.next_dealer)
        state = self.peer.new_initial_state()
        for place in range(52):
            # It deals card by card, we deal hand by hand.
            seat = next_seat(first, place)
            state.apply_action(number_of(deck[13 * seat + place // 4]))
        sides = (first & 1, 1 - first & 1)
        state.set_current_scores([game.scores[side] for side in sides])
        self.do(DealHand(deck))
        self.bid(state, first)
        self.play(state, first)
        scored = self.table.game.sheet[-1]
        assert taken_by(state) == [scored.taken[next_seat(first, step)] for step in range(4)]
        for player, side in enumerate(sides):
            self.compare_score(scored.sides[side], game.scores[side], game.bags[side], state.returns()[player])
        self.seen["hands"] += 1

    def bid(self, state, first: Seat) -> None:
        wild = self.rng.random() < 0.2
        for step in range(4):
            seat = next_seat(first, step)
            assert (self.hand.turn, state.current_player()) == (seat, step)
            allowed = legal_bids(CLASSIC, self.hand, seat)
            partner = self.hand.bids[next_seat(seat, 2)] or 0
            theirs = tuple(action - FIRST_BID for action in state.legal_actions())
            assert theirs == tuple(bid for bid in allowed if bid + partner <= 13)
            self.seen["bids missing"] += len(allowed) - len(theirs)
            bid = self.rng.choice(theirs) if wild else medium.choose_bid(view_for(seat, self.table), self.rng)
            self.do(PlaceBid(seat, bid))
            state.apply_action(FIRST_BID + bid)

    def play(self, state, first: Seat) -> None:
        broken = False
        for _ in range(52):
            hand, seat = self.hand, self.hand.turn
            assert state.current_player() == (seat - first) & 3
            allowed = STANDARD.cards_in(legal_cards(CLASSIC, hand, seat))
            theirs = [name_of(action) for action in state.legal_actions()]
            if not hand.trick and broken and any(card[1] != "S" for card in allowed):
                self.seen["broken spades missing"] += len(allowed) > len(theirs)
                assert theirs == [card for card in allowed if card[1] != "S"]
            else:
                assert theirs == list(allowed)
            card = self.rng.choice(allowed)
            broken |= bool(hand.trick) and card[1] == "S" != hand.trick[0][1]
            self.do(PlayCard(seat, card))
            state.apply_action(number_of(card))
        assert state.is_terminal()

    def compare_score(self, ours: SideScore, score: int, bags: int, theirs: float) -> None:
        for line in ours.lines:
            self.seen[line.kind] += 1
        penalties = sum(line.points for line in ours.lines if line.kind == "bag_penalty")
        if score >= 0:
            assert theirs == ours.points
            self.seen["penalties at a score from nought"] += penalties < 0
            return
        over = max(0, ours.taken - ours.contract)
        digit = -(-score % 10)
        assert theirs == ours.points - penalties - 100 * (max(0, digit + over) // 10)
        if theirs != ours.points:
            assert bags != digit
            self.seen["penalties different"] += 1


def number_of(card: Card) -> int:
    return STANDARD.bit[card].bit_length() - 1


def name_of(action: int) -> Card:
    return STANDARD.cards[action]


def taken_by(state) -> list[int]:
    """The tricks of its players, which it only prints."""
    lines = str(state).split("Tricks taken:")[1].split("\n")
    return [int(word) for word in lines[3].split()]


def test_cards_and_bids_are_numbered_as_we_think(peer) -> None:
    state = peer.new_initial_state()
    assert [state.action_to_string(action)[::-1] for action in range(52)] == list(STANDARD.cards)
    assert [state.action_to_string(FIRST_BID + bid) for bid in range(14)] == ["Nil", *map(str, range(1, 14))]


def test_both_play_the_same_spades_but_for_what_is_named(peer, capsys: pytest.CaptureFixture[str]) -> None:
    comparison = Comparison(peer, Random(1938))
    while comparison.seen["hands"] < HANDS:
        comparison.play_hand()
    seen = comparison.seen
    with capsys.disabled():
        print("\nopen_spiel and the core: " + ", ".join(f"{count} {what}" for what, count in seen.items()))
    for difference in ("broken spades missing", "bids missing", "penalties different"):
        assert seen[difference] > 10, difference
    for same in ("penalties at a score from nought", "nil_made", "nil_failed", "contract_made", "contract_set"):
        assert seen[same] > HANDS // 50, same
