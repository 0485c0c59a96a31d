"""`make bench-memory`: what a table and a finished game take up in the store, and a table in a server.

In the store, tables are played by four bots through the record of a server, each
command asked by a player as clients do. The largest a table gets is shown hand by
hand; then games by the classic rules are played and copied, key by key, until
there are as many tables as wanted. In a server, four clients at each table are at
a hand that has just been dealt; in a second one, the tables are those that one
client made, began and left. Linux only.
"""

import argparse
import asyncio
import os
import re
import secrets
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from signal import SIGTERM, SIGUSR1
from statistics import mean
from tempfile import TemporaryDirectory

from redis.asyncio import Redis
from spades_client import Client
from spades_client.connection import new_id

from server.store.embedded.process import EmbeddedStore
from server.store.keys import keys_of
from server.store.log import new_commit_id
from server.store.redis_log import RedisLog
from server.store.serialization import load_game
from server.tables.record import Record
from spades_core.bots.levels import medium
from spades_core.commands import AskForNextHand, Command, DealHand, OpenTable, PlaceBid, PlayCard, StartGame, TakeSeat
from spades_core.commit import Commit, LogPosition
from spades_core.decide import decide
from spades_core.deck import shuffled
from spades_core.evolve import current_hand
from spades_core.ruleset import parse_rules
from spades_core.seats import SEATS
from spades_core.state import Table
from spades_core.views import view_for
from tests.benchmarks.core import machine
from tests.serving import AT_ONCE

LONG_GAME = "classic,target=1000,floor=off,hand_limit=12"
GAMES = 20
"""How many games by the classic rules are really played."""
NAMES = ("Annabel", "Benedikt", "Cleo", "Dorothea")
SETTLE_SECONDS = 3.0
SERVER = """
import gc, signal, sys
signal.signal(signal.SIGUSR1, lambda *_: gc.collect())
from server.cli.commands import main
sys.exit(main(sys.argv[1:]))
"""


class BotGame:
    """Four people at a table of their own, all played by the bot."""

    def __init__(self, log: RedisLog, code: str, rng: Random) -> None:
        self.code = code
        self._log = log
        self._rng = rng
        self._players = [secrets.token_hex(12) for _ in SEATS]

    async def sit_down(self, rules: str) -> None:
        opening = OpenTable(self.code, parse_rules(rules), self._players[0], NAMES[0])
        first = Commit(1, new_commit_id(self._rng), "", self._players[0], new_id(), decide(Table(), opening))
        assert await self._log.create(self.code, first)
        loaded = await self._log.load(self.code)
        assert loaded is not None
        self.record = Record(self.code, self._log, loaded, rng=self._rng, next_hand_ms=30_000)
        for seat in SEATS[1:]:
            await self._ask(seat, TakeSeat(self._players[seat], NAMES[seat], seat))
        await self._log.set_presence(self.code, secrets.token_hex(8), dict.fromkeys(self._players, 1))

    async def start(self) -> None:
        await self._ask(SEATS[0], StartGame(SEATS[0], self._rng.choice(SEATS)))

    async def play_hand(self) -> bool:
        """False when it was the last."""
        for seat in SEATS if hand_is_scored(self.record.table) else ():
            await self._ask(seat, AskForNextHand(seat))
        await self.record.commit(DealHand(shuffled(self._rng)))
        while (table := self.record.table).phase in ("bidding", "playing"):
            seat = current_hand(table).turn
            view = view_for(seat, table)
            if table.phase == "bidding":
                await self._ask(seat, PlaceBid(seat, medium.choose_bid(view, self._rng)))
            else:
                await self._ask(seat, PlayCard(seat, medium.choose_card(view, self._rng)))
        return table.phase != "over"

    async def _ask(self, seat: int, command: Command) -> None:
        assert await self.record.commit(command, self._players[seat], new_id())


def hand_is_scored(table: Table) -> bool:
    return table.game is not None and bool(table.game.sheet)


@dataclass(frozen=True, slots=True)
class Finished:
    code: str
    n: int
    hands: int


class Store:
    """The store and what is in it."""

    def __init__(self, url: str) -> None:
        self.log = RedisLog(url)
        self._client = Redis.from_url(url, protocol=2)

    async def table(self, code: str) -> int:
        """Bytes of a table, all its keys and their names included."""
        keys = keys_of(code)
        return await self.key(keys.head) + await self.key(keys.log)

    async def key(self, key: str) -> int:
        return await self._client.memory_usage(key, samples=0) or 0

    async def length(self, key: str) -> int:
        return int(await self._client.strlen(key))

    async def used(self) -> int:
        return int((await self._client.info("memory"))["used_memory"])

    async def copy(self, old: str, new: str) -> None:
        assert await self._client.copy(old, new)

    async def index(self, code: str, n: int) -> None:
        await self._client.zadd(keys_of(code).games, {f"{code}:{n}": 1_800_000_000_000})

    async def flush(self, when: str) -> None:
        await self._client.config_set("appendfsync", when)

    async def close(self) -> None:
        await self.log.close()
        await self._client.aclose()


async def hand_by_hand(store: Store, rng: Random) -> None:
    player = BotGame(store.log, "LONGG", rng)
    await player.sit_down(LONG_GAME)
    print(f"a table in the store ({LONG_GAME}; four players, each with a name of eight letters):")
    print(f"  in the lobby      {await store.table(player.code):>7,} bytes")
    await player.start()
    for hand in range(1, 13):
        goes_on = await player.play_hand()
        over = "" if goes_on else "  (over: the log begins anew with the end of the game)"
        print(f"  after hand {hand:>2}     {await store.table(player.code):>7,} bytes{over}")


async def games(store: Store, rng: Random) -> list[Finished]:
    finished = []
    for number in range(GAMES):
        player = BotGame(store.log, f"GAME{'ABCDEFGHJKLMNPQRSTUV'[number]}", rng)
        await player.sit_down("classic")
        await player.start()
        hands = 1
        while await player.play_hand():
            hands += 1
        at: LogPosition = player.record.at
        finished.append(Finished(player.code, at.n, hands))
    keys = [keys_of(game.code).game(game.n) for game in finished]
    print(f"{GAMES} games by the classic rules, {mean(game.hands for game in finished):.1f} hands on average:")
    print(f"  the table, over   {mean([await store.table(game.code) for game in finished]):>7,.0f} bytes")
    sizes = [await store.key(key) for key in keys]
    print(f"  its archived game {mean(sizes):>7,.0f} bytes, from {min(sizes):,} to {max(sizes):,}")
    print(f"  compressed        {mean([await store.length(key) for key in keys]):>7,.0f} bytes")
    texts = [await store.log.ask_each([(key, ("GET", key))]) for key in keys]
    print(f"  as text           {mean(len(load_game(text).encode()) for (text,) in texts):>7,.0f} bytes")
    return finished


async def thousands(store: Store, finished: Sequence[Finished], tables: int) -> None:
    """By the memory of the whole store, its own tables of keys included."""
    print(f"{tables:,} of each, by used_memory:")
    before = await store.used()
    for number in range(tables):
        await BotGame(store.log, f"L{number:04}", Random(number)).sit_down("classic")
    print(f"  a lobby           {(await store.used() - before) / tables:>7,.0f} bytes")
    before = await store.used()
    for number in range(tables):
        old, new = keys_of(finished[number % GAMES].code), keys_of(f"O{number:04}")
        await store.copy(old.head, new.head)
        await store.copy(old.log, new.log)
    print(f"  a table, over     {(await store.used() - before) / tables:>7,.0f} bytes")
    before = await store.used()
    for number in range(tables):
        game, code = finished[number % GAMES], f"A{number:04}"
        await store.copy(keys_of(game.code).game(game.n), keys_of(code).game(game.n))
        await store.index(code, game.n)
    print(f"  an archived game  {(await store.used() - before) / tables:>7,.0f} bytes, its place in the index included")


class Server:
    """The real server, which collects its garbage when told to."""

    async def start(self, url: str, stack: AsyncExitStack) -> "Server":
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", SERVER, "serve", "--port", "0", "--redis", url, "--log-level", "error"),
            env={**os.environ, **AT_ONCE},
            stdout=PIPE,
        )
        stack.push_async_callback(self._stop)
        assert self._process.stdout is not None
        found = re.search(r":(\d+)/", (await self._process.stdout.readline()).decode())
        assert found is not None
        self.socket = f"ws://127.0.0.1:{found[1]}/ws"
        return self

    async def memory(self) -> int:
        """Resident bytes, once it has had time to do what was asked, without garbage."""
        await asyncio.sleep(SETTLE_SECONDS)
        self._process.send_signal(SIGUSR1)
        await asyncio.sleep(SETTLE_SECONDS)
        return resident(self._process.pid)

    async def _stop(self) -> None:
        self._process.send_signal(SIGTERM)
        await self._process.wait()


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def begin_game(server: Server, stack: AsyncExitStack) -> None:
    """Four clients, the first of them asked for a bid."""
    clients = [await stack.enter_async_context(Client(server.socket, name)) for name in NAMES]
    await clients[0].make_table()
    for seat, client in enumerate(clients[1:], start=1):
        await client.join(clients[0].code)
        await client.sit(seat)
    await clients[0].start()
    await clients[0].wait_for(lambda view: view.phase == "bidding")


async def leave_game(player: Client) -> None:
    """One client and three bots; the client goes on to the next table as soon as it is asked for a bid."""
    await player.make_table()
    await player.start()
    await player.wait_for(lambda view: bool(view.legal_bids))


async def in_a_server(url: str, tables: int) -> None:
    async with AsyncExitStack() as stack:
        busy, quiet = [await Server().start(url, stack) for _ in range(2)]
        player = await stack.enter_async_context(Client(quiet.socket, NAMES[0]))
        await begin_game(busy, stack)
        await leave_game(player)
        busy_before, quiet_before = await busy.memory(), await quiet.memory()
        for _ in range(tables):
            await begin_game(busy, stack)
        busy_after = await busy.memory()
        for _ in range(tables):
            await leave_game(player)
        quiet_after = await quiet.memory()
    print(f"in a server process, by its resident memory over {tables} tables, without garbage:")
    print(f"  with one table              {busy_before / 1e6:>7.1f} MB")
    print(f"  each table, four clients    {(busy_after - busy_before) / tables / 1000:>7.1f} kB")
    print(f"  each table, nobody looking  {(quiet_after - quiet_before) / tables / 1000:>7.1f} kB")


async def measure(tables: int, served: int) -> None:
    with TemporaryDirectory() as folder:
        async with EmbeddedStore(Path(folder)) as url:
            store = Store(url)
            await store.flush("no")  # the disk is not what is measured
            rng = Random(1)
            await hand_by_hand(store, rng)
            await thousands(store, await games(store, rng), tables)
            await store.flush("always")
            await store.close()
            await in_a_server(url, served)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tables", type=int, default=1000, help="in the store")
    arguments.add_argument("--served", type=int, default=250, help="tables in a server, with four clients each")
    chosen = arguments.parse_args()
    print(f"$ python -m tests.benchmarks.memory {' '.join(sys.argv[1:])}".rstrip())
    print(machine())
    asyncio.run(measure(chosen.tables, chosen.served))


if __name__ == "__main__":
    main()
