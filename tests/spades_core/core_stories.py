"""Stories about a table: hands in notation, given events, when commands, then events or a refusal.

A hand is written suit by suit, "S AKQ H 432 D T9 C 2". Cards not named are dealt
by `deal` in the order of the deck to whoever lacks some.
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
    """A deck that gives seats 0 to 3 these hands; what is not named fills them up, lowest clubs first."""
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
"""Seat 0 holds the spades and takes every trick, whatever is bid and played."""


class Story:
    """A table as it goes, and the log of what happened."""

    def __init__(self, table: Table = Table()) -> None:  # noqa: B008 (a value, never changed)
        self.table = table
        self.log: list[LoggedEvent] = []

    def given(self, *events: LoggedEvent) -> "Story":
        self.table = evolve_all(self.table, events)
        self.log += events
        return self

    def do(self, *commands: Command) -> tuple[LoggedEvent, ...]:
        """The events of the last command."""
        events: tuple[LoggedEvent, ...] = ()
        for command in commands:
            events = decide(self.table, command)
            self.given(*events)
        return events

    def refuses(self, command: Command, code: str) -> str:
        """The sentence of the refusal; nothing has changed after it."""
        before, text = self.table, repr(self.table)
        with pytest.raises(CommandRefused) as refusal:
            decide(self.table, command)
        assert self.table is before
        assert repr(self.table) == text
        assert refusal.value.code == code
        assert refusal.value.text.endswith(".")
        return refusal.value.text

    def bid(self, *bids: int) -> tuple[LoggedEvent, ...]:
        """Bids by whoever's turn it is; the events of the last one."""
        events: tuple[LoggedEvent, ...] = ()
        for bid in bids:
            assert self.table.turn is not None
            events = self.do(PlaceBid(self.table.turn, bid))
        return events

    def look(self) -> tuple[LoggedEvent, ...]:
        """Whoever's turn it is turns up its hand."""
        assert self.table.turn is not None
        return self.do(LookAtHand(self.table.turn))

    def bid_blind(self) -> tuple[LoggedEvent, ...]:
        """Blind nil by whoever's turn it is."""
        assert self.table.turn is not None
        return self.do(PlaceBid(self.table.turn, 0, blind=True))

    def pass_on(self, *pairs: str) -> tuple[LoggedEvent, ...]:
        """Two cards to the partner, "AS KS", by whoever's turn it is; the events of the last."""
        events: tuple[LoggedEvent, ...] = ()
        for pair in pairs:
            assert self.table.turn is not None
            events = self.do(PassCards(self.table.turn, cards(pair)))
        return events

    def play(self, notation: str) -> tuple[LoggedEvent, ...]:
        """Cards played by whoever's turn it is; the events of the last one."""
        events: tuple[LoggedEvent, ...] = ()
        for card in cards(notation):
            assert self.table.turn is not None
            events = self.do(PlayCard(self.table.turn, card))
        return events

    def play_out(self) -> tuple[LoggedEvent, ...]:
        """The rest of the hand, lowest legal card first."""
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


def seated(rules: RuleSet = CLASSIC, people: int = 4) -> Story:
    """Mara, the host, and friends at a table; the game has not begun."""
    story = Story()
    story.do(OpenTable("HRTJK", rules, PLAYERS[0], NAMES[0]))
    for seat in SEATS[1:people]:
        story.do(TakeSeat(PLAYERS[seat], NAMES[seat], seat))
    return story


def started(rules: RuleSet = CLASSIC, dealer: int = 3, people: int = 4) -> Story:
    """A game has begun; with dealer 3, seat 0 bids and leads first."""
    story = seated(rules, people)
    story.do(StartGame(SEATS[0], SEATS[dealer]))
    return story


def dealt(*hands: str, dealer: int = 3, rules: RuleSet = CLASSIC) -> Story:
    story = started(rules, dealer)
    story.do(DealHand(deal(*hands, deck=DECKS[rules.deck])))
    return story


def after_hands(
    scores: BySide[int], bags: BySide[int] = (0, 0), hands: int = 1, rules: RuleSet = CLASSIC, dealer: int = 3
) -> Story:
    """A game that stands at these scores and bags after some hands."""
    story = started(rules, dealer)
    for number in range(1, hands + 1):
        ours, theirs = (SideScore(0, 0, 0, (), 0, scores[side], bags[side]) for side in (0, 1))
        story.given(HandScored(number, (0, 0, 0, 0), (0, 0, 0, 0), (ours, theirs)))
    return story


def play_sweep(story: Story, *bids: int) -> tuple[LoggedEvent, ...]:
    """One hand in which seat 0 takes all thirteen tricks; `bids` by seat. The events of its last card."""
    story.do(DealHand(SUIT_EACH))
    by_turn = [bids[(story.hand.turn + step) & 3] for step in range(4)]
    story.bid(*by_turn)
    return story.play_out()


def replayed(log: Iterable[LoggedEvent]) -> Table:
    table = Table()
    for event in log:
        table = evolve(table, event)
    return table


def with_unseen_swapped(table: Table, seat: Seat, rng: Random) -> Table:
    """The same table, the cards the other three hold dealt anew among them."""
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
