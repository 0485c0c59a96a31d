"""Commits and snapshots are loaded as they were dumped; other data is refused."""

import msgpack
import pytest

from server.store.log import CorruptLogError, NewerVersionError, Snapshot
from server.store.serialization import SCHEMA, dump, load_commit, load_snapshot
from spades_core.commit import Commit
from spades_core.events import BotLevelChanged, BotSeated
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS
from spades_core.state import Occupant, Table

CODE = "HRTJK"
EVENTS = BotSeated(SEATS[1], "Otto", "expert"), BotLevelChanged(SEATS[1], "easy")
COMMIT = Commit(4, "0f0f", "0e0e", "p1", "r1", EVENTS)


def test_commits_and_snapshots_are_loaded_as_they_were_dumped() -> None:
    assert load_commit(CODE, 4, dump(COMMIT)) == COMMIT
    assert load_commit(CODE, None, dump(COMMIT)) == COMMIT
    snapshot = Snapshot(COMMIT.at, Table(CODE, CLASSIC, (None, Occupant("Otto", None, level="easy"), None, None)))
    assert load_snapshot(CODE, 4, dump(snapshot)) == snapshot


def test_a_commit_with_another_number_is_corrupt() -> None:
    with pytest.raises(CorruptLogError, match="damaged at commit 5: its content is commit 4"):
        load_commit(CODE, 5, dump(COMMIT))


@pytest.mark.parametrize("content", [None, 7, [], {}, {"events": 7}, {"events": [7, None]}])
def test_content_of_another_shape_is_corrupt(content: object) -> None:
    data: bytes = msgpack.packb([SCHEMA, content])
    with pytest.raises(CorruptLogError, match="is damaged at commit 4"):
        load_commit(CODE, 4, data)


def test_a_newer_schema_is_refused() -> None:
    with pytest.raises(NewerVersionError, match=f"schema {SCHEMA + 1}, this one reads {SCHEMA}"):
        load_commit(CODE, 4, msgpack.packb([SCHEMA + 1, {}]))
