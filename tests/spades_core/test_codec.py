from dataclasses import MISSING, dataclass, fields
from random import Random
from typing import Any, get_args

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_core.events import LoggedEvent
from spades_core.protocol.codec import ValidationError, from_builtins, from_builtins_union, to_builtins
from spades_core.protocol.messages import Bid, ClientMessage, Hello, Play, Presence, ServerMessage, Sit, Start, Update
from spades_core.seats import Seat
from spades_core.state import Table
from spades_core.views import SeatView, view_for
from tests.scale import cases
from tests.spades_core.message_values import (
    MESSAGES,
    UNIONS,
    anything,
    changed,
    dotted,
    paths_in,
    sample_of,
    values_of,
)
from tests.spades_core.random_games import play_game

CODEC = settings(max_examples=cases(20, 40), deadline=None)
FUZZ = settings(max_examples=cases(100, 300), deadline=None)


def read_back(kind: Any, value: object) -> Any:
    return from_builtins(kind, msgpack.unpackb(msgpack.packb(to_builtins(value)), strict_map_key=False))


# There and back


@pytest.mark.parametrize("kind", MESSAGES.values(), ids=MESSAGES)
@given(data=st.data())
@CODEC
def test_every_message_and_event_round_trips(kind, data) -> None:
    value = data.draw(values_of(kind))
    plain = to_builtins(value)
    assert from_builtins(kind, plain) == value
    assert read_back(kind, value) == value
    for union in UNIONS.values():
        if kind in get_args(union):
            assert from_builtins_union(union, plain) == value


def test_every_message_and_event_has_its_own_tag() -> None:
    assert len(MESSAGES) > 25
    for union in UNIONS.values():
        tags = [next(field.default for field in fields(kind) if field.name == "t") for kind in get_args(union)]
        assert len(tags) == len(set(tags))
    for name, kind in MESSAGES.items():
        snake = "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")
        assert to_builtins(sample_of(kind))["t"] == snake


def test_whole_games_round_trip() -> None:
    for seed in range(5):
        for step in play_game(Random(seed)):
            for event in step.events:
                assert from_builtins_union(LoggedEvent, to_builtins(event)) == event
            assert read_back(Table, step.after) == step.after
            view = view_for(step.after.turn, step.after)
            assert read_back(SeatView, view) == view


def test_the_builtin_form_of_a_message() -> None:
    assert to_builtins(Play("7", "5f2c", "QS")) == {"id": "7", "on": "5f2c", "card": "QS", "t": "play"}
    assert to_builtins(Presence("HRTJK", (True, False, True, False))) == {
        "code": "HRTJK",
        "present": [True, False, True, False],
        "t": "presence",
    }


def test_a_field_with_a_default_may_be_left_out() -> None:
    assert from_builtins(Hello, {"t": "hello", "name": "Mara"}) == Hello("Mara")


# What is not of the expected form


class NotSerializable:
    """A value no message may hold."""


def wrong_values(value: object) -> list[object]:
    """Values that may not stand where `value` stands."""
    wrong: list[object] = [1.5, b"x", NotSerializable()]
    if not isinstance(value, list | tuple):
        wrong.append([])
    if not isinstance(value, dict):
        wrong.append({})
    if not isinstance(value, bool):
        wrong.append(True)
    if isinstance(value, bool) or not isinstance(value, int):
        wrong.append(7)
    if not isinstance(value, str):
        wrong.append("x")
    return wrong


@pytest.mark.parametrize("kind", MESSAGES.values(), ids=MESSAGES)
def test_an_ill_typed_value_is_named_by_its_path(kind) -> None:
    plain = to_builtins(sample_of(kind))
    assert from_builtins(kind, plain) == sample_of(kind)
    for path in paths_in(plain):
        here = plain
        for step in path:
            here = here[step]
        for wrong in wrong_values(here):
            bad = changed(plain, path, lambda inside, step, wrong=wrong: inside.__setitem__(step, wrong))
            with pytest.raises(ValidationError) as problem:
                from_builtins(kind, bad)
            named = problem.value.field
            missing_inside = wrong == {} and named.startswith(dotted(path) + ".")
            too_few = wrong == [] and isinstance(here, list)
            assert named == dotted(path) or missing_inside or too_few
            assert str(problem.value).startswith(f"{named}: ")


@pytest.mark.parametrize("kind", MESSAGES.values(), ids=MESSAGES)
def test_a_missing_field_is_named_by_its_path(kind) -> None:
    plain, missing = to_builtins(sample_of(kind)), 0
    for path in paths_in(plain):
        if not isinstance(path[-1], str):
            continue
        without = changed(plain, path, lambda inside, step: inside.pop(step))
        try:
            from_builtins(kind, without)
        except ValidationError as problem:
            missing += 1
            said = str(problem).replace("unknown message nothing", "missing")
            assert (problem.field, said) == (dotted(path), f"{dotted(path)}: missing")  # noqa: PT017
        else:
            assert len(path) > 1 or _may_be_left_out(kind, path[0])
    assert missing


def _may_be_left_out(kind: Any, name: str) -> bool:
    return name != "t" and any(field.name == name and field.default is not MISSING for field in fields(kind))


@pytest.mark.parametrize("kind", MESSAGES.values(), ids=MESSAGES)
def test_an_unknown_field_is_named_by_its_path(kind) -> None:
    plain = to_builtins(sample_of(kind))
    maps = {path[:-1] for path in paths_in(plain) if isinstance(path[-1], str)}
    for path in maps:
        bad = changed(plain, (*path, "extra"), lambda inside, step: inside.__setitem__(step, 1))
        with pytest.raises(ValidationError, match="unknown field") as problem:
            from_builtins(kind, bad)
        assert problem.value.field == dotted((*path, "extra"))


@pytest.mark.parametrize("kind", MESSAGES.values(), ids=MESSAGES)
def test_a_wrong_tag_is_named(kind) -> None:
    bad = {**to_builtins(sample_of(kind)), "t": "somebody_else"}
    with pytest.raises(ValidationError) as problem:
        from_builtins(kind, bad)
    assert problem.value.field == "t"


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        (None, "expected a map, got nothing"),
        ([], "expected a map, got a list"),
        ("play", "expected a map, got 'play'"),
        (b"\x80", "expected a map, got bytes"),
        (1.5, "expected a map, got a fraction"),
        ({}, "t: unknown message nothing"),
        ({"t": 5}, "t: unknown message 5"),
        ({"t": "plya"}, "t: unknown message 'plya'"),
        ({"t": "welcome", "token": "", "name": "", "version": ""}, "t: unknown message 'welcome'"),
        ({"t": ["play"]}, "t: unknown message a list"),
        ({"t": "start"}, "id: missing"),
        ({"t": "bid"}, "id: missing"),
        ({"t": "bid", "on": "e"}, "id: missing"),
        ({"t": "bid", "id": "1", "bid": 3}, "on: missing"),
        ({"t": "bid", "id": "1", "on": "e", "bid": True}, "bid: expected a whole number, got true"),
        ({"t": "bid", "id": "1", "on": "e", "bid": 3.0}, "bid: expected a whole number, got a fraction"),
        ({"t": "bid", "id": "1", "on": "e", "bid": "3"}, "bid: expected a whole number, got '3'"),
        ({"t": "bid", "id": "1", "on": None, "bid": 3}, "on: expected text, got nothing"),
        ({"t": "bid", "id": 1, "on": "e", "bid": 3}, "id: expected text, got 1"),
        ({"t": "bid", "id": "1", "on": "e", "bid": 3, "seat": 2}, "seat: unknown field"),
        ({"t": "start", "id": "1", 5: 1}, "5: unknown field"),
        ({"t": "start", "id": "1", None: 1}, "nothing: unknown field"),
        ({"t": "start", "id": "1", "x" * 99: 1}, "x" * 24 + ": unknown field"),
        ({"t": "play", "id": "1", "on": "e", "card": {}}, "card: expected text, got a map"),
        ({"t": "sit", "id": "1", "seat": 4}, "seat: expected a seat, 0 to 3, got 4"),
        ({"t": "sit", "id": "1", "seat": -1}, "seat: expected a seat, 0 to 3, got -1"),
        ({"t": "sit", "id": "1", "seat": False}, "seat: expected a seat, 0 to 3, got false"),
        ({"t": "bid", "id": "1", "on": "e", "bid": [10**5000]}, "bid: expected a whole number, got a list"),
        ({"t": 10**5000}, "t: unknown message a huge number"),
        ({"t": "start", "id": "1", 10**5000: 1}, "a huge number: unknown field"),
    ],
)
def test_an_invalid_client_message_is_refused(plain, says) -> None:
    with pytest.raises(ValidationError) as problem:
        from_builtins_union(ClientMessage, plain)
    assert str(problem.value) == says


def test_an_error_deep_inside_is_named_by_its_path() -> None:
    plain = to_builtins(sample_of(Update))
    plain["view"]["seats"][2]["name"] = 5
    with pytest.raises(ValidationError) as problem:
        from_builtins_union(ServerMessage, plain)
    assert problem.value.field == "view.seats[2].name"
    plain = to_builtins(sample_of(Update))
    plain["view"]["seats"].pop()
    with pytest.raises(ValidationError, match="expected 4 values, got 3") as problem:
        from_builtins_union(ServerMessage, plain)
    assert problem.value.field == "view.seats"
    plain = to_builtins(sample_of(Update))
    plain["view"]["phase"] = "lunch"
    with pytest.raises(ValidationError, match="expected 'lobby' or 'bidding'") as problem:
        from_builtins_union(ServerMessage, plain)
    assert problem.value.field == "view.phase"
    plain = to_builtins(sample_of(Update))
    plain["events"][0]["t"] = "hand_dealt"
    with pytest.raises(ValidationError, match="unknown message 'hand_dealt'") as problem:
        from_builtins_union(ServerMessage, plain)
    assert problem.value.field == "events[0].t"


def test_the_first_missing_field_is_named_every_time() -> None:
    assert {_field_at_fault({"t": "bid"}) for _ in range(20)} == {"id"}


def _field_at_fault(plain: object) -> str:
    with pytest.raises(ValidationError) as problem:
        from_builtins_union(ClientMessage, plain)
    return problem.value.field


@given(anything)
@FUZZ
def test_an_arbitrary_value_is_read_or_raises_a_validation_error(plain) -> None:
    for union in UNIONS.values():
        _reads_or_raises(union, plain)


@given(st.data(), anything)
@FUZZ
def test_a_message_with_an_arbitrary_part_is_read_or_raises_a_validation_error(data, part) -> None:
    kind = data.draw(st.sampled_from(list(MESSAGES.values())))
    plain = to_builtins(data.draw(values_of(kind)))
    path = data.draw(st.sampled_from(paths_in(plain)))
    bad = changed(plain, path, lambda inside, step: inside.__setitem__(step, part))
    for union in UNIONS.values():
        _reads_or_raises(union, bad)


def _reads_or_raises(union: Any, plain: object) -> None:
    try:
        message = from_builtins_union(union, plain)
    except ValidationError as problem:
        assert len(str(problem)) < 1000  # noqa: PT017
    else:
        assert type(message) in get_args(union)
        assert from_builtins_union(union, to_builtins(message)) == message


@dataclass(frozen=True, slots=True)
class Odd:
    heights: dict[str, float]


def test_an_unsupported_type_raises_a_type_error() -> None:
    with pytest.raises(TypeError, match="the codec does not know"):
        from_builtins(Odd, {"heights": {}})


def test_seats_are_numbers() -> None:
    assert from_builtins(Sit, {"t": "sit", "id": "1", "seat": 3}).seat == Seat(3)
    assert from_builtins(Start, {"t": "start", "id": ""}) == Start("")
    assert from_builtins(Bid, {"t": "bid", "id": "", "on": "", "bid": 99}).bid == 99
