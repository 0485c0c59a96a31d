"""What older servers wrote down is read with what it meant then."""

import msgpack
import pytest

from server.store.log import CorruptLogError, Snapshot
from server.store.serialization import SCHEMA, read_commit, read_snapshot, read_wakeup, write
from spades_core.commit import Commit, LogPosition
from spades_core.events import BotLevelChanged, BotSeated, SeatTaken
from spades_core.protocol.codec import to_builtins
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS
from spades_core.state import Occupant, Table

CODE = "HRTJK"
HEAD = {"n": 4, "e": "0f0f", "p": "0e0e", "player": None, "request": None}
WITHOUT_LEVELS = [
    {"t": "seat_taken", "seat": 0, "name": "Mara", "player": "p1"},
    {"t": "bot_seated", "seat": 1, "name": "Otto"},
    {"t": "bot_seated", "seat": 3, "name": "Wilma"},
]
older = pytest.mark.parametrize("schema", [1, 2])


def packed(schema: int, plain: object) -> bytes:
    written: bytes = msgpack.packb([schema, plain])
    return written


@older
def test_a_bot_that_sat_down_before_there_were_levels_is_a_medium_one(schema: int) -> None:
    written = packed(schema, {**HEAD, "events": WITHOUT_LEVELS})
    events = (
        SeatTaken(SEATS[0], "Mara", "p1"),
        BotSeated(SEATS[1], "Otto", "medium"),
        BotSeated(SEATS[3], "Wilma", "medium"),
    )
    commit = Commit(4, "0f0f", "0e0e", None, None, events)
    assert read_commit(CODE, 4, written) == commit
    assert read_wakeup(CODE, written) == commit


@older
def test_the_bots_of_a_snapshot_from_before_there_were_levels_are_medium_ones(schema: int) -> None:
    seats = [
        {"name": "Mara", "player": "p1", "away": False},
        {"name": "Otto", "player": None, "away": False},
        None,
        {"name": "Ben", "player": "p2", "away": True},
    ]
    table = {"code": CODE, "rules": to_builtins(CLASSIC), "seats": seats, "host": 0, "game": None}
    snapshot = read_snapshot(CODE, 4, packed(schema, {"at": {"n": 4, "e": "0f0f"}, "table": table}))
    mara, otto, ben = Occupant("Mara", "p1"), Occupant("Otto", None, level="medium"), Occupant("Ben", "p2", away=True)
    assert snapshot == Snapshot(LogPosition(4, "0f0f"), Table(CODE, CLASSIC, (mara, otto, None, ben), SEATS[0]))


def test_a_bot_without_a_level_is_damage_since_there_are_levels() -> None:
    with pytest.raises(CorruptLogError, match=r"commit 4: events\[1\]\.level: missing"):
        read_commit(CODE, 4, packed(SCHEMA, {**HEAD, "events": WITHOUT_LEVELS}))


@older
@pytest.mark.parametrize("plain", [None, 7, [], {}, {"events": 7}, {"events": [7, None]}, {"table": {"seats": [7]}}])
def test_what_is_no_commit_of_an_older_schema_is_damage(schema: int, plain: object) -> None:
    with pytest.raises(CorruptLogError, match="is damaged at commit 4"):
        read_commit(CODE, 4, packed(schema, plain))


def test_levels_are_written_down_and_read_again() -> None:
    events = BotSeated(SEATS[1], "Otto", "expert"), BotLevelChanged(SEATS[1], "easy")
    commit = Commit(4, "0f0f", "0e0e", "p1", "r1", events)
    assert read_commit(CODE, 4, write(commit)) == commit
    seats = None, Occupant("Otto", None, level="easy"), None, None
    snapshot = Snapshot(commit.at, Table(CODE, CLASSIC, seats))
    assert read_snapshot(CODE, 4, write(snapshot)) == snapshot
