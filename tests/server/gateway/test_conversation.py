"""What a connection may say, in which order, and what it gets for everything else."""

import msgpack
import pytest

from server.gateway import router
from spades_core.protocol.messages import CLOSE_PROTOCOL, CLOSE_REPLACED, CLOSE_SILENT
from tests.server.gateway.conftest import Door


async def test_a_name_is_enough(door: Door) -> None:
    async with door() as anna:
        welcome = await anna.hello("  Anna   Maria ")
        assert welcome["t"] == "welcome"
        assert welcome["name"] == "Anna Maria"
        assert len(welcome["token"]) == 43


async def test_a_token_is_the_same_player_again_and_a_foreign_text_is_a_new_one(door: Door) -> None:
    async with door() as anna:
        token = (await anna.hello())["token"]
        await anna.say({"t": "make_table", "id": "1"})
        code = (await anna.hear_of("1"))["code"]
        async with door() as again:
            assert (await again.hello(token=token))["token"] == token
            await again.say({"t": "join_table", "id": "2", "code": code})
            assert (await again.hear_of("2"))["view"]["you"] == 0
            assert await anna.until_closed() == CLOSE_REPLACED
    async with door() as other:
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
async def test_a_frame_that_is_no_message_is_answered_with_what_and_where(
    door: Door, frame: str | bytes, said: str, field: str | None
) -> None:
    async with door() as anna:
        await anna.socket.send(frame)
        refusal = await anna.hear()
        assert refusal["t"] == "refusal"
        assert refusal["code"] == "malformed"
        assert said in refusal["text"]
        assert refusal["field"] == field
        assert (await anna.hello())["t"] == "welcome"


async def test_three_bad_frames_in_a_row_end_the_connection(door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        for _ in range(3):
            assert (await anna.ask({"t": "nonsense"}))["t"] == "refusal"
        assert await anna.until_closed() == CLOSE_PROTOCOL


async def test_a_good_frame_between_bad_ones_forgives_them(door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        for _ in range(5):
            assert (await anna.ask({"t": "nonsense"}))["t"] == "refusal"
            assert (await anna.ask({"t": "ping"}))["t"] == "pong"


async def test_a_frame_over_the_limit_ends_the_connection(door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        await anna.say({"t": "join_table", "id": "1", "code": "X" * 5000})
        assert await anna.until_closed() == 1009


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"t": "hello", "name": " "}, "bad_name"),
        ({"t": "hello", "name": "x" * 25}, "bad_name"),
        ({"t": "hello", "name": "A\u202eB"}, "bad_name"),
        ({"t": "make_table", "id": "1"}, "hello_first"),
    ],
)
async def test_a_hello_that_does_not_work_is_refused_and_may_be_said_again(
    door: Door, hello: dict[str, object], code: str
) -> None:
    async with door() as anna:
        assert (await anna.ask(hello))["code"] == code
        assert (await anna.hello())["t"] == "welcome"


async def test_a_client_of_another_protocol_is_told_and_let_go(door: Door) -> None:
    async with door() as anna:
        assert (await anna.hello(protocol=99))["code"] == "protocol"
        assert await anna.until_closed() == CLOSE_PROTOCOL


async def test_who_says_nothing_is_let_go(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router, "FIRST_FRAME_SECONDS", 0.05)
    async with door() as silent:
        assert await silent.until_closed() == CLOSE_SILENT


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
async def test_what_cannot_be_done_is_refused_with_its_code(door: Door, request_: dict[str, object], code: str) -> None:
    async with door() as anna:
        await anna.hello()
        refusal = await anna.ask(request_)
        assert refusal["code"] == code
        assert refusal["re"] == request_.get("id")
        assert refusal["text"][0].isupper()
        assert refusal["text"].endswith(".")


async def test_leaving_without_a_table_is_leaving(door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        assert await anna.ask({"t": "leave", "id": "1"}) == {"t": "left", "re": "1"}


async def test_a_code_may_be_typed_small(door: Door) -> None:
    async with door() as anna, door() as ben:
        await anna.hello()
        await anna.say({"t": "make_table", "id": "1"})
        code = (await anna.hear_of("1"))["code"]
        assert not set(code) & set("IO")
        await ben.hello("Ben")
        await ben.say({"t": "join_table", "id": "2", "code": f" {code.lower()} "})
        assert (await ben.hear_of("2"))["view"]["you"] is None


async def test_a_table_asked_for_again_is_the_same_table(door: Door) -> None:
    make = {"t": "make_table", "id": "the same"}
    async with door() as anna:
        token = (await anna.hello())["token"]
        await anna.say(make)
        code = (await anna.hear_of("the same"))["code"]
    async with door() as anna, door() as ben:
        await anna.hello(token=token)
        await anna.say(make)
        again = await anna.hear_of("the same")
        assert (again["code"], again["n"], again["view"]["you"]) == (code, 1, 0)
        await ben.hello("Ben")
        await ben.say(make)
        assert (await ben.hear_of("the same"))["code"] != code


async def test_a_second_table_means_goodbye_to_the_first(door: Door) -> None:
    async with door() as anna, door() as ben:
        await anna.hello()
        await anna.say({"t": "make_table", "id": "1"})
        code = (await anna.hear_of("1"))["code"]
        await ben.hello("Ben")
        await ben.say({"t": "join_table", "id": "2", "code": code})
        assert (await ben.hear_of("2"))["present"][0] is True
        await anna.say({"t": "make_table", "id": "3"})
        assert (await anna.hear_of("3"))["code"] != code
        heard = await ben.hear()
        while heard["present"][0]:
            heard = await ben.hear()
        assert heard["t"] == "presence"


async def test_a_table_that_does_not_let_us_in_costs_nobody_their_own(door: Door) -> None:
    async with door() as anna, door() as ben:
        await anna.hello()
        await anna.say({"t": "make_table", "id": "1"})
        home = (await anna.hear_of("1"))["code"]
        await ben.hello("Ben")
        await ben.say({"t": "join_table", "id": "2", "code": "ZZZZZ"})
        assert (await ben.hear_of("2"))["code"] == "no_table"
        await anna.say({"t": "join_table", "id": "3", "code": "ZZZZZ"})
        assert (await anna.hear_of("3"))["code"] == "no_table"
        await anna.say({"t": "add_bot", "id": "4", "seat": 1})
        answer = await anna.hear_of("4")
        assert answer["code"] == home
        assert answer["view"]["seats"][1]["kind"] == "bot"


async def test_what_is_asked_after_leaving_is_refused(door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        await anna.say({"t": "make_table", "id": "1"})
        await anna.hear_of("1")
        await anna.say({"t": "leave", "id": "2"})
        assert (await anna.hear_of("2"))["t"] == "left"
        await anna.say({"t": "start", "id": "3"})
        assert (await anna.hear_of("3"))["code"] == "no_table"


async def test_every_ping_gets_its_pong(door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        for _ in range(300):
            await anna.say({"t": "ping"})
        for _ in range(300):
            assert (await anna.hear())["t"] == "pong"


async def test_an_empty_request_id_is_an_id_like_any_other(door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        await anna.say({"t": "make_table", "id": "1"})
        await anna.hear_of("1")
        await anna.say({"t": "drop_bot", "id": "", "seat": 1})
        assert (await anna.hear_of(""))["code"] == "no_bot"
