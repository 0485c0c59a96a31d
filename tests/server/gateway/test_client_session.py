"""The protocol of a connection: valid messages, their order, and the refusals of everything else."""

import msgpack
import pytest

from server.gateway import client_session
from spades_core.protocol.messages import CLOSE_HELLO_TIMEOUT, CLOSE_PROTOCOL, CLOSE_REPLACED
from tests.server.gateway.conftest import ClientFactory


async def test_a_name_is_enough(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        welcome = await anna.hello("  Anna   Maria ")
        assert welcome["t"] == "welcome"
        assert welcome["name"] == "Anna Maria"
        assert len(welcome["token"]) == 43


async def test_a_token_identifies_its_player_and_an_invalid_token_makes_a_new_one(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        token = (await anna.hello())["token"]
        await anna.send({"t": "make_table", "id": "1"})
        code = (await anna.receive_answer("1"))["code"]
        async with new_client() as again:
            assert (await again.hello(token=token))["token"] == token
            await again.send({"t": "join_table", "id": "2", "code": code})
            assert (await again.receive_answer("2"))["view"]["you"] == 0
            assert await anna.wait_closed() == CLOSE_REPLACED
    async with new_client() as other:
        assert (await other.hello(token="../../etc"))["token"] != "../../etc"


@pytest.mark.parametrize(
    ("frame", "said", "field"),
    [
        ("text", "expected a binary frame, got text", None),
        (b"\xc1", "the frame is not msgpack", None),
        (b"", "the frame is not msgpack", None),
        (msgpack.packb({"t": "hello", "name": "A"}) + b"!", "the frame is not msgpack", None),
        (msgpack.packb(7), "expected a map, got 7", None),
        (msgpack.packb({"name": "Anna"}), "t: unknown message nothing", "t"),
        (msgpack.packb({"t": "dance"}), "t: unknown message 'dance'", "t"),
        (msgpack.packb({"t": "hello"}), "name: missing", "name"),
        (msgpack.packb({"t": "hello", "name": 7}), "name: expected text, got 7", "name"),
        (msgpack.packb({"t": "hello", "name": "A", "age": 7}), "age: unknown field", "age"),
        (msgpack.packb({"t": "hello", "name": msgpack.ExtType(1, b"x")}), "extension types are not used", None),
        (msgpack.packb({1: "hello"}), "", None),
    ],
)
async def test_an_invalid_frame_is_refused_with_the_reason_and_the_field(
    new_client: ClientFactory, frame: str | bytes, said: str, field: str | None
) -> None:
    async with new_client() as anna:
        await anna.socket.send(frame)
        refusal = await anna.receive()
        assert refusal["t"] == "refusal"
        assert refusal["code"] == "malformed"
        assert said in refusal["text"]
        assert refusal["field"] == field
        assert (await anna.hello())["t"] == "welcome"


async def test_three_bad_frames_in_a_row_end_the_connection(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        for _ in range(3):
            assert (await anna.ask({"t": "nonsense"}))["t"] == "refusal"
        assert await anna.wait_closed() == CLOSE_PROTOCOL


async def test_a_valid_frame_resets_the_count_of_bad_ones(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        for _ in range(5):
            assert (await anna.ask({"t": "nonsense"}))["t"] == "refusal"
            assert (await anna.ask({"t": "ping"}))["t"] == "pong"


async def test_a_frame_over_the_limit_ends_the_connection(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        await anna.send({"t": "join_table", "id": "1", "code": "X" * 5000})
        assert await anna.wait_closed() == 1009


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"t": "hello", "name": " "}, "bad_name"),
        ({"t": "hello", "name": "x" * 25}, "bad_name"),
        ({"t": "hello", "name": "A\u202eB"}, "bad_name"),
        ({"t": "make_table", "id": "1"}, "hello_first"),
    ],
)
async def test_an_invalid_hello_is_refused_and_may_be_repeated(
    new_client: ClientFactory, hello: dict[str, object], code: str
) -> None:
    async with new_client() as anna:
        assert (await anna.ask(hello))["code"] == code
        assert (await anna.hello())["t"] == "welcome"


async def test_a_client_of_another_protocol_version_is_refused_and_closed(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        assert (await anna.hello(protocol=99))["code"] == "protocol"
        assert await anna.wait_closed() == CLOSE_PROTOCOL


async def test_a_client_that_sends_nothing_is_closed(
    new_client: ClientFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_session, "HELLO_TIMEOUT", 0.05)
    async with new_client() as silent:
        assert await silent.wait_closed() == CLOSE_HELLO_TIMEOUT


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"t": "hello", "name": "Anna"}, "hello_once"),
        ({"t": "start", "id": "1"}, "no_table"),
        ({"t": "join_table", "id": "1", "code": "ZZZZZ"}, "no_table"),
        ({"t": "join_table", "id": "1", "code": "not a code \u0000"}, "no_table"),
        ({"t": "make_table", "id": "1", "rules": "poker"}, "bad_rules"),
    ],
)
async def test_an_impossible_request_is_refused_with_its_code(
    new_client: ClientFactory, request_: dict[str, object], code: str
) -> None:
    async with new_client() as anna:
        await anna.hello()
        refusal = await anna.ask(request_)
        assert refusal["code"] == code
        assert refusal["re"] == request_.get("id")
        assert refusal["text"][0].isupper()
        assert refusal["text"].endswith(".")


async def test_leaving_without_a_table_is_acknowledged(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        assert await anna.ask({"t": "leave", "id": "1"}) == {"t": "left", "re": "1"}


async def test_a_table_code_may_be_in_lower_case(new_client: ClientFactory) -> None:
    async with new_client() as anna, new_client() as ben:
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        code = (await anna.receive_answer("1"))["code"]
        assert not set(code) & set("IO")
        await ben.hello("Ben")
        await ben.send({"t": "join_table", "id": "2", "code": f" {code.lower()} "})
        assert (await ben.receive_answer("2"))["view"]["you"] is None


async def test_a_repeated_request_to_make_a_table_returns_the_same_table(new_client: ClientFactory) -> None:
    make = {"t": "make_table", "id": "the same"}
    async with new_client() as anna:
        token = (await anna.hello())["token"]
        await anna.send(make)
        code = (await anna.receive_answer("the same"))["code"]
    async with new_client() as anna, new_client() as ben:
        await anna.hello(token=token)
        await anna.send(make)
        again = await anna.receive_answer("the same")
        assert (again["code"], again["n"], again["view"]["you"]) == (code, 1, 0)
        await ben.hello("Ben")
        await ben.send(make)
        assert (await ben.receive_answer("the same"))["code"] != code


async def test_joining_a_second_table_leaves_the_first(new_client: ClientFactory) -> None:
    async with new_client() as anna, new_client() as ben:
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        code = (await anna.receive_answer("1"))["code"]
        await ben.hello("Ben")
        await ben.send({"t": "join_table", "id": "2", "code": code})
        assert (await ben.receive_answer("2"))["present"][0] is True
        await anna.send({"t": "make_table", "id": "3"})
        assert (await anna.receive_answer("3"))["code"] != code
        received = await ben.receive()
        while received["present"][0]:
            received = await ben.receive()
        assert received["t"] == "presence"


async def test_a_refused_join_keeps_the_current_table(new_client: ClientFactory) -> None:
    async with new_client() as anna, new_client() as ben:
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        home = (await anna.receive_answer("1"))["code"]
        await ben.hello("Ben")
        await ben.send({"t": "join_table", "id": "2", "code": "ZZZZZ"})
        assert (await ben.receive_answer("2"))["code"] == "no_table"
        await anna.send({"t": "join_table", "id": "3", "code": "ZZZZZ"})
        assert (await anna.receive_answer("3"))["code"] == "no_table"
        await anna.send({"t": "add_bot", "id": "4", "seat": 1})
        answer = await anna.receive_answer("4")
        assert answer["code"] == home
        assert answer["view"]["seats"][1]["kind"] == "bot"


async def test_requests_after_leaving_are_refused(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        await anna.receive_answer("1")
        await anna.send({"t": "leave", "id": "2"})
        assert (await anna.receive_answer("2"))["t"] == "left"
        await anna.send({"t": "start", "id": "3"})
        assert (await anna.receive_answer("3"))["code"] == "no_table"


async def test_every_ping_gets_its_pong(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        for _ in range(300):
            await anna.send({"t": "ping"})
        for _ in range(300):
            assert (await anna.receive())["t"] == "pong"


async def test_an_empty_request_id_is_an_id_like_any_other(new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        await anna.receive_answer("1")
        await anna.send({"t": "drop_bot", "id": "", "seat": 1})
        assert (await anna.receive_answer(""))["code"] == "no_bot"
