"""Players of the Python client, for tests and benchmarks of real servers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from spades_client import Client, CommandRefused
from spades_client.connection import Answer, Request

from server.gateway.identity import identify
from spades_core.bots import Bot
from spades_core.bots.decisions import choose, legal_decisions
from spades_core.bots.levels import medium
from spades_core.commit import LogPosition
from spades_core.protocol.messages import JoinTable, Leave, ServerMessage, Update
from spades_core.views import SeatView
from tests.history import ObservedUpdate, RequestRecord, UpdateStream

NAMES = ("Anna", "Ben", "Cleo", "Dora")
RETRY_DELAY_SECONDS = 0.05


class Player(Client):
    """A client that moves when asked: as `bot` does, or else at random among the legal moves.

    It thinks for a random time up to `think_seconds` before each move.
    """

    def __init__(
        self, url: str, name: str, rng: Random, *, bot: Bot | None = None, think_seconds: float = 0.0, **options: Any
    ) -> None:
        super().__init__(url, name, rng=rng, **options)
        self.think_seconds = think_seconds
        self._bot = bot
        self._rng = rng

    async def play_game(self) -> None:
        """Move until the game is over. Moves that the table no longer waits for are refused, and skipped."""
        while (view := await self.wait_for(lambda view: view.phase == "over" or awaits_viewer(view))).phase != "over":
            await self.think_and_move(view)

    async def play_games(self, keep_playing: Callable[[], bool]) -> None:
        """Move until cancelled; as host, start another game after each while `keep_playing()`."""
        while True:
            view = await self.wait_for(
                lambda view: awaits_viewer(view) or (view.phase == "over" and view.host == view.you and keep_playing())
            )
            await self.think_and_move(view)

    async def think_and_move(self, view: SeatView) -> None:
        await asyncio.sleep(self._rng.uniform(0, self.think_seconds))
        try:
            await self.move(view)
        except CommandRefused:  # the table has moved on meanwhile, or cannot be saved
            await asyncio.sleep(RETRY_DELAY_SECONDS)

    async def move(self, view: SeatView) -> None:
        """Do what the table waits for. Raises CommandRefused if it has moved on."""
        if view.phase == "over":
            await self.start()
        elif view.phase == "scored":
            await self.next_hand()
        else:
            await self._decide(view)

    async def _decide(self, view: SeatView) -> None:
        rng = self._rng
        decision: Any = choose(self._bot, view, rng) if self._bot else rng.choice(legal_decisions(view))
        if view.may_look:
            await (self.bid(0, blind=True) if decision else self.look())
        elif view.phase == "bidding":
            await self.bid(decision)
        elif view.to_pass:
            await self.pass_cards(*decision)
        else:
            await self.play(decision)

    async def retry(self, request: Callable[[], Any]) -> None:
        """Repeat a request until the server can save it."""
        while True:
            try:
                await request()
            except CommandRefused as refused:
                if refused.code not in ("saving_paused", "busy"):
                    raise
                await asyncio.sleep(RETRY_DELAY_SECONDS)
            else:
                return


class RecordingPlayer(Player):
    """Records its requests, but for those to join and leave, and every update."""

    def __init__(self, url: str, name: str, rng: Random, **options: Any) -> None:
        super().__init__(url, name, rng, on_message=self.observe, **options)
        self.records: list[RequestRecord] = []
        self._updates: dict[str, list[ObservedUpdate]] = {}

    @property
    def player(self) -> str:
        """The id of the player in commits."""
        return identify(self.name, self.token, None, 0).player

    @property
    def streams(self) -> list[UpdateStream]:
        return [UpdateStream(self.player, code, tuple(updates)) for code, updates in self._updates.items()]

    def observe(self, message: ServerMessage) -> None:
        if isinstance(message, Update):
            self._updates.setdefault(message.code, []).append(ObservedUpdate.of(message))

    async def request(self, request: Request) -> Answer:
        if isinstance(request, JoinTable | Leave):
            return await super().request(request)
        now = asyncio.get_running_loop().time
        record = RequestRecord("", request, sent=now())
        try:
            answer = await super().request(request)
        except CommandRefused as refused:
            record.answered, record.refusal = now(), refused.code
            raise
        else:
            assert isinstance(answer, Update)
            record.answered, record.code, record.position = now(), answer.code, LogPosition(answer.n, answer.e)
            return answer
        finally:
            record.player = self.player
            self.records.append(record)


def awaits_viewer(view: SeatView) -> bool:
    """Return whether the table waits for the viewer to move, or to ask for the next hand."""
    if view.phase == "scored":
        return view.hand_number > 0 and view.you is not None and not view.seats[view.you].ready
    return view.turn is not None and view.turn == view.you


@asynccontextmanager
async def seated_players(
    url: str,
    rules: str = "classic",
    *,
    names: Sequence[str] = NAMES,
    kind: type[Player] = Player,
    **options: Any,
) -> AsyncIterator[list[Any]]:
    """Seat players of the medium bot at a new table, the host first."""
    async with contextlib.AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(kind(url, name, Random(seat), bot=medium, **options))
            for seat, name in enumerate(names)
        ]
        host, *guests = players
        await host.make_table(rules)
        for seat, guest in enumerate(guests, start=1):
            await guest.join(host.code)
            await guest.sit(seat)
        yield players


async def play_all(players: Sequence[Player]) -> None:
    """Start a game and play it to its end."""
    await players[0].start()
    for player in players:  # not to take the game before for this one
        await player.wait_for(lambda view: view.phase == "bidding")
    await asyncio.gather(*(player.play_game() for player in players))


@asynccontextmanager
async def received_updates(client: Client) -> AsyncIterator[list[Update]]:
    """Collect the updates that a client receives within the block."""
    updates: list[Update] = []

    async def collect() -> None:
        async for update in client.updates():
            updates.append(update)

    collecting = asyncio.create_task(collect())
    yield updates
    collecting.cancel()
