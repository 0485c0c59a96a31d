"""The program and the first command of the README work, and its links are valid."""

import asyncio
import http.client
import os
import re
import signal
import sys
from pathlib import Path

from tests.serving import serving

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_links_are_valid() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_files_exist() -> None:
    files = re.findall(r"`([a-z_]+/[a-z_/.]+\.[a-z]+)`", README)
    assert len(files) > 4
    assert [file for file in files if not (ROOT / file).exists()] == []


async def test_the_program_plays_a_game(tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    async with serving(tmp_path) as server:
        (tmp_path / "mara.py").write_text(program.replace("ws://localhost:8080/ws", server.ws_url), encoding="utf-8")
        playing = await asyncio.create_subprocess_exec(
            sys.executable, tmp_path / "mara.py", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        async with asyncio.timeout(60):
            output = (await playing.communicate())[0].decode()
    assert output.startswith("Hand 1: ")
    assert output.endswith("The game is over.\n")


async def test_make_play_serves_the_page_and_stops_with_ctrl_c(tmp_path: Path) -> None:
    playing = await asyncio.create_subprocess_exec(
        "make",
        "play",
        cwd=ROOT,
        env={**os.environ, "SPADES_PORT": "0", "SPADES_DATA": str(tmp_path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    assert playing.stdout is not None
    async with asyncio.timeout(100):
        while not (found := re.match(r"Open http://localhost:(\d+)/", (await playing.stdout.readline()).decode())):
            pass
    page = http.client.HTTPConnection("localhost", int(found[1]), timeout=10)
    page.request("GET", "/")
    assert b"Fourth Seat" in page.getresponse().read()
    page.close()
    os.killpg(playing.pid, signal.SIGINT)
    async with asyncio.timeout(20):
        await playing.communicate()
    assert not [name for name in os.listdir(tmp_path / "data") if name.endswith(".sock")]
