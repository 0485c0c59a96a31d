"""Where evolve calls constructors with every field, for speed, it keeps the fields that do not change."""

from dataclasses import fields, replace
from typing import Any

import pytest

from spades_core.cards import Card
from spades_core.deck import STANDARD
from spades_core.events import CardPlayed, TrickTaken
from spades_core.evolve import evolve
from spades_core.ruleset import CASUAL
from spades_core.seats import SEATS
from spades_core.state import Game, Hand, Occupant, Table, Trick

HELD = tuple(STANDARD.mask_of(cards) for cards in (("2C", "AS"), ("3C",), ("4D",), ("5D", "KS")))
HAND = Hand(
    number=7,
    dealer=SEATS[2],
    held=HELD,
    turn=SEATS[3],
    leader=SEATS[1],
    bids=(1, 2, 3, 4),
    face_down=(True, False, False, False),
    blind=(False, True, False, False),
    to_pass=(SEATS[1],),
    taken=(4, 3, 2, 1),
    trick=(Card("TH"), Card("JH")),
    tricks=(Trick(SEATS[0], (Card("AC"),), SEATS[0]),),
    broken=False,
    passed=((Card("QH"), Card("QD")), (), (), ()),
)
GAME = Game(SEATS[1], (10, 20), (3, 4), ("a sheet",), HAND, (True, False, True, False), "an outcome")
TABLE = Table("HRTJK", CASUAL, (Occupant("Mara", "secret"), None, None, None), SEATS[0], GAME)


@pytest.mark.parametrize("value", [HAND, GAME, TABLE])
def test_no_field_of_the_example_is_left_at_its_default(value) -> None:
    example: Any = type(value)
    least = {Hand: (0, SEATS[0], (0, 0, 0, 0), SEATS[0], SEATS[0]), Game: (SEATS[0],), Table: ()}[example]
    plain = example(*least)
    same = [field.name for field in fields(example) if getattr(value, field.name) == getattr(plain, field.name)]
    assert same == (["broken"] if example is Hand else []), "a ruff sets it"


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (
            CardPlayed(SEATS[3], Card("KS")),
            {
                "held": (*HELD[:3], STANDARD.bit[Card("5D")]),
                "trick": (*HAND.trick, "KS"),
                "turn": 0,
                "broken": True,
            },
        ),
        (
            TrickTaken(SEATS[3]),
            {
                "taken": (4, 3, 2, 2),
                "tricks": (*HAND.tricks, Trick(SEATS[1], HAND.trick, SEATS[3])),
                "trick": (),
                "leader": 3,
                "turn": 3,
            },
        ),
    ],
)
@pytest.mark.parametrize("broken", [True, False])
def test_only_the_expected_fields_change(event, changes, broken) -> None:
    hand = replace(HAND, broken=broken)
    table = replace(TABLE, game=replace(GAME, hand=hand))
    assert evolve(table, event) == replace(table, game=replace(GAME, hand=replace(hand, **changes)))
