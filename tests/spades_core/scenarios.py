"""Scenarios: a table, the commands or events that it is given, and the events or refusals that follow.

A hand is written suit by suit, "S AKQ H 432 D T9 C 2". `deal` completes the hands
with the cards that are not named, in the order of the deck.
"""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from spades_core.cards import Card, parse_card
from spades_core.commands import (
    Command,
    CommandRefused,
    DealHand,
    LookAtHand,
    OpenTable,
    PassCards,
    PlaceBid,
    PlayCard,
    StartGame,
    TakeSeat,
)
from spades_core.decide import decide
from spades_core.deck import DECKS, STANDARD, Deck
from spades_core.events import HandScored, LoggedEvent, SideScore
from spades_core.evolve import evolve, evolve_all
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.seats import SEATS, BySide, Seat
from spades_core.state import Hand, Table
from spades_core.views import SeatView, view_for

NAMES = ("Mara", "Ben", "Cleo", "Dan")
PLAYERS = ("secret-of-mara", "secret-of-ben", "secret-of-cleo", "secret-of-dan")


def cards(notation: str) -> tuple[Card, ...]:
    """ "S AK H 2" or, for single cards, "AS KS 2H"."""
    words = notation.split()
    if words and words[0] in "SHDC":
        return tuple(
            parse_card(rank + suit) for suit, ranks in zip(words[::2], words[1::2], strict=True) for rank in ranks
        )
    return tuple(parse_card(word) for word in words)


def deal(*hands: str, deck: Deck = STANDARD) -> tuple[Card, ...]:
    """Return a deck that deals these hands to seats 0 to 3, completed by the other cards, lowest clubs first."""
    named = [list(cards(hand)) for hand in (*hands, "", "", "", "")[:4]]
    used = [card for hand in named for card in hand]
    assert len(used) == len(set(used)), "a card is dealt twice"
    rest = [card for card in deck.cards if card not in used]
    order: list[Card] = []
    for hand in named:
        assert len(hand) <= 13, "more than 13 cards"
        missing = 13 - len(hand)
        order += hand + rest[:missing]
        rest = rest[missing:]
    return tuple(order)


SUIT_EACH = deal("S AKQJT98765432", "H AKQJT98765432", "D AKQJT98765432", "C AKQJT98765432")
"""A deck in which seat 0 holds the spades, and so takes every trick."""


class Scenario:
    """A table and the log of its events."""

    def __init__(self, table: Table = Table()) -> None:  # noqa: B008 (a value, never changed)
        self.table = table
        self.log: list[LoggedEvent] = []

    def given(self, *events: LoggedEvent) -> "Scenario":
        self.table = evolve_all(self.table, events)
        self.log += events
        return self

    def do(self, *commands: Command) -> tuple[LoggedEvent, ...]:
        """Carry out commands and return the events of the last one."""
        events: tuple[LoggedEvent, ...] = ()
        for command in commands:
            events = decide(self.table, command)
            self.given(*events)
        return events

    def refuses(self, command: Command, code: str) -> str:
        """Check that a command is refused and changes nothing; return the sentence of the refusal."""
        before, text = self.table, repr(self.table)
        with pytest.raises(CommandRefused) as refusal:
            decide(self.table, command)
        assert self.table is before
        assert repr(self.table) == text
        assert refusal.value.code == code
        assert refusal.value.text.endswith(".")
        return refusal.value.text

    def bid(self, *bids: int) -> tuple[LoggedEvent, ...]:
        """Bid in turn; return the events of the last bid."""
        events: tuple[LoggedEvent, ...] = ()
        for bid in bids:
            assert self.table.turn is not None
            events = self.do(PlaceBid(self.table.turn, bid))
        return events

    def look(self) -> tuple[LoggedEvent, ...]:
        """Turn up the hand of the seat whose turn it is."""
        assert self.table.turn is not None
        return self.do(LookAtHand(self.table.turn))

    def bid_blind(self) -> tuple[LoggedEvent, ...]:
        """Bid blind nil for the seat whose turn it is."""
        assert self.table.turn is not None
        return self.do(PlaceBid(self.table.turn, 0, blind=True))

    def pass_on(self, *pairs: str) -> tuple[LoggedEvent, ...]:
        """Pass two cards, "AS KS", in turn; return the events of the last pass."""
        events: tuple[LoggedEvent, ...] = ()
        for pair in pairs:
            assert self.table.turn is not None
            events = self.do(PassCards(self.table.turn, cards(pair)))
        return events

    def play(self, notation: str) -> tuple[LoggedEvent, ...]:
        """Play cards in turn; return the events of the last card."""
        events: tuple[LoggedEvent, ...] = ()
        for card in cards(notation):
            assert self.table.turn is not None
            events = self.do(PlayCard(self.table.turn, card))
        return events

    def play_out(self) -> tuple[LoggedEvent, ...]:
        """Play the rest of the hand, always the lowest legal card."""
        events: tuple[LoggedEvent, ...] = ()
        while self.table.phase == "playing":
            assert self.table.turn is not None
            events = self.do(PlayCard(self.table.turn, self.view(self.table.turn).legal_cards[0]))
        return events

    def view(self, seat: int | None) -> SeatView:
        return view_for(None if seat is None else SEATS[seat], self.table)

    @property
    def hand(self) -> Hand:
        assert self.table.game is not None
        assert self.table.game.hand is not None
        return self.table.game.hand


def seated(rules: RuleSet = CLASSIC, people: int = 4) -> Scenario:
    """A table with Mara, the host, and friends; the game has not begun."""
    scenario = Scenario()
    scenario.do(OpenTable("HRTJK", rules, PLAYERS[0], NAMES[0]))
    for seat in SEATS[1:people]:
        scenario.do(TakeSeat(PLAYERS[seat], NAMES[seat], seat))
    return scenario


def started(rules: RuleSet = CLASSIC, dealer: int = 3, people: int = 4) -> Scenario:
    """A table whose game has begun; with dealer 3, seat 0 bids and leads first."""
    scenario = seated(rules, people)
    scenario.do(StartGame(SEATS[0], SEATS[dealer]))
    return scenario


def dealt(*hands: str, dealer: int = 3, rules: RuleSet = CLASSIC) -> Scenario:
    scenario = started(rules, dealer)
    scenario.do(DealHand(deal(*hands, deck=DECKS[rules.deck])))
    return scenario


def after_hands(
    scores: BySide[int], bags: BySide[int] = (0, 0), hands: int = 1, rules: RuleSet = CLASSIC, dealer: int = 3
) -> Scenario:
    """A table whose game stands at these scores and bags after some hands."""
    scenario = started(rules, dealer)
    for number in range(1, hands + 1):
        ours, theirs = (SideScore(0, 0, 0, (), 0, scores[side], bags[side]) for side in (0, 1))
        scenario.given(HandScored(number, (0, 0, 0, 0), (0, 0, 0, 0), (ours, theirs)))
    return scenario


def play_sweep(scenario: Scenario, *bids: int) -> tuple[LoggedEvent, ...]:
    """Play a hand in which seat 0 takes all tricks, with `bids` by seat; return the events of its last card."""
    scenario.do(DealHand(SUIT_EACH))
    by_turn = [bids[(scenario.hand.turn + step) & 3] for step in range(4)]
    scenario.bid(*by_turn)
    return scenario.play_out()


def replayed(log: Iterable[LoggedEvent]) -> Table:
    table = Table()
    for event in log:
        table = evolve(table, event)
    return table


def with_hidden_cards_redealt(table: Table, seat: Seat, rng: Random) -> Table:
    """Return the table with the cards of the other three seats dealt again among them."""
    assert table.game is not None
    hand = table.game.hand
    assert hand is not None
    held = list(hand.held)
    others = [other for other in SEATS if other != seat]
    pool = [1 << place for other in others for place in range(52) if held[other] >> place & 1]
    rng.shuffle(pool)
    for other in others:
        count = held[other].bit_count()
        held[other], pool = sum(pool[:count]), pool[count:]
    swapped = replace(hand, held=(held[0], held[1], held[2], held[3]))
    return replace(table, game=replace(table.game, hand=swapped))
