"""A copy of the data folder, made as deploy/README.md says, restores the tables on another machine."""

import asyncio
from pathlib import Path
from typing import Any

import msgpack
from websockets.asyncio.client import connect

from tests.serving import serving


async def ask(port: int, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Send messages on one connection; return the first answer to each, skipping presence."""
    answers = []
    async with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as player:
        for message in messages:
            await player.send(msgpack.packb(message))
            answer = msgpack.unpackb(await player.recv())
            while answer["t"] == "presence":
                answer = msgpack.unpackb(await player.recv())
            answers.append(answer)
    return answers


async def tar(*arguments: str | Path) -> None:
    process = await asyncio.create_subprocess_exec("tar", *arguments)
    assert await process.wait() == 0


async def test_a_copy_of_the_data_folder_restores_the_tables(tmp_path: Path) -> None:
    old, new, archive = tmp_path / "old", tmp_path / "new", tmp_path / "fourth-seat.tar.gz"
    old.mkdir()
    async with serving(old) as server:
        welcome, made = await ask(server.port, {"t": "hello", "name": "Mara"}, {"t": "make_table", "id": "1"})
    await tar("-czf", archive, "-C", old / "data", ".")
    (new / "data").mkdir(parents=True)
    await tar("-xzf", archive, "-C", new / "data")
    back = {"t": "join_table", "id": "2", "code": made["code"], "n": made["n"], "e": made["e"]}
    async with serving(new) as server:
        _, joined = await ask(server.port, {"t": "hello", "name": "Mara", "token": welcome["token"]}, back)
    assert joined["re"] == "2"
    assert joined["fresh"] is False
    assert joined["view"] == made["view"]
