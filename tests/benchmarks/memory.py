"""`make bench-memory`: the memory of a table and of a finished game in the store, and of a table in a server.

In the store, four bots play tables through the record of a server, with a player
and a request id for each command, as from clients. First, the size of one long
game after each hand; then classic games are played and their keys copied to the
wanted number of tables. In one server, each table has four clients in a hand that
has just been dealt; in another, one client has made, started and left them all.
Linux only.
"""

import argparse
import asyncio
import secrets
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from signal import SIGUSR1
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
from server.tables.replica import TableReplica
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
from tests.benchmarks.processes import machine, resident_bytes
from tests.players import seated_players
from tests.serving import ServerProcess, several_servers

LONG_GAME = "classic,target=1000,floor=off,hand_limit=12"
GAMES = 20
"""Number of classic games that are played, not copied."""
NAMES = ("Annabel", "Benedikt", "Cleo", "Dorothea")
SETTLE_SECONDS = 3.0
SERVER = """
import gc, signal, sys
signal.signal(signal.SIGUSR1, lambda *_: gc.collect())
from server.cli.commands import main
sys.exit(main(sys.argv[1:]))
"""


class BotGame:
    """A table of four players, all played by a bot."""

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
        self.replica = TableReplica(self.code, self._log, loaded, rng=self._rng, next_hand_delay_ms=30_000)
        for seat in SEATS[1:]:
            await self._ask(seat, TakeSeat(self._players[seat], NAMES[seat], seat))
        await self._log.set_presence(self.code, secrets.token_hex(8), dict.fromkeys(self._players, 1))

    async def start(self) -> None:
        await self._ask(SEATS[0], StartGame(SEATS[0], self._rng.choice(SEATS)))

    async def play_hand(self) -> bool:
        """Play a hand; return False if it was the last."""
        for seat in SEATS if self.replica.table.game.sheet else ():
            await self._ask(seat, AskForNextHand(seat))
        await self.replica.commit(DealHand(shuffled(self._rng)))
        while (table := self.replica.table).phase in ("bidding", "playing"):
            seat = current_hand(table).turn
            view = view_for(seat, table)
            if table.phase == "bidding":
                await self._ask(seat, PlaceBid(seat, medium.choose_bid(view, self._rng)))
            else:
                await self._ask(seat, PlayCard(seat, medium.choose_card(view, self._rng)))
        return table.phase != "over"

    async def _ask(self, seat: int, command: Command) -> None:
        assert await self.replica.commit(command, self._players[seat], new_id())


@dataclass(frozen=True, slots=True)
class Finished:
    code: str
    n: int
    hands: int


class Store:
    """The store and the sizes of its keys."""

    def __init__(self, url: str) -> None:
        self.log = RedisLog(url)
        self._client = Redis.from_url(url, protocol=2)

    async def table(self, code: str) -> int:
        """Return the bytes of a table, including the names of its keys."""
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
        over = "" if goes_on else "  (over: the log is trimmed to the end of the game)"
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
        at: LogPosition = player.replica.at
        finished.append(Finished(player.code, at.n, hands))
    keys = [keys_of(game.code).game(game.n) for game in finished]
    print(f"{GAMES} games by the classic rules, {mean(game.hands for game in finished):.1f} hands on average:")
    print(f"  the table, over   {mean([await store.table(game.code) for game in finished]):>7,.0f} bytes")
    sizes = [await store.key(key) for key in keys]
    print(f"  its archived game {mean(sizes):>7,.0f} bytes, from {min(sizes):,} to {max(sizes):,}")
    print(f"  compressed        {mean([await store.length(key) for key in keys]):>7,.0f} bytes")
    texts = [await store.log.execute_each([(key, ("GET", key))]) for key in keys]
    print(f"  as text           {mean(len(load_game(text).encode()) for (text,) in texts):>7,.0f} bytes")
    return finished


async def thousands(store: Store, finished: Sequence[Finished], tables: int) -> None:
    """Measure many tables and games by the used memory of the whole store, including its tables of keys."""
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
    print(f"  an archived game  {(await store.used() - before) / tables:>7,.0f} bytes, with its index entry")


class GcServer(ServerProcess):
    """A server that collects its garbage on SIGUSR1."""

    program = (sys.executable, "-c", SERVER)

    async def memory(self) -> int:
        """Return the resident bytes when the server is idle and has no garbage."""
        assert self._process is not None
        await asyncio.sleep(SETTLE_SECONDS)
        self.signal(SIGUSR1)
        await asyncio.sleep(SETTLE_SECONDS)
        return resident_bytes(self._process.pid)


async def begin_game(server: GcServer, stack: AsyncExitStack) -> None:
    """Start a game of four clients and wait for the first bid."""
    players = await stack.enter_async_context(seated_players(server.ws_url, names=NAMES))
    await players[0].start()
    await players[0].wait_for(lambda view: view.phase == "bidding")


async def leave_game(player: Client) -> None:
    """Start a game with three bots and leave it for another table at the first bid."""
    await player.make_table()
    await player.start()
    await player.wait_for(lambda view: bool(view.legal_bids))


async def in_a_server(url: str, tables: int, folder: Path) -> None:
    arguments = ("--redis", url, "--log-level", "error")
    async with AsyncExitStack() as stack:
        busy, quiet = await stack.enter_async_context(
            several_servers(folder, ("busy", "quiet"), *arguments, kind=GcServer)
        )
        player = await stack.enter_async_context(Client(quiet.ws_url, NAMES[0]))
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
    print(f"  each table, no clients      {(quiet_after - quiet_before) / tables / 1000:>7.1f} kB")


async def measure(tables: int, served: int) -> None:
    with TemporaryDirectory() as folder:
        async with EmbeddedStore(Path(folder)) as url:
            store = Store(url)
            await store.flush("no")  # the disk is not measured
            rng = Random(1)
            await hand_by_hand(store, rng)
            await thousands(store, await games(store, rng), tables)
            await store.flush("always")
            await store.close()
            await in_a_server(url, served, Path(folder))


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
