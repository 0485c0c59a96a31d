"""The conversation of docs/protocol.md, held with a real server: what is documented is said, and has to be answered so.

Tokens, codes, ids of commits and cards are different every time, so they are
put in; everything else is said and expected as it stands on the page.
"""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect

from tests.docs.protocol_page import Part

Message = dict[str, Any]
ANSWER_SECONDS = 10
BY_CHANCE = {"token", "version", "card", "e"}
"""What the page cannot know beforehand. Of `cards` it knows how many there are."""
PAGE_CODE = "KQXZP"


class ScriptedPlayer:
    """One player: a connection, the newest update, and every event heard so far by the number of its update."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._socket: ClientConnection | None = None
        self.token: str | None = None
        self.update: Message = {}
        self.events: dict[int, list[Message]] = {}
        self._own = 0

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
    def may_act(self) -> bool:
        return bool(self.view.get("legal_bids") or self.view.get("legal_cards"))

    async def say(self, message: Message) -> None:
        if self._socket is None:
            self._socket = await connect(self._address, compression=None)
        await self._socket.send(msgpack.packb(message))

    async def hear(self) -> Message:
        assert self._socket is not None
        message: Message = msgpack.unpackb(await self._socket.recv())
        if message["t"] == "welcome":
            self.token = message["token"]
        if message["t"] == "update":
            self.update = message
            self.events.setdefault(message["n"], []).extend(message["events"])
        return message

    async def hear_until(self, what: str, wanted: Callable[[Message], bool]) -> Message:
        """The first message from now on that is as wanted; `what` names it when it does not come."""
        heard: list[str] = []
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while not wanted(message := await self.hear()):
                    heard.append(_short(message))
        except TimeoutError:
            raise AssertionError(f"{what} was not heard, but: {'; '.join(heard) or 'nothing'}") from None
        return message

    async def act(self) -> None:
        """Bid or play, the lowest that is allowed."""
        self._own += 1
        request = {"id": f"own{self._own}", "on": self.update["e"]}
        if self.view["legal_bids"]:
            await self.say({"t": "bid", "bid": 1, **request})
        else:
            await self.say({"t": "play", "card": self.view["legal_cards"][0], **request})
        answer = await self.hear_until("an answer to a bid or card", lambda message: message.get("re") == request["id"])
        assert answer["t"] == "update", f"{request} was refused: {answer}"

    async def hang_up(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        self._socket = None


class ScriptedConversation:
    """Both people, and the steps of the page."""

    def __init__(self, address: str) -> None:
        self.people = {name: ScriptedPlayer(address) for name in ("mara", "jon")}
        self._said: dict[str, Message] = {}

    async def step(self, part: Part) -> None:
        if part.note == "the hand is played to its end":
            await self._play_until(lambda: self.people["mara"].view["phase"] == "scored")
            return
        name, _, what = part.note.partition(" ")
        person = self.people[name]
        if what == "loses the connection":
            await person.hang_up()
        elif what == "says something that is refused":
            await person.say(part.value)
        elif what == "says":
            await self._say(person, part.value)
        elif missed := re.fullmatch(r"hears what he missed, re (\w+)", what):
            await self._hear_missed(person, missed[1])
        elif what == "hears that play began":
            await person.hear_until(str(part), lambda message: part.value in message.get("events", ()))
        elif events := re.fullmatch(r"hears events, re (\w+)", what):
            await self._hear_events(person, part, None if events[1] == "null" else events[1])
        else:
            assert what == "hears", f"{part} is no step of a conversation"
            await person.hear_until(str(part), lambda message: _same(self._ours(part.value), message))

    async def end(self) -> None:
        for person in self.people.values():
            await person.hang_up()

    @property
    def _code(self) -> str:
        return str(self.people["mara"].view["code"])

    def _ours(self, value: Any) -> Any:
        """The same with the code of the table on the page, in capitals or not, replaced by that of ours."""
        if isinstance(value, dict):
            return {name: self._ours(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._ours(item) for item in value]
        if value == PAGE_CODE:
            return self._code
        return self._code.lower() if value == PAGE_CODE.lower() else value

    async def _say(self, person: ScriptedPlayer, message: Message) -> None:
        """As on the page, with this game's own token, position and card, once the person may."""
        again = self._said.get(message.get("id", ""))
        if again is None:
            await self._play_until(lambda: _may(person.view, message))
            if "on" in message:
                await self._catch_up(person)
            newest = {"token": person.token, "on": person.e, "n": person.n, "e": person.e}
            newest["card"] = next(iter(person.view.get("legal_cards", ())), None)
            newest["cards"] = person.view.get("hand", [])[: person.view.get("to_pass", 0)]
            again = {name: newest.get(name, value) for name, value in self._ours(message).items()}
            self._said[message.get("id", "hello")] = again
        await person.say(again)

    async def _hear_events(self, person: ScriptedPlayer, part: Part, answers: str | None) -> None:
        """An update whose events begin as documented; none documented means none at all."""

        def as_documented(message: Message) -> bool:
            if message["t"] != "update" or message["re"] != answers:
                return False
            if not part.value:
                return not message["events"]
            return _same(part.value, message["events"][: len(part.value)])

        await person.hear_until(str(part), as_documented)

    async def _hear_missed(self, person: ScriptedPlayer, answers: str) -> None:
        seen = self._said[answers]["n"]
        update = await person.hear_until("what was missed", lambda message: message.get("re") == answers)
        other = next(each for each in self.people.values() if each is not person)
        await self._catch_up(other)
        told = [event for n, events in sorted(other.events.items()) if seen < n <= update["n"] for event in events]
        assert update["fresh"] is False
        assert told, "nothing was missed, so this shows nothing"
        assert update["events"] == told

    async def _catch_up(self, person: ScriptedPlayer) -> None:
        newest = max(each.n for each in self.people.values())
        if person.n < newest:
            await person.hear_until(
                f"update {newest}", lambda message: message["t"] == "update" and message["n"] >= newest
            )

    async def _play_until(self, reached: Callable[[], bool]) -> None:
        """Whoever's turn it is acts; else the one who is behind hears what is new."""
        while not reached():
            actor = next((person for person in self.people.values() if person.may_act), None)
            if actor is not None:
                await actor.act()
            else:
                behind = min(self.people.values(), key=lambda person: person.n)
                await behind.hear_until("the next update", lambda message: message["t"] == "update")


def _may(view: Message, message: Message) -> bool:
    """Whether a message can be said now: what is for a turn waits for it."""
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


def _same(documented: Any, heard: Any) -> bool:
    if isinstance(documented, dict) and isinstance(heard, dict):
        names = documented.keys() - BY_CHANCE
        if len(documented.get("cards", ())) != len(heard.get("cards", ())):
            return False
        names -= {"cards"}
        return documented.keys() == heard.keys() and all(_same(documented[name], heard[name]) for name in names)
    if isinstance(documented, list) and isinstance(heard, list):
        return len(documented) == len(heard) and all(map(_same, documented, heard))
    return bool(documented == heard)


def _short(message: Message) -> str:
    names = ("t", "re", "n", "events", "code", "text", "present")
    return str({name: message[name] for name in names if name in message})
