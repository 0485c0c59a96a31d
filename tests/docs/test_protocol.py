"""docs/protocol.md says what the code does: every message, event, field, refusal and close code, and nothing else."""

import ast
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args

import msgpack
import pytest

import server
import spades_core
from server.gateway.wire import MAX_FRAME, read_frame, write_frame
from spades_core.events import ScoreLine, SeenEvent, SideScore
from spades_core.protocol import messages
from spades_core.protocol.codec import from_plain_union, to_plain
from spades_core.protocol.messages import CLOSE_REASONS, PROTOCOL, ClientMessage, ServerMessage
from spades_core.ruleset import RuleSet
from spades_core.state import Phase, Trick
from spades_core.views import SeatSeen, SeatView, SideSeen, TrickSeen
from tests.docs import protocol_page as page

KINDS: dict[str, Any] = {"ClientMessage": ClientMessage, "ServerMessage": ServerMessage, "SeenEvent": SeenEvent}
PIECES = {
    "The view": SeatView,
    "Seat": SeatSeen,
    "Side": SideSeen,
    "Trick on the table": TrickSeen,
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


EXAMPLES = [part for part in page.parts() if part.has_value]
KINDS_BY_TAG = [(name, kind) for name in KINDS for kind in members(name)]
ALL_KINDS = [pytest.param(name, kind, id=tag(kind)) for name, kind in KINDS_BY_TAG]


def kind_of(part: page.Part) -> str:
    """What the example is an example of, from its note."""
    if part.note in KINDS:
        return part.note
    said = re.fullmatch(r"(mara|jon) (says( something that is refused)?|hears( events, re (\w+))?)", part.note)
    assert said, f"{part} does not say what it shows"
    return "SeenEvent" if said[4] else "ClientMessage" if said[2].startswith("says") else "ServerMessage"


@pytest.mark.parametrize("part", [part for part in EXAMPLES if "refused" not in part.note], ids=str)
def test_an_example_is_read_strictly_and_written_the_same(part: page.Part) -> None:
    values = part.value if isinstance(part.value, list) else [part.value]
    for value in values:
        message = from_plain_union(KINDS[kind_of(part)], value)
        written = to_plain(message)
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
    assert to_plain(read_frame(frame)) == part.value


@pytest.mark.parametrize("part", page.examples("ServerMessage"), ids=str)
def test_an_example_of_the_server_is_a_frame_it_writes(part: page.Part) -> None:
    message = from_plain_union(ServerMessage, part.value)
    assert msgpack.unpackb(write_frame(message)) == part.value


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
    assert {name for name, names in by_tag.items() if "on" in names} == {"bid", "play", "next_hand"}


def test_every_phase_is_named() -> None:
    assert re.findall(r'`"(\w+)"`', page.rows("The view")["phase"]) == list(get_args(Phase))


def test_the_deal_of_all_four_hands_is_nowhere() -> None:
    assert "hand_dealt" not in page.TEXT


def test_every_refusal_of_the_source_is_listed_and_no_other() -> None:
    assert page.rows("Refusals").keys() == set(refusals_in_the_source())


def refusals_in_the_source() -> Iterator[str]:
    for package in (server, spades_core):
        for path in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from _refusals(function, path)


def _refusals(function: ast.FunctionDef | ast.AsyncFunctionDef, path: Path) -> Iterator[str]:
    """The codes a function refuses with: written there, or chosen just before and passed under a name."""
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
        if call.func.id not in ("Refused", "Refusal"):
            continue
        code = call.args[0]
        if isinstance(code, ast.Attribute):  # handed on from a Refused that was counted where it was made
            continue
        if isinstance(code, ast.Name):
            code = chosen[code.id]
        options = [code.body, code.orelse] if isinstance(code, ast.IfExp) else [code]
        for option in options:
            assert isinstance(option, ast.Constant), f"{path}:{call.lineno} refuses with a code that cannot be read"
            yield str(option.value)


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
    anchors = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
    assert set(re.findall(r"\]\(#([\w-]+)\)", page.TEXT)) <= anchors
