"""Tables full of people of the Python client, who play whatever is legal, fast, and write down all they ask and see."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Self

from spades_client import Client, CommandRefused
from spades_client.connection import Answer, News, Request

from server.gateway.identity import identify
from spades_core.protocol.messages import JoinTable, Leave, Update
from spades_core.views import SeatView
from tests.chaos.history import ObservedUpdate, RequestRecord, UpdateStream, seen, shown

RULES = (
    "classic",
    "casual,target=150,hand_limit=4",
    "classic,target=200,blind_nil=swap,deck=jokers",
    "classic,min_bid=side_four,first_lead=lowest_clubs",
)
AGAIN_SECONDS = 0.05


class Person:
    """A client, looked at from outside. That it ends by itself, for whatever reason, is a failure."""

    def __init__(self, url: str, name: str, rng: Random, think: float) -> None:
        self.name = name
        self._rng = rng
        self._think = think
        self._asked: list[RequestRecord] = []
        self._seen: dict[str, list[ObservedUpdate]] = {}
        self.client = Client(url, name, rng=rng)
        link = self.client._link
        ask, news = link.ask, link._news
        link.ask = lambda request: self._ask_noted(ask, request)
        link._news = lambda update: self._noted(news, update)

    async def __aenter__(self) -> Self:
        await self.client.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.close()

    @property
    def asked(self) -> list[RequestRecord]:
        return self._asked

    @property
    def streams(self) -> list[UpdateStream]:
        return [UpdateStream(self._player(), code, tuple(all_seen)) for code, all_seen in self._seen.items()]

    def _player(self) -> str:
        return identify(self.name, self.client.token, None, 0).player

    async def _ask_noted(self, ask: Callable[[Request], Awaitable[Answer]], request: Request) -> Answer:
        now = asyncio.get_running_loop().time
        sent = now()
        try:
            answer = await ask(request)
        except CommandRefused as refused:
            self._note(RequestRecord(self._player(), request, sent, now(), refused=refused.code))
            raise
        except BaseException:
            self._note(RequestRecord(self._player(), request, sent))
            raise
        assert isinstance(answer, Update)
        self._note(RequestRecord(self._player(), request, sent, now(), answer.code, answer.n))
        return answer

    def _note(self, asked: RequestRecord) -> None:
        if not isinstance(asked.request, JoinTable | Leave):  # these change nothing that is remembered
            self._asked.append(asked)

    def _noted(self, news: News, update: Update | None) -> None:
        if update is not None:
            self._seen.setdefault(update.code, []).append(seen(update))
        news(update)

    async def persist(self, ask: Callable[[], Awaitable[SeatView]]) -> SeatView:
        """Ask until it is granted."""
        while True:
            try:
                return await ask()
            except CommandRefused as refused:
                if refused.code not in ("saving_paused", "busy"):
                    raise
                await asyncio.sleep(AGAIN_SECONDS)

    async def play(self, finishing: asyncio.Event) -> None:
        """For as long as it is let; a new game after each, until it is `finishing`."""
        while True:
            view = await self.client.wait_for(lambda view: asked_of(view, over=not finishing.is_set()))
            await asyncio.sleep(self._rng.uniform(0, self._think))
            try:
                await self.act(view)
            except CommandRefused:  # the table has moved on meanwhile, or cannot be saved
                await asyncio.sleep(AGAIN_SECONDS)

    async def act(self, view: SeatView) -> None:
        """Something legal."""
        client, rng = self.client, self._rng
        if view.phase == "over":
            await client.start()
        elif view.phase == "scored":
            await client.next_hand()
        elif view.may_bid_blind and rng.random() < 0.5:
            await client.bid(0, blind=True)
        elif view.may_look:
            await client.look()
        elif view.legal_bids:
            await client.bid(rng.choice(view.legal_bids))
        elif view.to_pass:
            first, second = rng.sample(view.hand, 2)
            await client.pass_cards(first, second)
        else:
            await client.play(rng.choice(view.legal_cards))


def asked_of(view: SeatView, *, over: bool) -> bool:
    """Whether the table waits for us; `over`: also for another game."""
    if view.phase == "over":
        return over and view.host == view.you
    if view.phase == "scored":
        return view.hand_number > 0 and view.you is not None and not view.seats[view.you].ready
    return view.turn is not None and view.turn == view.you


class PlayedTable:
    """One table and its people; bots sit where no person does."""

    def __init__(self, people: list[Person], rules: str) -> None:
        self.people = people
        self.code = ""
        self._rules = rules
        self._playing: list[asyncio.Task[None]] = []

    async def play(self, finishing: asyncio.Event) -> None:
        """Sit down, start, and play game after game."""
        host, *guests = self.people
        self.code = (await host.persist(lambda: host.client.make_table(self._rules))).code
        for seat, guest in enumerate(guests, start=1):
            await guest.persist(lambda guest=guest: guest.client.join(self.code))
            await guest.persist(lambda guest=guest, seat=seat: guest.client.sit(seat))
        for seat in range(len(self.people), 4):
            await host.persist(lambda seat=seat: host.client.add_bot(seat))
        await host.persist(host.client.start)
        async with asyncio.TaskGroup() as group:
            for person in self.people:
                group.create_task(person.play(finishing))

    async def over(self) -> None:
        """Until everybody sees that the game is over."""
        for person in self.people:
            await person.client.wait_for(lambda view: view.phase == "over")

    def stand(self) -> str:
        """What each of them has before their eyes."""
        last = {person.name: person.client.last for person in self.people}
        return "; ".join(
            f"{name} at {at.n}: {shown(at.view)}" if at else f"{name} nowhere" for name, at in last.items()
        )

    def __str__(self) -> str:
        return f"table {self.code or '(not yet made)'} of {', '.join(person.name for person in self.people)}"
