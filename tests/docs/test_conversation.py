"""The conversation of docs/protocol.md takes place on a real server, and the client there plays real games."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from websockets.asyncio.server import serve

from tests.docs import protocol_page as page
from tests.docs.blind_nil_server import BlindNilServer
from tests.docs.scripted_conversation import ScriptedConversation
from tests.docs.test_protocol import members, tag
from tests.serving import serving

GAME_SECONDS = 100
RULES = [
    (),
    ("classic,blind_nil=swap,deck=jokers,target=200",),
    ("casual,first_lead=lowest_clubs,deck=jokers_and_deuces,variant=whiz,hand_limit=4",),
    ("classic,nil_value=off,min_bid=no_ones,sum_not_13=on,first_lead=two_of_clubs,hand_limit=4",),
    ("classic,first_lead=highest_bidder,first_trick_spades=refused,lead_spades=any_time,variant=suicide,hand_limit=4",),
]
"""Arguments of the client on the page, besides the address."""


async def test_the_conversation_is_as_documented(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        conversation = ScriptedConversation(server.ws_url)
        for part in page.conversation():
            await conversation.step(part)
        await conversation.close()


def test_the_conversation_has_every_client_message() -> None:
    sent = {part.value["t"] for part in page.conversation() if part.note.endswith(" sends")}
    assert sent == {tag(kind) for kind in members("ClientMessage")}


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules[0] if rules else "no rules given")
async def test_the_client_on_the_page_plays_a_whole_game(tmp_path: Path, rules: tuple[str, ...]) -> None:
    async with serving(tmp_path) as server:
        await play(tmp_path, server.ws_url, *rules)


async def test_the_client_on_the_page_handles_a_blind_nil(tmp_path: Path) -> None:
    table = BlindNilServer()
    async with serve(table.handle, "127.0.0.1", 0) as server:
        [socket] = server.sockets
        await play(tmp_path, f"ws://127.0.0.1:{socket.getsockname()[1]}/ws")
    assert {"look", "pass"} <= set(table.received)


async def play(tmp_path: Path, *arguments: str) -> None:
    """Run the client of the page, which plays a whole game."""
    [client] = page.python_blocks()
    program = tmp_path / "client.py"
    program.write_text(client, encoding="utf-8")
    playing = await asyncio.create_subprocess_exec(
        sys.executable, str(program), *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        async with asyncio.timeout(GAME_SECONDS):
            output, _ = await playing.communicate()
    finally:
        if playing.returncode is None:
            playing.kill()
            await playing.wait()
    assert re.fullmatch(r"The game is over: \[-?\d+, -?\d+\]\n", output.decode()), output.decode()
    assert playing.returncode == 0
