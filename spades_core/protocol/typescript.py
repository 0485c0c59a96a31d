"""The TypeScript types of every message, written from the Python ones: `python -m spades_core.protocol.typescript`."""

import types
from dataclasses import fields, is_dataclass
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from spades_core.protocol import messages

HEADER = "// Written by `make protocol` from spades_core/protocol; do not edit.\n"


def typescript() -> str:
    """The whole file: an interface for each dataclass, the unions of messages, the constants."""
    declared: dict[str, str] = {}
    unions = {
        "ClientMessage": messages.ClientMessage,
        "TableRequest": messages.TableRequest,
        "ServerMessage": messages.ServerMessage,
    }
    for name, union in unions.items():
        declared[name] = f"export type {name} = {_type(union, declared)};\n"
    closes = "".join(f'  {code}: "{reason}",\n' for code, reason in messages.CLOSE_REASONS.items())
    constants = [
        f"export const PROTOCOL = {messages.PROTOCOL};\n",
        f"export const CLOSE_REASONS: Record<number, string> = {{\n{closes}}};\n",
    ]
    constants += [f"export const {name} = {getattr(messages, name)};\n" for name in _close_names()]
    return "\n".join([HEADER, *constants, *(declared[name] for name in sorted(declared))])


def _close_names() -> list[str]:
    return sorted(name for name in vars(messages) if name.startswith("CLOSE_") and name != "CLOSE_REASONS")


def _type(kind: Any, declared: dict[str, str]) -> str:
    """The TypeScript of one annotation; dataclasses it needs are added to `declared`."""
    if isinstance(kind, NewType):
        plain = _type(kind.__supertype__, declared)
        declared.setdefault(kind.__name__, f"export type {kind.__name__} = {plain};\n")
        return kind.__name__
    if is_dataclass(kind):
        name = kind.__name__  # type: ignore[union-attr]
        if name not in declared:
            declared[name] = ""
            declared[name] = _interface(kind, declared)
        return str(name)
    if kind in (int, str, bool, types.NoneType):
        return {int: "number", str: "string", bool: "boolean", types.NoneType: "null"}[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in args)
    if origin is tuple and args[-1] is Ellipsis:
        inner = _type(args[0], declared)
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(_type(arg, declared) for arg in args)}]"
    if origin in (Union, types.UnionType):
        return " | ".join(_type(arg, declared) for arg in args)
    raise TypeError(f"no TypeScript for {kind!r}")


def _interface(kind: Any, declared: dict[str, str]) -> str:
    hints = get_type_hints(kind)
    lines = [f"  {field.name}: {_type(hints[field.name], declared)};\n" for field in fields(kind)]
    return f"export interface {kind.__name__} {{\n{''.join(lines)}}}\n"


if __name__ == "__main__":
    print(typescript(), end="")
