"""A master of the store fails during play: acknowledged moves survive, or every player is told that they are lost."""

import asyncio
import contextlib
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from server.store.keys import keys_of
from server.store.redis_log import RedisLog
from spades_core.commit import LogPosition
from spades_core.events import BotTookOver, HandDealt, HandVoided, LoggedEvent
from spades_core.views import view_for
from tests.chaos.checks import check_stream, replay, violations
from tests.chaos.players import PlayedTable
from tests.chaos.servers import read_logs
from tests.end_to_end.failover_players import Gate, GatedPlayer, GatedTables, LogRecorder, gated_players
from tests.end_to_end.failover_tools import bring_back, promote_by_hand, replicas_of, wait_promoted
from tests.history import History, LogEntry, RequestRecord, Violation
from tests.server.store.deployments import ClusterDeployment, Deployment, SentinelDeployment, StoreProcess, eventually
from tests.server.store.stores import open_log
from tests.serving import ServerProcess, several_servers

HANDS = 10
RULES = f"classic,floor=off,target=1000,hand_limit={HANDS}"
"""Rules whose games end with their last hand only."""
SHORT = "classic,floor=off,target=1000,hand_limit=4"
PLAYERS_PER_TABLE = (4, 2, 1)
FAILOVER_SECONDS = 10.0
"""Longest pause of play when a master fails and nothing else does."""
PARTITION_FAILOVER_SECONDS = 30.0
"""Longest pause when it was cut off from its replicas before, so that Sentinels look for a replica twice."""


@pytest.fixture
def sentinel_deployment(tmp_path: Path) -> Iterator[SentinelDeployment]:
    with SentinelDeployment(tmp_path / "store") as deployment:
        yield deployment


@pytest.fixture
def cluster_deployment(tmp_path: Path) -> Iterator[ClusterDeployment]:
    with ClusterDeployment(tmp_path / "store") as deployment:
        yield deployment


@dataclass(frozen=True, slots=True)
class Play:
    """Two servers on one store, the tables played there, and a recorder of their logs."""

    deployment: Deployment
    servers: list[ServerProcess]
    log: RedisLog
    tables: GatedTables
    recorder: LogRecorder


@contextlib.asynccontextmanager
async def play_on(deployment: Deployment, folder: Path, gate: Gate, rules: str = RULES) -> AsyncIterator[Play]:
    async with (
        several_servers(folder, ("one", "two"), "--redis", deployment.url) as servers,
        open_log(deployment.url, timeout_s=20, keepalive_s=1) as log,
        LogRecorder(log).recording() as recorder,
        GatedTables(servers, PLAYERS_PER_TABLE, rules, gate).playing() as tables,
    ):
        await tables.all_reach(1)
        yield Play(deployment, servers, log, tables, recorder)


Failure = Callable[[Play, StoreProcess, list[StoreProcess]], Awaitable[None]]


async def killed(_play: Play, old: StoreProcess, _replicas: list[StoreProcess]) -> None:
    old.kill()


async def hung(_play: Play, old: StoreProcess, _replicas: list[StoreProcess]) -> None:
    old.process.send_signal(signal.SIGSTOP)


async def cut_off_and_killed(play: Play, old: StoreProcess, replicas: list[StoreProcess]) -> None:
    """Stop the replicas until a player at each table was told that saving is paused; then kill the master."""
    tables = tables_on(play, old)
    before = [pauses(table) for table in tables]
    for replica in replicas:
        replica.process.send_signal(signal.SIGSTOP)
    await eventually(lambda: all(pauses(table) > number for table, number in zip(tables, before, strict=True)))
    old.kill()
    for replica in replicas:
        replica.process.send_signal(signal.SIGCONT)


def pauses(table: PlayedTable) -> int:
    return sum(player.notices.count("saving_paused") for player in gated_players(table))


def tables_on(play: Play, master: StoreProcess) -> list[PlayedTable]:
    return [table for table in play.tables.tables if play.deployment.owner_of(keys_of(table.code).head) is master]


async def fail_over(play: Play, fail: Failure, *, within: float) -> None:
    tables, deployment = play.tables, play.deployment
    await eventually(deployment.is_healthy)
    await tables.progress(FAILOVER_SECONDS)
    old = deployment.owner_of(keys_of(tables.codes[0]).head)
    codes = [table.code for table in tables_on(play, old)]
    replicas = replicas_of(deployment, old)
    before = sum(record.acknowledged for record in tables.records)
    start = asyncio.get_running_loop().time()
    await fail(play, old, replicas)
    await bring_back(deployment, old, await wait_promoted(replicas))
    await tables.progress(within)
    await play.recorder.catch_up(tables.codes)
    silence = max(tables.longest_silence(code, start) for code in codes)
    others = [tables.longest_silence(code, start) for code in tables.codes if code not in codes]
    acknowledged = sum(record.acknowledged for record in tables.records) - before
    elsewhere = f" (tables of other masters: {max(others):.2f} s)" if others else ""
    name = f"{type(deployment).__name__}, master {fail.__name__.replace('_', ' ')}"
    print(f"\n{name}: no answers for {silence:.2f} s{elsewhere}, {acknowledged} requests acknowledged")
    assert silence < within


async def play_to_the_end(play: Play) -> dict[str, list[LogEntry]]:
    """Finish all games; return the log of each table, which ends with what every player sees."""
    await play.tables.finish()
    logs = {}
    for table in play.tables.tables:
        top = await play.recorder.read(table.code)
        entries = logs[table.code] = await play.recorder.entries_up_to(table.code, top)
        end = replay(entries)[-1]
        assert end.game is not None
        assert end.game.outcome is not None
        for player in gated_players(table):
            expected = view_for(end.seat_of(player.player), end)
            await player.wait_for(lambda view, expected=expected: view == expected)
            assert player.sheet == end.game.sheet
            assert not player.absences
        assert not any(isinstance(event, BotTookOver) for entry in entries for event in entry.commit.events)
    return logs


async def check_play(play: Play, records: Sequence[RequestRecord], logs: dict[str, list[LogEntry]]) -> list[Violation]:
    """Check the logs, the requests, and the updates since the last rollback."""
    final = {code: await play.log.load(code) for code in logs}
    last = tuple(player.streams_between_rollbacks()[-1] for player in play.tables.players)
    return list(violations(History(tuple(records), last, logs, final)))


async def check_before_rollbacks(play: Play, player: GatedPlayer) -> list[Violation]:
    """Check the updates before each rollback.

    The last one may be of a commit that no recorder has: another server was storing it when the master failed.
    """
    found: list[Violation] = []
    for stream in player.streams_between_rollbacks()[:-1]:
        known = [update for update in stream.updates if play.recorder.knows(stream.code, update.e)]
        assert len(known) >= len(stream.updates) - 1
        entries = await play.recorder.entries_up_to(stream.code, LogPosition(known[-1].n, known[-1].e))
        found += check_stream(replace(stream, updates=tuple(known)), entries, replay(entries))
    return found


def voided(entries: Sequence[LogEntry]) -> list[tuple[LoggedEvent, ...]]:
    return [entry.commit.events for entry in entries if isinstance(entry.commit.events[0], HandVoided)]


@pytest.mark.parametrize(
    ("kind", "failures"), [("sentinel", (killed, hung, cut_off_and_killed)), ("cluster", (hung, killed))]
)
async def test_acknowledged_moves_survive_every_failover_and_games_are_played_to_their_end(
    kind: str, failures: Sequence[Failure], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    deployment = request.getfixturevalue(f"{kind}_deployment")
    async with play_on(deployment, tmp_path, Gate(HANDS)) as play:
        for fail in failures:
            await fail_over(
                play, fail, within=FAILOVER_SECONDS if fail is not cut_off_and_killed else PARTITION_FAILOVER_SECONDS
            )
        logs = await play_to_the_end(play)
        records = play.tables.records
        found = await check_play(play, records, logs)
        for player in play.tables.players:
            found += await check_before_rollbacks(play, player)
    for table in play.tables.tables:
        assert not voided(logs[table.code]) or any("rolled_back" in player.notices for player in gated_players(table))
    acknowledged = sum(record.acknowledged for record in records)
    rolled_back = sum("rolled_back" in player.notices for player in play.tables.players)
    print(f"{kind}: {acknowledged} acknowledged, lost or doubled 0, told of a rollback: {rolled_back}")
    assert not found
    assert [line for line in read_logs(play.servers)[1] if "table rolled back" not in line] == []


async def test_when_acknowledged_moves_are_lost_every_player_is_told_and_the_hand_is_dealt_again_once(
    sentinel_deployment: SentinelDeployment, tmp_path: Path
) -> None:
    gate = Gate(2, 4)
    async with play_on(sentinel_deployment, tmp_path, gate, rules=SHORT) as play:
        tables, recorder = play.tables, play.recorder
        master = sentinel_deployment.owner_of("")
        ahead, behind = replicas_of(sentinel_deployment, master)
        await tables.all_reach(2, 4)
        keys = [keys_of(code).log for code in tables.codes]
        await eventually(lambda: all(behind.client.xlen(key) == master.client.xlen(key) for key in keys))
        behind.kill()
        gate.move(2, 8)
        await tables.all_reach(2, 8)  # confirmed by the other replica
        lost = {code: await recorder.entries_up_to(code, await recorder.read(code)) for code in tables.codes}
        before = tables.records
        found = await check_play(play, before, lost)
        gate.move(1000)
        ahead.kill()
        master.kill()
        start = asyncio.get_running_loop().time()
        await promote_by_hand(sentinel_deployment, behind)
        await bring_back(sentinel_deployment, ahead, behind)
        await tables.progress(FAILOVER_SECONDS)
        await recorder.catch_up(tables.codes)
        silence = max(tables.longest_silence(code, start) for code in tables.codes)
        logs = await play_to_the_end(play)
        found += await check_play(play, [record for record in tables.records if record not in before], logs)
        for player in tables.players:
            found += await check_before_rollbacks(play, player)
            assert player.notices.count("rolled_back") == 1
            assert player.streams_between_rollbacks()[1].updates[0].fresh
    assert not found
    number = 0
    for code, entries in logs.items():
        (again,) = voided(entries)
        number += len([entry for entry in lost[code] if entry not in entries])
        assert_dealt_again(again, lost[code], entries)
    print(f"\nrewind: no answers for {silence:.2f} s, {number} commits lost, all of them announced")


def assert_dealt_again(events: tuple[LoggedEvent, ...], lost: Sequence[LogEntry], entries: Sequence[LogEntry]) -> None:
    """The hand and its dealer are the same, the cards are new, the scores as they were before the hand."""
    old = replay(lost)[-1].game
    assert old is not None
    assert old.hand is not None
    voided, dealt = events
    assert isinstance(dealt, HandDealt)
    assert voided == HandVoided(2)
    assert (dealt.number, dealt.dealer) == (2, old.hand.dealer)
    n = next(entry.commit.n for entry in entries if entry.commit.events == events)
    new = replay(entries)[n].game
    assert new is not None
    assert (new.sheet, new.scores) == (old.sheet, old.scores)


async def start_error(folder: Path, url: str) -> str:
    """Start and stop a server in an existing folder; return its error, or an empty string if it starts."""
    server = ServerProcess(folder, "--redis", url)
    try:
        await server.start()
    except AssertionError:
        assert await server.wait() == 1
        return server.log
    await server.stop()
    return ""


async def test_a_server_starts_without_the_master_or_a_sentinel_or_explains_why_not(
    sentinel_deployment: SentinelDeployment, tmp_path: Path
) -> None:
    folders = {name: tmp_path / name for name in ("without a Sentinel", "in a failover", "without any master")}
    for folder in folders.values():
        folder.mkdir()
    url, sentence = sentinel_deployment.url, r"spades: the (Sentinel|store) at [^\n]+\n"
    sentinel_deployment.sentinels[0].kill()
    assert await start_error(folders["without a Sentinel"], url) == ""
    sentinel_deployment.servers[0].kill()
    error = await start_error(folders["in a failover"], url)  # which may take longer than a server waits
    assert error == "" or re.fullmatch(sentence, error)
    sentinel_deployment.sentinels[1].kill()
    for server in sentinel_deployment.servers:
        server.kill()
    assert re.fullmatch(sentence, await start_error(folders["without any master"], url))
