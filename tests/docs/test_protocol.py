"""docs/protocol.md says what the code does: every message, event, field, refusal and close code, and nothing else."""

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
"""What messages are made of, by the section that describes it."""
COMMON = {"t", "id", "on"}
"""Fields of requests that are described once for all of them."""


def tag(kind: type) -> str:
    return next(str(field.default) for field in fields(kind) if field.name == "t")


def members(name: str) -> list[type]:
    """The dataclasses of a union, that of table requests included."""
    return list(get_args(KINDS[name]))


CARD = "rules_card of "
EXAMPLES = [part for part in page.parts() if part.has_value and not part.note.startswith(CARD)]
KINDS_BY_TAG = [(name, kind) for name in KINDS for kind in members(name)]
ALL_KINDS = [pytest.param(name, kind, id=tag(kind)) for name, kind in KINDS_BY_TAG]


def kind_of(part: page.Part) -> str:
    """What the example is an example of, from its note."""
    if part.note in KINDS:
        return part.note
    said = re.fullmatch(
        r"(mara|jon) (says( something that is refused)?|hears( events, re (\w+)| that play began)?)", part.note
    )
    assert said, f"{part} does not say what it shows"
    return "VisibleEvent" if said[4] else "ClientMessage" if said[2].startswith("says") else "ServerMessage"


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
def test_every_field_of_what_messages_are_made_of_is_described(title: str) -> None:
    described = page.rows(title).keys() - {kind for kind in line_kinds() if title == "Line"}
    assert described == {field.name for field in fields(PIECES[title])}


def line_kinds() -> tuple[str, ...]:
    return get_args(next(field.type for field in fields(ScoreLine) if field.name == "kind"))


def test_every_kind_of_score_line_is_described() -> None:
    assert set(line_kinds()) <= page.rows("Line").keys()


@pytest.mark.parametrize("kind", members("ClientMessage"), ids=tag)
def test_the_fields_a_client_may_leave_out_are_called_optional(kind: type) -> None:
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


def words_of(kind: type) -> Iterator[tuple[str, set[str]]]:
    """The fields of a dataclass that hold one of a few words, and these."""
    for name, hint in get_type_hints(kind).items():
        choices = [each for each in (hint, *get_args(hint)) if get_origin(each) is Literal]
        words = {str(word) for each in choices for word in get_args(each) if isinstance(word, str)}
        if words and name != "t":
            yield name, words


WORDS = [
    pytest.param(title, name, words, id=f"{title}: {name}")
    for title, kind in (*((tag(kind), kind) for _, kind in KINDS_BY_TAG), *PIECES.items())
    for name, words in words_of(kind)
    if (title, name) != ("Line", "kind")
]


@pytest.mark.parametrize(("title", "name", "words"), WORDS)
def test_every_word_that_a_field_may_hold_is_named(title: str, name: str, words: set[str]) -> None:
    assert set(re.findall(r'`"(\w+)"`', page.rows(title)[name])) == words


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_value_of_a_switch_is_named(switch: str) -> None:
    told = page.rows("Rules")[switch]
    if switch in RANGES:
        assert "{} to {}".format(*RANGES[switch]) in told
        return
    if SWITCHES[switch] == (False, True):
        assert told.split("|")[0].strip() == "true or false"
        return
    kind, values = told.strip("|").split("|")
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


def test_the_rules_in_plain_words_are_those_of_the_core() -> None:
    [part] = [part for part in page.parts() if part.note.startswith(CARD)]
    assert part.value == list(rules_card(parse_rules(part.note.removeprefix(CARD))))


def test_the_deal_of_all_four_hands_is_nowhere() -> None:
    assert "hand_dealt" not in page.TEXT


def test_every_refusal_of_the_source_is_listed_and_no_other() -> None:
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
    """The codes a function refuses with: written there, chosen just before, or returned with a text by another."""
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
        if isinstance(code, ast.Attribute):  # handed on from a CommandRefused that was counted where it was made
            continue
        if isinstance(code, ast.Starred):
            yield from _returned(code.value, path)
            continue
        if isinstance(code, ast.Name):
            code = chosen[code.id]
        options = [code.body, code.orelse] if isinstance(code, ast.IfExp) else [code]
        for option in options:
            assert isinstance(option, ast.Constant), f"{path}:{call.lineno} refuses with a code that cannot be read"
            yield str(option.value)


def _returned(pair: ast.expr, path: Path) -> Iterator[str]:
    """The codes of a pair of code and text: every pair that the function it comes from can return."""
    assert isinstance(pair, ast.Call), f"{path}:{pair.lineno} refuses with a pair from nowhere"
    assert isinstance(pair.func, ast.Name), f"{path}:{pair.lineno} refuses with a pair from nowhere"
    [source] = [function for _, function in functions_in_the_source() if function.name == pair.func.id]
    returns = [node for node in ast.walk(source) if isinstance(node, ast.Return)]
    assert returns, f"{source.name} returns no pair of code and text"
    for each in returns:
        told = each.value
        assert isinstance(told, ast.Tuple), f"{source.name}, line {each.lineno}, returns no pair of code and text"
        assert len(told.elts) == 2, f"{source.name}, line {each.lineno}, returns no pair of code and text"
        assert isinstance(told.elts[0], ast.Constant), f"{source.name}, line {each.lineno}: a code that cannot be read"
        yield str(told.elts[0].value)


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
