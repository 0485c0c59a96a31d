"""The conversation of docs/protocol.md with a real server: documented messages are sent, and their answers expected.

Tokens, table codes, commit ids and cards differ from run to run and are replaced;
everything else is sent and expected as it is on the page.
"""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect

from tests.docs.protocol_page import Part

Message = dict[str, Any]
ANSWER_TIMEOUT_SECONDS = 10
UNPREDICTABLE = {"token", "version", "card", "e"}
"""Fields whose values the page cannot know. Of `cards` it knows the number."""
PAGE_CODE = "KQXZP"


class ScriptedPlayer:
    """A raw client with its newest update, and all events received so far by the number of their update."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._socket: ClientConnection | None = None
        self.token: str | None = None
        self.update: Message = {}
        self.events: dict[int, list[Message]] = {}
        self._moves = 0

    @property
    def view(self) -> Message:
        view: Message = self.update.get("view", {})
        return view

    @property
    def n(self) -> int:
        return int(self.update.get("n", 0))

    @property
    def e(self) -> str | None:
        return self.update.get("e")

    @property
    def may_move(self) -> bool:
        return bool(self.view.get("legal_bids") or self.view.get("legal_cards"))

    async def send(self, message: Message) -> None:
        if self._socket is None:
            self._socket = await connect(self._address, compression=None)
        await self._socket.send(msgpack.packb(message))

    async def receive(self) -> Message:
        assert self._socket is not None
        message: Message = msgpack.unpackb(await self._socket.recv())
        if message["t"] == "welcome":
            self.token = message["token"]
        if message["t"] == "update":
            self.update = message
            self.events.setdefault(message["n"], []).extend(message["events"])
        return message

    async def receive_until(self, what: str, condition: Callable[[Message], bool]) -> Message:
        """Return the first message that meets a condition; if none does in time, fail with the description `what`."""
        others: list[str] = []
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_SECONDS):
                while not condition(message := await self.receive()):
                    others.append(_short(message))
        except TimeoutError:
            raise AssertionError(f"{what} was not received, but: {'; '.join(others) or 'nothing'}") from None
        return message

    async def move(self) -> None:
        """Bid 1, or play the first legal card."""
        self._moves += 1
        request = {"id": f"move{self._moves}", "on": self.update["e"]}
        if self.view["legal_bids"]:
            await self.send({"t": "bid", "bid": 1, **request})
        else:
            await self.send({"t": "play", "card": self.view["legal_cards"][0], **request})
        answer = await self.receive_until(
            "an answer to a bid or card", lambda message: message.get("re") == request["id"]
        )
        assert answer["t"] == "update", f"{request} was refused: {answer}"

    async def disconnect(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        self._socket = None


class ScriptedConversation:
    """The two players, and the steps of the page."""

    def __init__(self, address: str) -> None:
        self.players = {name: ScriptedPlayer(address) for name in ("mara", "jon")}
        self._sent: dict[str, Message] = {}

    async def step(self, part: Part) -> None:
        if part.note == "the hand is played to its end":
            await self._play_until(lambda: self.players["mara"].view["phase"] == "scored")
            return
        name, _, what = part.note.partition(" ")
        player = self.players[name]
        if what == "loses the connection":
            await player.disconnect()
        elif what == "sends something that is refused":
            await player.send(part.value)
        elif what == "sends":
            await self._send(player, part.value)
        elif missed := re.fullmatch(r"receives the missed events, re (\w+)", what):
            await self._receive_missed(player, missed[1])
        elif what == "receives the beginning of play":
            await player.receive_until(str(part), lambda message: part.value in message.get("events", ()))
        elif events := re.fullmatch(r"receives events, re (\w+)", what):
            await self._receive_events(player, part, None if events[1] == "null" else events[1])
        else:
            assert what == "receives", f"{part} is not a step of a conversation"
            await player.receive_until(str(part), lambda message: _matches(self._localize(part.value), message))

    async def close(self) -> None:
        for player in self.players.values():
            await player.disconnect()

    @property
    def _code(self) -> str:
        return str(self.players["mara"].view["code"])

    def _localize(self, value: Any) -> Any:
        """Replace the table code of the page, in either case, by that of this table."""
        if isinstance(value, dict):
            return {name: self._localize(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._localize(item) for item in value]
        if value == PAGE_CODE:
            return self._code
        return self._code.lower() if value == PAGE_CODE.lower() else value

    async def _send(self, player: ScriptedPlayer, message: Message) -> None:
        """Send a message of the page with the token, position and cards of this game, once it is legal."""
        actual = self._sent.get(message.get("id", ""))
        if actual is None:
            await self._play_until(lambda: _is_legal(player.view, message))
            if "on" in message:
                await self._catch_up(player)
            newest = {"token": player.token, "on": player.e, "n": player.n, "e": player.e}
            newest["card"] = next(iter(player.view.get("legal_cards", ())), None)
            newest["cards"] = player.view.get("hand", [])[: player.view.get("to_pass", 0)]
            actual = {name: newest.get(name, value) for name, value in self._localize(message).items()}
            self._sent[message.get("id", "hello")] = actual
        await player.send(actual)

    async def _receive_events(self, player: ScriptedPlayer, part: Part, request_id: str | None) -> None:
        """Receive an update whose events begin as documented; it has no events if none are documented."""

        def as_documented(message: Message) -> bool:
            if message["t"] != "update" or message["re"] != request_id:
                return False
            if not part.value:
                return not message["events"]
            return _matches(part.value, message["events"][: len(part.value)])

        await player.receive_until(str(part), as_documented)

    async def _receive_missed(self, player: ScriptedPlayer, request_id: str) -> None:
        last = self._sent[request_id]["n"]
        update = await player.receive_until("the missed events", lambda message: message.get("re") == request_id)
        other = next(each for each in self.players.values() if each is not player)
        await self._catch_up(other)
        expected = [event for n, events in sorted(other.events.items()) if last < n <= update["n"] for event in events]
        assert update["fresh"] is False
        assert expected, "no events were missed"
        assert update["events"] == expected

    async def _catch_up(self, player: ScriptedPlayer) -> None:
        newest = max(each.n for each in self.players.values())
        if player.n < newest:
            await player.receive_until(
                f"update {newest}", lambda message: message["t"] == "update" and message["n"] >= newest
            )

    async def _play_until(self, reached: Callable[[], bool]) -> None:
        """Let the player on turn move; if there is none, let the one who is behind receive an update."""
        while not reached():
            actor = next((player for player in self.players.values() if player.may_move), None)
            if actor is not None:
                await actor.move()
            else:
                behind = min(self.players.values(), key=lambda player: player.n)
                await behind.receive_until("the next update", lambda message: message["t"] == "update")


def _is_legal(view: Message, message: Message) -> bool:
    """Return whether a message is legal now, as far as it depends on the turn."""
    match message["t"]:
        case "look":
            return bool(view["may_look"] and view["turn"] == view["you"])
        case "bid":
            return bool(view["may_bid_blind"] if message.get("blind") else view["legal_bids"])
        case "pass":
            return bool(view["to_pass"])
        case "play":
            return bool(view["legal_cards"])
        case _:
            return True


def _matches(documented: Any, received: Any) -> bool:
    if isinstance(documented, dict) and isinstance(received, dict):
        names = documented.keys() - UNPREDICTABLE
        if len(documented.get("cards", ())) != len(received.get("cards", ())):
            return False
        names -= {"cards"}
        return documented.keys() == received.keys() and all(
            _matches(documented[name], received[name]) for name in names
        )
    if isinstance(documented, list) and isinstance(received, list):
        return len(documented) == len(received) and all(map(_matches, documented, received))
    return bool(documented == received)


def _short(message: Message) -> str:
    names = ("t", "re", "n", "events", "code", "text", "present")
    return str({name: message[name] for name in names if name in message})
