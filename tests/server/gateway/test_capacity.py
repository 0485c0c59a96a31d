"""When the file descriptors of a process are used up, new clients get a 503 and the others play on."""

import resource

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus

from server.gateway import websocket
from tests.server.gateway.conftest import ClientFactory


@pytest.fixture
def room_for_two(monkeypatch: pytest.MonkeyPatch) -> None:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    monkeypatch.setattr(websocket, "RESERVED_FILES", files - 2)


@pytest.mark.usefixtures("room_for_two")
async def test_a_client_without_room_gets_a_503_and_one_warning_is_logged(new_client: ClientFactory) -> None:
    with capture_logs() as said:
        async with new_client() as anna, new_client() as ben:
            await anna.hello("Anna")
            await ben.hello("Ben")
            for _ in range(2):
                with pytest.raises(InvalidStatus) as refused:
                    async with new_client():
                        pass
                assert refused.value.response.status_code == 503
            assert (await anna.ask({"t": "ping"}))["t"] == "pong"
    assert [line["event"] for line in said] == ["too many connections: raise ulimit -n"]


@pytest.mark.usefixtures("room_for_two")
async def test_there_is_room_again_after_a_client_has_left(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello("Anna")
        async with new_client() as ben:
            await ben.hello("Ben")
        while True:
            try:
                async with new_client() as cleo:
                    assert (await cleo.hello("Cleo"))["t"] == "welcome"
                    return
            except InvalidStatus:
                continue
