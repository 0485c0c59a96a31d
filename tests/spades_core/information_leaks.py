"""Viewers at a table: what each was told and may know. They check every commit of a game."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from random import Random

from spades_core import views
from spades_core.events import LoggedEvent
from spades_core.evolve import evolve
from spades_core.protocol.codec import to_builtins
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS, Seat
from spades_core.state import Table
from tests.spades_core.random_games import Step, play_game
from tests.spades_core.rule_sets import draw_rules

VIEWERS: tuple[Seat | None, ...] = (*SEATS, None)
A_CARD = re.compile(r"\b(?:[2-9TJQKA][CDHS]|[LB]S)\b")
A_SET_OF_CARDS = re.compile(r"[0-9]{5}")
"""No score is that long; a mask of cards in bits is."""
VIEW_FIELDS = tuple(field.name for field in fields(views.SeatView) if field.name != "tricks")


def cards_named(values: Iterable[object]) -> set[str]:
    """The cards named anywhere in these values as they go over the wire, where nothing else secret may be either."""
    return set().union(*map(_cards_named_in, values))


@lru_cache(maxsize=50_000)
def _cards_named_in(value: object) -> frozenset[str]:
    text = json.dumps(to_builtins(value), ensure_ascii=False)
    assert not A_SET_OF_CARDS.search(text), "a number that may be a set of cards"
    assert "secret" not in text, "somebody's identity"
    return frozenset(A_CARD.findall(text))


class Viewer:
    """One seat, or somebody without one: what it was told, and what it may know."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.told = Table()
        self.own: set[str] = set()
        self.played: set[str] = set()

    def sees(self, step: Step) -> int:
        """Checks one commit; returns how many cards were named."""
        events = [views.redact(self.seat, event) for event in step.events]
        for event, seen in zip(step.events, events, strict=True):
            self._learns(event)
            self.told = evolve(self.told, seen)
        view = views.view_for(self.seat, step.after)
        assert view == views.view_for(self.seat, self.told), "the view is not what was told"
        named = cards_named((*events, *view.tricks, *(getattr(view, name) for name in VIEW_FIELDS)))
        assert named <= self.own | self.played, f"seat {self.seat} is told of {named - self.own - self.played}"
        return len(named)

    def _learns(self, event: LoggedEvent) -> None:
        """The cards dealt to it, once it may look at them, those it gave or got, and those played."""
        if event.t == "hand_dealt":
            hidden = self.seat is None or event.face_down[self.seat]
            self.own = set() if hidden else set(event.hands[self.seat])
            self.played = set()
        elif event.t == "hand_looked_at" and event.seat == self.seat:
            self.own = set(event.cards)
        elif event.t == "cards_passed" and self.seat in (event.seat, event.to):
            self.own |= set(event.cards)
        elif event.t == "card_played":
            self.played.add(event.card)


@dataclass
class GameCounts:
    """What there was to see in a game."""

    commits: int = 0
    named: int = 0
    face_down: int = 0
    passed: int = 0
    voided: int = 0


def check_game(seed: int, rules: RuleSet | None = None) -> GameCounts:
    """A game under the eyes of all five viewers; without rules, they are drawn and it has two hands at most."""
    viewers, watched, rng = [Viewer(seat) for seat in VIEWERS], GameCounts(), Random(seed)
    often_blind = {"blind_nil": "swap"} if seed % 3 == 0 else {}
    for step in play_game(rng, rules or draw_rules(rng, hand_limit=2, **often_blind)):
        watched.commits += 1
        watched.named += sum(viewer.sees(step) for viewer in viewers)
        for event in step.events:
            watched.face_down += event.t == "hand_dealt" and any(event.face_down)
            watched.passed += event.t == "cards_passed"
            watched.voided += event.t == "hand_voided"
            _leader_is_told_in_time(step, event)
    assert watched.commits > 50
    return watched


def _leader_is_told_in_time(step: Step, event: LoggedEvent) -> None:
    """Who leads may give away who holds a card, so it is told when all have bid and passed, and the hand it tells."""
    if event.t == "play_began":
        assert step.after.phase == "playing", "the leader is told of too early"
    elif event.t in ("bid_placed", "cards_passed") and step.after.phase == "playing":
        assert "play_began" in [other.t for other in step.events]
