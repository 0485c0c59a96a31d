"""Generate TypeScript types from the Python messages: `python -m spades_core.protocol.typescript`."""

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from spades_core import ruleset
from spades_core.deck import DECKS
from spades_core.legal import BLIND_NIL_DEFICIT
from spades_core.protocol import messages
from spades_core.scoring import BLIND_NIL_POINTS
from spades_core.seats import DEFAULT_LEVEL, Level

HEADER = "// Written by `make protocol` from spades_core/protocol; do not edit.\n"


def typescript() -> str:
    """Return the whole file: an interface for each dataclass, the unions of messages and the constants."""
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
    constants += [f"export const {name} = {getattr(messages, name)};\n" for name in _close_code_names()]
    constants += [*_level_constants(), *_rule_constants()]
    return "\n".join([HEADER, *constants, *(declared[name] for name in sorted(declared))])


def _level_constants() -> list[str]:
    return [
        "/** How strong a bot may play, from the weakest to the strongest. */\n"
        f"export const LEVELS = {json.dumps(get_args(Level))} as const;\n",
        f"export const DEFAULT_LEVEL: (typeof LEVELS)[number] = {json.dumps(DEFAULT_LEVEL)};\n",
    ]


def _rule_constants() -> list[str]:
    """Return the constants for choosing rules and sorting cards, with every value in its text form."""
    switches = {name: [ruleset.format_value(value) for value in values] for name, values in ruleset.SWITCHES.items()}
    presets = {
        name: {switch: ruleset.format_value(getattr(rules, switch)) for switch in ruleset.SWITCHES}
        for name, rules in ruleset.PRESETS.items()
    }
    spades = {str(name): deck.cards_in(deck.spades) for name, deck in DECKS.items()}
    return [
        f"export const BLIND_NIL_POINTS = {BLIND_NIL_POINTS};\n",
        f"export const BLIND_NIL_DEFICIT = {BLIND_NIL_DEFICIT};\n",
        "/** Every switch of the rules with its values as they are written; those in RANGES are whole numbers. */\n"
        f"export const SWITCHES: Record<string, string[]> = {_object_literal(switches)};\n",
        f"export const RANGES: Record<string, [number, number]> = {_object_literal(ruleset.RANGES)};\n",
        f'export const PRESETS: Record<RuleSet["preset"], Record<string, string>> = {_object_literal(presets)};\n',
        "/** What is a spade in each deck, the lowest first. */\n"
        f'export const SPADES: Record<RuleSet["deck"], Card[]> = {_object_literal(spades)};\n',
    ]


def _object_literal(table: Mapping[str, object]) -> str:
    return "{\n" + "".join(f"  {name}: {json.dumps(value)},\n" for name, value in table.items()) + "}"


def _close_code_names() -> list[str]:
    return sorted(name for name in vars(messages) if name.startswith("CLOSE_") and name != "CLOSE_REASONS")


def _type(kind: Any, declared: dict[str, str]) -> str:
    """Return the TypeScript of one annotation, adding the dataclasses that it needs to `declared`."""
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
