"""Values of the message types, and arbitrary builtin values, for the tests of the codec."""

import types
from dataclasses import fields, is_dataclass
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from spades_core.events import Event, LoggedEvent, VisibleEvent
from spades_core.protocol.messages import ClientMessage, ServerMessage
from spades_core.ruleset import RuleSet
from spades_core.seats import Seat, Side
from tests.spades_core.rule_sets import rule_sets

UNIONS = {"client": ClientMessage, "server": ServerMessage, "event": Event, "logged": LoggedEvent, "seen": VisibleEvent}
MESSAGES = {kind.__name__: kind for union in (ClientMessage, ServerMessage, Event) for kind in get_args(union)}

texts = st.text(max_size=8)
numbers = st.integers(-(2**63), 2**64 - 1)
anything = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | texts | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts | numbers, inner, max_size=4),
    max_leaves=12,
)
"""Any value that msgpack can decode."""


FULL_RULES = RuleSet(blind_nil="swap", ten_for_200="doubled", min_bid="no_ones", sum_not_13=True, mercy=300)
"""Rules in which every switch that can be off is on."""


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of an annotation."""
    if kind in (Seat, Side):
        return st.integers(0, 3 if kind is Seat else 1)
    if isinstance(kind, NewType):
        return values_of(kind.__supertype__)
    if kind is RuleSet:
        return rule_sets
    if is_dataclass(kind):
        return _built(kind)
    if kind in (int, str, bool, types.NoneType):
        return {int: numbers, str: texts, bool: st.booleans(), types.NoneType: st.none()}[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(args)
    if origin is tuple and args[-1] is Ellipsis:
        return st.lists(values_of(args[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, args))
    assert origin in (Union, types.UnionType), kind
    return st.one_of([values_of(arg) for arg in args])


def _built(kind: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.deferred(lambda: st.builds(kind, **{field.name: values_of(hints[field.name]) for field in fields(kind)}))


def sample_of(kind: Any) -> Any:
    """Return one value of an annotation, with every optional part present and one item in every list."""
    if kind in (Seat, Side, int):
        return 1
    if isinstance(kind, NewType):
        return sample_of(kind.__supertype__)
    if kind is RuleSet:
        return FULL_RULES
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{field.name: sample_of(hints[field.name]) for field in fields(kind)})
    if kind in (str, bool):
        return kind()
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return args[0]
    if origin is tuple:
        return tuple(sample_of(arg) for arg in args if arg is not Ellipsis)
    return sample_of(args[0])


def paths_in(plain: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside a builtin one: the keys of dicts and the indexes of lists."""
    inside = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    return [found for step, value in inside for found in [(*path, step), *paths_in(value, (*path, step))]]


def dotted(path: tuple[Any, ...]) -> str:
    """Write a path as a ValidationError does: "view.seats[2].name"."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def changed(plain: Any, path: tuple[Any, ...], change: Any) -> Any:
    """Return a copy in which `change(container, key)` was applied at the end of the path."""
    if isinstance(plain, dict):
        copy: Any = dict(plain)
    else:
        copy = list(plain)
    if len(path) == 1:
        change(copy, path[0])
    else:
        copy[path[0]] = changed(copy[path[0]], path[1:], change)
    return copy
