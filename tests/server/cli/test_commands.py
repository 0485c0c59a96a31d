"""`spades serve` as a command: its error messages, and its orderly stop."""

import asyncio
import os
import socket
from pathlib import Path

import pytest
from redis.asyncio import Redis

from server.settings import InvalidSetting, Settings, number_from
from server.store.embedded.process import EmbeddedStore
from tests.serving import COMMAND, serving


async def spades(*arguments: str, **environment: str) -> tuple[int | None, str]:
    """Run a command; return its exit status and its standard error."""
    process = await asyncio.create_subprocess_exec(
        COMMAND,
        *arguments,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        _, message = await process.communicate()
    return process.returncode, message.decode()


def one_sentence(message: str) -> str:
    """Return the one line of standard error that is not a log line, without its prefix."""
    lines = [line for line in message.splitlines() if not line.startswith("{")]
    assert len(lines) == 1, message
    assert lines[0].startswith("spades: ")
    return lines[0].removeprefix("spades: ")


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_port_in_use_is_named(tmp_path: Path, workers: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, message = await spades("serve", "--port", str(port), "--data", str(tmp_path), "--workers", workers)
    assert code == 1
    assert one_sentence(message).startswith(f"port {port} on 127.0.0.1 is in use")


async def test_a_data_folder_in_use_by_another_server_is_named(tmp_path: Path) -> None:
    async with serving(tmp_path):
        code, message = await spades("serve", "--port", "0", "--data", str(tmp_path / "data"))
    assert code == 1
    assert str(tmp_path / "data") in one_sentence(message)
    assert "in use" in one_sentence(message)


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_an_unreachable_redis_is_named(workers: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    code, message = await spades("serve", "--port", "0", "--redis", f"redis://127.0.0.1:{port}", "--workers", workers)
    assert code == 1
    assert f"127.0.0.1:{port}" in one_sentence(message)


async def test_a_redis_that_refuses_the_password_is_named_without_the_password(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as url, Redis.from_url(url, protocol=2) as redis:
        await redis.config_set("requirepass", "right")
        code, message = await spades("serve", "--port", "0", "--redis", url.replace("unix://", "unix://:wrong@"))
        await redis.execute_command("AUTH", "right")
        await redis.config_set("requirepass", "")
    assert code == 1
    assert "password" in one_sentence(message)
    assert "wrong" not in message


async def test_an_address_of_no_interface_is_named(tmp_path: Path) -> None:
    code, message = await spades("serve", "--host", "203.0.113.7", "--port", "0", "--data", str(tmp_path))
    assert code == 1
    assert "203.0.113.7" in one_sentence(message)


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (("--redis", "postgres://host"), {}, "the address of the store is not valid"),
        (("--redis", "redis://127.0.0.1:1?protocol=9"), {}, "the address of the store is not valid"),
        (("--host", "a..b"), {}, "the host cannot be 'a..b'"),
        (("--data", "~nosuchuser/x"), {}, "the data folder cannot be ~nosuchuser/x"),
        (("--port", "70000"), {}, "the port is a number from 0 to 65535, not 70000"),
        ((), {"SPADES_WORKERS": "0"}, "the number of workers is from 1 to 256, not 0"),
        ((), {"SPADES_WORKERS": "100000"}, "the number of workers is from 1 to 256, not 100000"),
        (("--expert-workers", "0"), {}, "the number of expert workers is from 1 to 256, not 0"),
        ((), {"SPADES_PACE": "fast"}, "SPADES_PACE is a number, not 'fast'"),
        ((), {"SPADES_AWAY_SECONDS": "-1"}, "SPADES_AWAY_SECONDS is zero or more, not -1.0"),
    ],
)
async def test_an_invalid_setting_is_named(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], message: str
) -> None:
    code, text = await spades("serve", "--port", "0", "--data", str(tmp_path), *arguments, **environment)
    assert code == 1
    assert one_sentence(text).startswith(message)


async def test_a_stopped_server_leaves_no_process_and_can_be_started_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        assert server.port
    running = {path.name for path in (tmp_path / "data").iterdir()}
    assert not any(name.endswith((".sock", ".pid")) for name in running)
    async with serving(tmp_path):
        pass


async def test_no_card_and_no_token_is_in_the_log(tmp_path: Path) -> None:
    from spades_client import Client

    async with serving(tmp_path) as server:
        async with Client(server.ws_url, "Anna") as anna:
            await anna.make_table()
            await anna.start()
            view = await anna.wait_for(lambda view: bool(view.hand))
            token = anna.token or ""
        log = server.log
    assert token not in log
    assert not any(f'"{card}"' in log for card in view.hand)


def test_settings_are_validated() -> None:
    with pytest.raises(InvalidSetting, match="SPADES_REQUESTS_PER_SECOND"):
        Settings(requests_per_second=0)
    assert number_from({}, "SPADES_PACE", 1.5) == 1.5
    assert number_from({"SPADES_PACE": "0.5"}, "SPADES_PACE", 1.5) == 0.5


@pytest.mark.parametrize(
    ("expert_workers", "workers", "each"),
    [(4, 1, 4), (4, 2, 2), (5, 2, 2), (4, 8, 1), (1, 1, 1), (None, 1, 6), (None, 3, 2)],
)
def test_expert_workers_are_shared_among_the_workers_and_each_has_one(
    monkeypatch: pytest.MonkeyPatch, expert_workers: int | None, workers: int, each: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)), raising=False)
    assert Settings(workers=workers, expert_workers=expert_workers).expert_workers_per_process == each
