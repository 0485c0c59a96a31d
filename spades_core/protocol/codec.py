"""Conversion between dataclasses and builtin values: one codec for the wire, the log and the snapshots.

A dataclass becomes a dict of its fields and a tuple a list; text, whole numbers,
booleans and None stay as they are. The caller serializes these values. Reading is
strict: a missing, unknown or ill-typed field raises a ValidationError that names
it, and so does a rule set that cannot be played.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, Literal, NewType, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from spades_core.ruleset import RuleSetError
from spades_core.seats import Seat, Side

T = TypeVar("T")
Reader = Callable[[object, str], Any]


class ValidationError(ValueError):
    """A value does not have the expected form. `field` is its path, as in `view.seats[2].name`."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field


def to_builtins(value: object) -> Any:
    """Convert a dataclass to dicts, lists, str, int, bool and None."""
    if isinstance(value, tuple):
        return [to_builtins(item) for item in value]
    if value is None or isinstance(value, str | int):
        return value
    return {name: to_builtins(getattr(value, name)) for name in _field_names(cast(Any, type(value)))}


def from_builtins(kind: type[T], value: object) -> T:
    """Read a dataclass of type `kind`. Raises ValidationError."""
    return cast(T, _reader(cast(Any, kind))(value, ""))


def from_builtins_union(kind: Any, value: object) -> Any:
    """Read one of the dataclasses of the union `kind`, chosen by the tag "t". Raises ValidationError."""
    return _reader(kind)(value, "")


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _reader(kind: Any) -> Reader:
    """Return the function that reads a value of the annotated type `kind`, given the value and its path."""
    if kind is Seat:
        return _range_reader(4, "a seat, 0 to 3")
    if kind is Side:
        return _range_reader(2, "a side, 0 or 1")
    if isinstance(kind, NewType):
        return _reader(kind.__supertype__)
    if kind is types.NoneType:
        return _exact_reader(type(None), "nothing")
    if kind is bool:
        return _exact_reader(bool, "true or false")
    if kind is int:
        return _exact_reader(int, "a whole number")
    if kind is str:
        return _exact_reader(str, "text")
    if is_dataclass(kind):
        return _dataclass_reader(cast(type, kind))
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _literal_reader(args)
    if origin is tuple:
        return _tuple_reader(args)
    if origin in (Union, types.UnionType):
        return _union_reader(args)
    raise TypeError(f"the codec does not know {kind!r}")


def _exact_reader(kind: type, expected: str) -> Reader:
    def read(value: object, path: str) -> Any:
        if type(value) is not kind:
            raise ValidationError(path, f"expected {expected}, got {_describe(value)}")
        return value

    return read


def _range_reader(end: int, expected: str) -> Reader:
    def read(value: object, path: str) -> Any:
        if type(value) is not int or not 0 <= value < end:
            raise ValidationError(path, f"expected {expected}, got {_describe(value)}")
        return value

    return read


def _literal_reader(allowed: tuple[Any, ...]) -> Reader:
    def read(value: object, path: str) -> Any:
        if type(value) not in (str, int) or value not in allowed:
            raise ValidationError(path, f"expected {' or '.join(map(repr, allowed))}, got {_describe(value)}")
        return value

    return read


def _tuple_reader(args: tuple[Any, ...]) -> Reader:
    any_length = len(args) == 2 and args[1] is Ellipsis

    def read(value: object, path: str) -> Any:
        if not isinstance(value, list | tuple):
            raise ValidationError(path, f"expected a list, got {_describe(value)}")
        if not any_length and len(value) != len(args):
            raise ValidationError(path, f"expected {len(args)} values, got {len(value)}")
        kinds = args[:1] * len(value) if any_length else args
        return tuple(
            _reader(kind)(item, f"{path}[{index}]") for index, (kind, item) in enumerate(zip(kinds, value, strict=True))
        )

    return read


def _union_reader(args: tuple[Any, ...]) -> Reader:
    """Return the reader of a union of tagged dataclasses, or of one type and None."""
    tagged: dict[str, Any] = {_tag(kind): kind for kind in args if is_dataclass(kind) and len(args) > 2}
    others = [kind for kind in args if kind is not types.NoneType]

    def read(value: object, path: str) -> Any:
        if value is None and types.NoneType in args:
            return None
        if not tagged:
            return _reader(others[0])(value, path)
        if not isinstance(value, Mapping):
            raise ValidationError(path, f"expected a map, got {_describe(value)}")
        tag = value.get("t")
        if not isinstance(tag, str) or tag not in tagged:
            raise ValidationError(_join(path, "t"), f"unknown message {_describe(tag)}")
        return _reader(tagged[tag])(value, path)

    return read


def _tag(kind: Any) -> str:
    return str(next(field.default for field in fields(kind) if field.name == "t"))


def _dataclass_reader(kind: type) -> Reader:
    hints = get_type_hints(kind)
    known: dict[str, Field[Any]] = {field.name: field for field in fields(cast(Any, kind))}
    required = [name for name, field in known.items() if field.default is MISSING or name == "t"]

    def read(value: object, path: str) -> Any:
        if not isinstance(value, Mapping):
            raise ValidationError(path, f"expected a map, got {_describe(value)}")
        for name in required:
            if name not in value:
                raise ValidationError(_join(path, name), "missing")
        for name in value:
            if name not in known:
                raise ValidationError(
                    _join(path, name[:24] if isinstance(name, str) else _describe(name)), "unknown field"
                )
        read_fields = {name: _reader(hints[name])(item, _join(path, name)) for name, item in value.items()}
        try:
            return kind(**read_fields)
        except RuleSetError as error:
            raise ValidationError(_join(path, error.switch), error.problem) from None

    return read


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _describe(value: object) -> str:
    """Describe a wrong value for an error message, in few characters."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return repr(value) if abs(value) < 10**20 else "a huge number"
    if isinstance(value, str):
        return repr(value[:40])[:40]
    return {list: "a list", dict: "a map", bytes: "bytes", float: "a fraction"}.get(type(value), type(value).__name__)
