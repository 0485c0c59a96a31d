"""docs/protocol.md documents every message, event, field, refusal and close code of the source, and no others."""

import ast
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgpack
import pytest

import server
import spades_core
from server.gateway.frames import MAX_FRAME, decode_frame, encode_frame
from spades_core.deck import DECKS, STANDARD
from spades_core.events import ScoreLine, SideScore, VisibleEvent
from spades_core.protocol import messages
from spades_core.protocol.codec import from_builtins_union, to_builtins
from spades_core.protocol.messages import CLOSE_REASONS, PROTOCOL, ClientMessage, ServerMessage
from spades_core.rules_card import rules_card
from spades_core.ruleset import PRESETS, RANGES, SWITCHES, RuleSet, parse_rules
from spades_core.state import Phase, Trick
from spades_core.views import PublicSeat, PublicSide, PublicTrick, SeatView
from tests.docs import protocol_page as page

KINDS: dict[str, Any] = {"ClientMessage": ClientMessage, "ServerMessage": ServerMessage, "VisibleEvent": VisibleEvent}
PIECES = {
    "The view": SeatView,
    "Seat": PublicSeat,
    "Side": PublicSide,
    "Trick on the table": PublicTrick,
    "Finished trick": Trick,
    "Rules": RuleSet,
    "Side result": SideScore,
    "Line": ScoreLine,
}
"""Parts of messages, by the section that describes them."""
COMMON = {"t", "id", "on"}
"""Fields of requests that are described once for all of them."""


def tag(kind: type) -> str:
    return next(str(field.default) for field in fields(kind) if field.name == "t")


def members(name: str) -> list[type]:
    """Return the dataclasses of a union, including nested ones."""
    return list(get_args(KINDS[name]))


CARD = "rules_card of "
EXAMPLES = [part for part in page.parts() if part.has_value and not part.note.startswith(CARD)]
KINDS_BY_TAG = [(name, kind) for name in KINDS for kind in members(name)]
ALL_KINDS = [pytest.param(name, kind, id=tag(kind)) for name, kind in KINDS_BY_TAG]


def kind_of(part: page.Part) -> str:
    """Return the union that an example is of, from its note."""
    if part.note in KINDS:
        return part.note
    found = re.fullmatch(
        r"(mara|jon) (sends( something that is refused)?|receives( events, re (\w+)| the beginning of play)?)",
        part.note,
    )
    assert found, f"{part} does not name what it is an example of"
    return "VisibleEvent" if found[4] else "ClientMessage" if found[2].startswith("sends") else "ServerMessage"


@pytest.mark.parametrize("part", [part for part in EXAMPLES if "refused" not in part.note], ids=str)
def test_an_example_is_read_strictly_and_written_the_same(part: page.Part) -> None:
    values = part.value if isinstance(part.value, list) else [part.value]
    for value in values:
        message = from_builtins_union(KINDS[kind_of(part)], value)
        written = to_builtins(message)
        left_out = {name: written[name] for name in written.keys() - value.keys()}
        assert {**value, **left_out} == written
        if left_out:
            assert kind_of(part) == "ClientMessage", f"{part}: the server sends {sorted(left_out)} too"
            defaults = {field.name: field.default for field in fields(message)}
            assert left_out == {name: defaults[name] for name in left_out}


@pytest.mark.parametrize("part", page.examples("ClientMessage"), ids=str)
def test_an_example_of_a_client_is_a_frame_the_server_reads(part: page.Part) -> None:
    frame = msgpack.packb(part.value)
    assert len(frame) <= MAX_FRAME
    assert to_builtins(decode_frame(frame)) == part.value


@pytest.mark.parametrize("part", page.examples("ServerMessage"), ids=str)
def test_an_example_of_the_server_is_a_frame_it_writes(part: page.Part) -> None:
    message = from_builtins_union(ServerMessage, part.value)
    assert msgpack.unpackb(encode_frame(message)) == part.value


@pytest.mark.parametrize(("name", "kind"), ALL_KINDS)
def test_every_message_and_event_has_an_example_in_a_section_of_its_own(name: str, kind: type) -> None:
    assert f"<!-- {name} -->" in page.section(tag(kind))
    assert [part.value["t"] for part in page.examples(name)].count(tag(kind)) == 1


@pytest.mark.parametrize(("name", "kind"), ALL_KINDS)
def test_every_field_of_a_message_or_event_is_described(name: str, kind: type) -> None:
    known = {field.name for field in fields(kind)} - (COMMON if name == "ClientMessage" else {"t"})
    assert page.rows(tag(kind)).keys() == known


@pytest.mark.parametrize("title", PIECES)
def test_every_field_of_a_part_is_described(title: str) -> None:
    described = page.rows(title).keys() - {kind for kind in line_kinds() if title == "Line"}
    assert described == {field.name for field in fields(PIECES[title])}


def line_kinds() -> tuple[str, ...]:
    return get_args(next(field.type for field in fields(ScoreLine) if field.name == "kind"))


def test_every_kind_of_score_line_is_described() -> None:
    assert set(line_kinds()) <= page.rows("Line").keys()


@pytest.mark.parametrize("kind", members("ClientMessage"), ids=tag)
def test_the_fields_that_a_client_may_omit_are_marked_optional(kind: type) -> None:
    described = page.rows(tag(kind))
    optional = {field.name for field in fields(kind) if field.default is not MISSING} - {"t"}
    assert {name for name, text in described.items() if "optional" in text.split("|")[0]} == optional


def test_the_common_fields_of_requests_are_described_and_common() -> None:
    assert page.rows("Requests and answers").keys() == COMMON
    by_tag = {tag(kind): {field.name for field in fields(kind)} for kind in members("ClientMessage")}
    assert {name for name, names in by_tag.items() if "id" not in names} == {"hello", "ping"}
    assert {name for name, names in by_tag.items() if "on" in names} == {"bid", "pass", "play", "next_hand"}


def test_every_phase_is_named() -> None:
    assert re.findall(r'`"(\w+)"`', page.rows("The view")["phase"]) == list(get_args(Phase))


def literals_of(kind: type) -> Iterator[tuple[str, set[str]]]:
    """Yield the fields of a dataclass that are literals, with their values."""
    for name, hint in get_type_hints(kind).items():
        choices = [each for each in (hint, *get_args(hint)) if get_origin(each) is Literal]
        words = {str(word) for each in choices for word in get_args(each) if isinstance(word, str)}
        if words and name != "t":
            yield name, words


WORDS = [
    pytest.param(title, name, words, id=f"{title}: {name}")
    for title, kind in (*((tag(kind), kind) for _, kind in KINDS_BY_TAG), *PIECES.items())
    for name, words in literals_of(kind)
    if (title, name) != ("Line", "kind")
]


@pytest.mark.parametrize(("title", "name", "words"), WORDS)
def test_every_literal_of_a_field_is_named(title: str, name: str, words: set[str]) -> None:
    assert set(re.findall(r'`"(\w+)"`', page.rows(title)[name])) == words


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_value_of_a_switch_is_named(switch: str) -> None:
    row = page.rows("Rules")[switch]
    if switch in RANGES:
        assert "{} to {}".format(*RANGES[switch]) in row
        return
    if SWITCHES[switch] == (False, True):
        assert row.split("|")[0].strip() == "true or false"
        return
    kind, values = row.strip("|").split("|")
    words = [str(value) for value in SWITCHES[switch] if value is not None]
    assert re.findall(r'"(\w+)"|(-?\d+)', values) == [
        ("", word) if word.strip("-").isdecimal() else (word, "") for word in words
    ]
    assert ("or null" in kind) == ("or null" in values) == (None in SWITCHES[switch])


def test_the_presets_are_named() -> None:
    assert re.findall(r'`"(\w+)"`', page.rows("Rules")["preset"]) == list(PRESETS)


def test_the_decks_are_those_of_the_core() -> None:
    described = page.rows("Seats, sides and cards")
    assert described.keys() == DECKS.keys()
    for name, deck in DECKS.items():
        missing, spades = (cell.strip() for cell in described[name].strip("|").split("|")[:2])
        assert spades.split() == [*reversed(deck.cards_in(deck.spades))]
        left_out = set(STANDARD.cards) - set(deck.cards)
        assert left_out == (set() if missing == "jokers" else set(missing.split()))
        assert len(deck.cards) == 52


def test_the_rules_card_is_that_of_the_core() -> None:
    [part] = [part for part in page.parts() if part.note.startswith(CARD)]
    assert part.value == list(rules_card(parse_rules(part.note.removeprefix(CARD))))


def test_the_event_with_all_four_hands_is_not_mentioned() -> None:
    assert "hand_dealt" not in page.TEXT


def test_the_refusals_are_those_of_the_source() -> None:
    assert page.rows("Refusals").keys() == set(refusals_in_the_source())


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_in_the_source() -> Iterator[tuple[Path, Function]]:
    for package in (server, spades_core):
        for path in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, Function):
                    yield path, node


def refusals_in_the_source() -> Iterator[str]:
    for path, function in functions_in_the_source():
        yield from _refusals(function, path)


def _refusals(function: Function, path: Path) -> Iterator[str]:
    """Yield the codes that a function refuses with: literals, variables, or those returned by another function."""
    chosen = {
        target.id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in ast.walk(function):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not call.args:
            continue
        if call.func.id not in ("CommandRefused", "Refusal"):
            continue
        code = call.args[0]
        if isinstance(code, ast.Attribute):  # of a CommandRefused that was counted where it was raised
            continue
        if isinstance(code, ast.Starred):
            yield from _returned(code.value, path)
            continue
        if isinstance(code, ast.Name):
            code = chosen[code.id]
        options = [code.body, code.orelse] if isinstance(code, ast.IfExp) else [code]
        for option in options:
            assert isinstance(option, ast.Constant), f"{path}:{call.lineno} refuses with a code that is not a literal"
            yield str(option.value)


def _returned(pair: ast.expr, path: Path) -> Iterator[str]:
    """Yield the codes of all pairs of code and text that the called function can return."""
    assert isinstance(pair, ast.Call), f"{path}:{pair.lineno} refuses with a pair that is not from a function"
    assert isinstance(pair.func, ast.Name), f"{path}:{pair.lineno} refuses with a pair that is not from a function"
    [source] = [function for _, function in functions_in_the_source() if function.name == pair.func.id]
    returns = [node for node in ast.walk(source) if isinstance(node, ast.Return)]
    assert returns, f"{source.name} returns no pair of code and text"
    for each in returns:
        value = each.value
        assert isinstance(value, ast.Tuple), f"{source.name}, line {each.lineno}, returns no pair of code and text"
        assert len(value.elts) == 2, f"{source.name}, line {each.lineno}, returns no pair of code and text"
        assert isinstance(value.elts[0], ast.Constant), (
            f"{source.name}, line {each.lineno}: a code that is not a literal"
        )
        yield str(value.elts[0].value)


def test_the_close_codes_and_their_sentences_are_those_of_the_source() -> None:
    listed = {int(code): rest.split("|")[0].strip() for code, rest in page.rows("The end of a connection").items()}
    assert listed == CLOSE_REASONS


def test_the_numbers_in_the_text_are_those_of_the_source() -> None:
    assert f"at most {MAX_FRAME} bytes" in page.section("The socket")
    assert f"| {PROTOCOL}, the version this page describes" in page.rows("hello")["protocol"].replace("  ", " ")
    assert messages.__doc__ is not None
    assert "docs/protocol.md" in messages.__doc__


def test_links_lead_to_sections() -> None:
    heads = re.findall(r"^#+ (.+)$", page.TEXT, re.MULTILINE)
    pages = set(re.findall(r"\]\(([\w.]+)", page.TEXT))
    assert {name for name in pages if not (page.PAGE.parent / name).is_file()} == set()
    anchors = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
    assert set(re.findall(r"\]\(#([\w-]+)\)", page.TEXT)) <= anchors
