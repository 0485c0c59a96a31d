"""A process may have so many files open and no more: who finds no room is told so, and those inside play on."""

import resource

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus

from server.gateway import websocket
from tests.server.gateway.conftest import Door


@pytest.fixture
def room_for_two(monkeypatch: pytest.MonkeyPatch) -> None:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    monkeypatch.setattr(websocket, "FILES_KEPT_BACK", files - 2)


@pytest.mark.usefixtures("room_for_two")
async def test_who_finds_no_room_is_sent_elsewhere_and_the_log_says_so_once(door: Door) -> None:
    with capture_logs() as said:
        async with door() as anna, door() as ben:
            await anna.hello("Anna")
            await ben.hello("Ben")
            for _ in range(2):
                with pytest.raises(InvalidStatus) as refused:
                    async with door():
                        pass
                assert refused.value.response.status_code == 503
            assert (await anna.ask({"t": "ping"}))["t"] == "pong"
    assert [line["event"] for line in said] == ["no room for more connections: raise ulimit -n"]


@pytest.mark.usefixtures("room_for_two")
async def test_there_is_room_again_when_somebody_has_gone(door: Door) -> None:
    async with door() as anna:
        await anna.hello("Anna")
        async with door() as ben:
            await ben.hello("Ben")
        while True:
            try:
                async with door() as cleo:
                    assert (await cleo.hello("Cleo"))["t"] == "welcome"
                    return
            except InvalidStatus:
                continue
