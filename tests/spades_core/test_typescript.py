from pathlib import Path
from typing import get_args

import pytest

from spades_core.protocol import messages
from spades_core.protocol.typescript import _type, typescript

WEB = Path(__file__).parent.parent.parent / "clients" / "web" / "src" / "protocol.ts"


def test_the_types_of_the_web_client_are_up_to_date() -> None:
    assert WEB.read_text("utf-8") == typescript(), "run `make protocol`"


def test_every_message_has_an_interface_and_every_close_a_number() -> None:
    text = typescript()
    for union in (messages.ClientMessage, messages.ServerMessage):
        for kind in get_args(union):
            assert f"export interface {kind.__name__} {{\n" in text
    for code, reason in messages.CLOSE_REASONS.items():
        assert f'  {code}: "{reason}",' in text
    assert "export const CLOSE_REPLACED = 4001;" in text


def test_the_typescript_of_types() -> None:
    text = typescript()
    assert "  seat: Seat;\n" in text
    assert "  winner: Side | null;\n" in text
    assert "  present: [boolean, boolean, boolean, boolean];\n" in text
    assert '  kind: "empty" | "person" | "bot";\n' in text
    assert "  events: (TableOpened | SeatTaken | " in text


def test_an_unsupported_type_raises_a_type_error() -> None:
    with pytest.raises(TypeError, match="no TypeScript"):
        _type(float, {})
