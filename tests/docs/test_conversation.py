"""What docs/protocol.md shows being said is said to a real server, and its client plays a real game."""

import asyncio
import re
import sys
from pathlib import Path

from tests.docs import protocol_page as page
from tests.docs.replay import Replay
from tests.docs.test_protocol import members, tag
from tests.serving import serving

GAME_SECONDS = 100


async def test_the_conversation_goes_as_documented(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        replay = Replay(server.socket)
        for part in page.conversation():
            await replay.step(part)
        await replay.end()


def test_the_conversation_has_every_message_of_a_client() -> None:
    said = {part.value["t"] for part in page.conversation() if part.note.endswith(" says")}
    assert said == {tag(kind) for kind in members("ClientMessage")}


async def test_the_client_on_the_page_plays_a_whole_game(tmp_path: Path) -> None:
    [client] = page.python_blocks()
    program = tmp_path / "client.py"
    program.write_text(client, encoding="utf-8")
    async with serving(tmp_path) as server:
        playing = await asyncio.create_subprocess_exec(
            sys.executable,
            str(program),
            server.socket,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            async with asyncio.timeout(GAME_SECONDS):
                said, _ = await playing.communicate()
        finally:
            if playing.returncode is None:
                playing.kill()
                await playing.wait()
    assert re.fullmatch(r"The game is over: \[-?\d+, -?\d+\]\n", said.decode()), said.decode()
    assert playing.returncode == 0
