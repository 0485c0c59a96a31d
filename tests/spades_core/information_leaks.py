"""The check for information leaks: five viewers follow every step of a game and must not be sent a hidden card."""

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
    """Return the cards named anywhere in the serialized values, and check that they contain no other secret."""
    return set().union(*map(_cards_named_in, values))


@lru_cache(maxsize=50_000)
def _cards_named_in(value: object) -> frozenset[str]:
    text = json.dumps(to_builtins(value), ensure_ascii=False)
    assert not A_SET_OF_CARDS.search(text), "a number that may be a set of cards"
    assert "secret" not in text, "somebody's identity"
    return frozenset(A_CARD.findall(text))


class Viewer:
    """A seat, or a viewer without one. `told` is the table as it was sent, `own` and `played` the cards it may know."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.told = Table()
        self.own: set[str] = set()
        self.played: set[str] = set()

    def follow(self, step: Step) -> int:
        """Check one step and return the number of cards named in what the viewer is sent."""
        events = [views.redact(self.seat, event) for event in step.events]
        for event, seen in zip(step.events, events, strict=True):
            self._learn(event)
            self.told = evolve(self.told, seen)
        view = views.view_for(self.seat, step.after)
        assert view == views.view_for(self.seat, self.told), "the view is not what was told"
        named = cards_named((*events, *view.tricks, *(getattr(view, name) for name in VIEW_FIELDS)))
        assert named <= self.own | self.played, f"seat {self.seat} is sent {named - self.own - self.played}"
        return len(named)

    def _learn(self, event: LoggedEvent) -> None:
        """Add the cards dealt to the viewer, once it may look at them, those passed by or to it, and those played."""
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
    """What happened in a game, counted."""

    steps: int = 0
    named: int = 0
    face_down: int = 0
    passed: int = 0
    voided: int = 0


def check_game(seed: int, rules: RuleSet | None = None) -> GameCounts:
    """Play a game with all five viewers. Without `rules` they are drawn, for two hands at most."""
    viewers, counts, rng = [Viewer(seat) for seat in VIEWERS], GameCounts(), Random(seed)
    often_blind = {"blind_nil": "swap"} if seed % 3 == 0 else {}
    for step in play_game(rng, rules or draw_rules(rng, hand_limit=2, **often_blind)):
        counts.steps += 1
        counts.named += sum(viewer.follow(step) for viewer in viewers)
        for event in step.events:
            counts.face_down += event.t == "hand_dealt" and any(event.face_down)
            counts.passed += event.t == "cards_passed"
            counts.voided += event.t == "hand_voided"
            _check_leader_announcement(step, event)
    assert counts.steps > 50
    return counts


def _check_leader_announcement(step: Step, event: LoggedEvent) -> None:
    """The leader may give away the holder of a card, so it is announced only when all have bid and passed."""
    if event.t == "play_began":
        assert step.after.phase == "playing", "the leader is announced too early"
    elif event.t in ("bid_placed", "cards_passed") and step.after.phase == "playing":
        assert "play_began" in [other.t for other in step.events]
