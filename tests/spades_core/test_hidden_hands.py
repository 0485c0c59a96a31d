"""What each viewer is told, in a thousand games: nothing it may not know, and enough to see what it sees.

The check is itself put to the test: leaks are planted, and it must find each.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import lru_cache
from random import Random

import pytest

from spades_core import views
from spades_core.cards import SPADES, Card, cards_in
from spades_core.events import HandDealt, HandReceived, LoggedEvent, SeatTaken
from spades_core.evolve import evolve
from spades_core.legal import legal_cards
from spades_core.protocol.codec import to_plain
from spades_core.seats import SEATS, Seat, partner_of
from spades_core.state import Table
from tests.spades_core.random_games import Commit, play_game

VIEWERS: tuple[Seat | None, ...] = (*SEATS, None)
GAMES = 1000
A_CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")
A_SET_OF_CARDS = re.compile(r"[0-9]{5}")
"""No score is that long; a mask of cards in bits is."""
VIEW_FIELDS = tuple(field.name for field in fields(views.SeatView) if field.name != "tricks")


def cards_named(values: Iterable[object]) -> set[str]:
    """The cards named anywhere in these values as they go over the wire, where nothing else secret may be either."""
    return set().union(*map(_cards_named_in, values))


@lru_cache(maxsize=50_000)
def _cards_named_in(value: object) -> frozenset[str]:
    text = json.dumps(to_plain(value), ensure_ascii=False)
    assert not A_SET_OF_CARDS.search(text), "a number that may be a set of cards"
    assert "secret" not in text, "somebody's identity"
    return frozenset(A_CARD.findall(text))


class Viewer:
    """One seat, or somebody without one: what it was told, and what it may know."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.told = Table()
        self.dealt: set[str] = set()
        self.played: set[str] = set()

    def sees(self, commit: Commit) -> int:
        """Checks one commit; returns how many cards were named."""
        events = [views.redact(self.seat, event) for event in commit.events]
        for event, seen in zip(commit.events, events, strict=True):
            self._learns(event)
            self.told = evolve(self.told, seen)
        view = views.view_for(self.seat, commit.after)
        assert view == views.view_for(self.seat, self.told), "the view is not what was told"
        named = cards_named((*events, *view.tricks, *(getattr(view, name) for name in VIEW_FIELDS)))
        assert named <= self.dealt | self.played, f"seat {self.seat} is told of {named - self.dealt - self.played}"
        return len(named)

    def _learns(self, event: LoggedEvent) -> None:
        if event.t == "hand_dealt":
            self.dealt = set() if self.seat is None else set(event.hands[self.seat])
            self.played = set()
        elif event.t == "card_played":
            self.played.add(event.card)


def watch(seed: int) -> tuple[int, int]:
    """One whole game under the eyes of all five viewers: its commits and how many cards were named."""
    viewers, commits, named = [Viewer(seat) for seat in VIEWERS], 0, 0
    for commit in play_game(Random(seed)):
        commits += 1
        named += sum(viewer.sees(commit) for viewer in viewers)
    assert commits > 50
    return commits, named


@pytest.mark.rule("R15", "R70")
def test_a_thousand_games_tell_nobody_what_they_may_not_know() -> None:
    commits = 0
    for seed in range(GAMES):
        commits += watch(seed)[0]
    assert commits > 60 * GAMES


def test_the_check_does_see_cards() -> None:
    commits, named = watch(1)
    assert named > 5 * 10 * commits


# Planted leaks: each changes what is told or shown, and must be found within a few games.

view_for, redact = views.view_for, views.redact


def _held(seat: Seat, table: Table) -> int:
    return table.game.hand.held[seat] if table.game and table.game.hand else 0


def spectator_sees_the_dealers_hand(seat, table):
    view = view_for(seat, table)
    return view if seat is not None or view.dealer is None else view_for(view.dealer, table)


def partner_hand_beside_the_own(seat, table):
    view = view_for(seat, table)
    return view if seat is None else replace(view, hand=view.hand + cards_in(_held(partner_of(seat), table)))


def cards_left_counted_in_the_hands(seat, table):
    view = view_for(seat, table)
    seats = tuple(replace(seen, cards_left=_held(SEATS[at], table).bit_count()) for at, seen in enumerate(view.seats))
    return replace(view, seats=seats)


def sort_order_that_knows_the_next_hand(seat, table):
    view = view_for(seat, table)
    if seat is None or not _held(SEATS[(seat + 1) & 3], table) & SPADES:
        return view
    return replace(view, hand=view.hand[::-1])


def legal_cards_of_whoever_is_on_turn(seat, table):
    view = view_for(seat, table)
    if table.phase != "playing" or table.turn is None:
        return view
    assert table.game is not None
    assert table.game.hand is not None
    return replace(view, legal_cards=cards_in(legal_cards(table.game.hand, table.turn)))


def name_that_counts_spades(seat, table):
    view = view_for(seat, table)
    first = replace(view.seats[0], name=f"{view.seats[0].name} {(_held(SEATS[0], table) & SPADES).bit_count()}")
    return replace(view, seats=(first, *view.seats[1:]))


def sentence_that_knows_a_void(seat, table):
    view = view_for(seat, table)
    return replace(view, barred="Somebody has no spade.") if _held(SEATS[0], table) & SPADES else view


def mask_of_the_next_hand(seat, table):
    view = view_for(seat, table)
    return view if seat is None else replace(view, hand_number=_held(SEATS[(seat + 1) & 3], table))


def the_deal_itself(_seat, event):
    return event


def the_partners_cards(seat, event):
    seen = redact(seat, event)
    if seat is None or not isinstance(event, HandDealt):
        return seen
    return replace(seen, cards=event.hands[partner_of(seat)])


def a_card_too_many(seat, event):
    seen = redact(seat, event)
    if not isinstance(seen, HandReceived) or not isinstance(event, HandDealt):
        return seen
    return replace(seen, cards=(*seen.cards, event.hands[seen.dealer][0]))


def somebodys_identity(seat, event):
    return event if isinstance(event, SeatTaken) else redact(seat, event)


def a_card_before_it_is_played(seat, event):
    seen = redact(seat, event)
    return replace(seen, cards=(Card("AS"),)) if isinstance(seen, HandReceived) and seat is None else seen


@pytest.mark.parametrize(
    "leak",
    [
        spectator_sees_the_dealers_hand,
        partner_hand_beside_the_own,
        cards_left_counted_in_the_hands,
        sort_order_that_knows_the_next_hand,
        legal_cards_of_whoever_is_on_turn,
        name_that_counts_spades,
        sentence_that_knows_a_void,
        mask_of_the_next_hand,
    ],
)
def test_a_leak_in_the_view_is_found(leak: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "view_for", leak)
    _found()


@pytest.mark.parametrize(
    "leak", [the_deal_itself, the_partners_cards, a_card_too_many, somebodys_identity, a_card_before_it_is_played]
)
def test_a_leak_in_what_is_told_is_found(leak: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "redact", leak)
    _found()


def _found() -> None:
    with pytest.raises(AssertionError, match=r"view is not what|is told of|set of cards|identity"):
        _watch_some()


def _watch_some() -> None:
    for seed in range(5):
        watch(seed)
