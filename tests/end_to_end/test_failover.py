"""A master of the store fails under play: what was acknowledged is there, or everybody hears that it is lost."""

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
from tests.chaos.checks import Violation, not_told_in_order, replayed, violations
from tests.chaos.history import History, LogEntry, RequestRecord
from tests.chaos.players import PlayedTable
from tests.chaos.servers import said
from tests.end_to_end.failover_players import Gate, Guest, Histories, Party, servers_on
from tests.end_to_end.failover_tools import back, promote_by_hand, promoted, replicas_of
from tests.server.store.deployments import ClusterDeployment, Deployment, SentinelDeployment, ServerProcess, eventually
from tests.server.store.stores import open_log
from tests.serving import Serving

HANDS = 10
RULES = f"classic,floor=off,target=1000,hand_limit={HANDS}"
"""No game is over before its last hand."""
SHORT = "classic,floor=off,target=1000,hand_limit=4"
PEOPLE = (4, 2, 1)
GOES_ON_SECONDS = 10.0
"""The longest that play may stand still when a master fails and nothing else does."""
LONG_SECONDS = 30.0
"""… when it was first cut off for as long as makes people be told to wait, and Sentinels look for a replica twice."""


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
    """Two servers on one store, a party that plays, and all that the store tells of it."""

    deployment: Deployment
    servers: list[Serving]
    log: RedisLog
    party: Party
    told: Histories


@contextlib.asynccontextmanager
async def play_on(deployment: Deployment, folder: Path, gate: Gate, rules: str = RULES) -> AsyncIterator[Play]:
    async with (
        servers_on(folder, deployment.url) as servers,
        open_log(deployment.url, timeout_s=20, keepalive_s=1) as log,
        Histories(log).hearing() as told,
        Party(servers, PEOPLE, rules, gate).playing() as party,
    ):
        await party.all_see(1)
        yield Play(deployment, servers, log, party, told)


Failure = Callable[[Play, ServerProcess, list[ServerProcess]], Awaitable[None]]


async def killed(_play: Play, old: ServerProcess, _replicas: list[ServerProcess]) -> None:
    old.kill()


async def hung(_play: Play, old: ServerProcess, _replicas: list[ServerProcess]) -> None:
    old.process.send_signal(signal.SIGSTOP)


async def cut_off_and_killed(play: Play, old: ServerProcess, replicas: list[ServerProcess]) -> None:
    """It takes what no replica confirms, until at each table somebody was told to wait; then it dies."""
    tables = concerned(play, old)
    before = [paused(table) for table in tables]
    for replica in replicas:
        replica.process.send_signal(signal.SIGSTOP)
    await eventually(lambda: all(paused(table) > number for table, number in zip(tables, before, strict=True)))
    old.kill()
    for replica in replicas:
        replica.process.send_signal(signal.SIGCONT)


def paused(table: PlayedTable) -> int:
    return sum(guest.heard.count("saving_paused") for guest in guests_of(table))


def guests_of(table: PlayedTable) -> list[Guest]:
    return [guest for guest in table.people if isinstance(guest, Guest)]


def concerned(play: Play, master: ServerProcess) -> list[PlayedTable]:
    return [table for table in play.party.tables if play.deployment.owner_of(keys_of(table.code).head) is master]


async def fail_over(play: Play, fail: Failure, *, within: float) -> None:
    party, deployment = play.party, play.deployment
    await eventually(deployment.is_healthy)
    await party.go_on(GOES_ON_SECONDS)
    old = deployment.owner_of(keys_of(party.codes[0]).head)
    codes = [table.code for table in concerned(play, old)]
    replicas = replicas_of(deployment, old)
    before, begun = sum(one.acknowledged for one in party.asked), asyncio.get_running_loop().time()
    await fail(play, old, replicas)
    await back(deployment, old, await promoted(replicas))
    await party.go_on(within)
    await play.told.complete(party.codes)
    silence = max(party.silence(code, begun) for code in codes)
    others = [party.silence(code, begun) for code in party.codes if code not in codes]
    acknowledged = sum(one.acknowledged for one in party.asked) - before
    elsewhere = f" (tables of other masters: {max(others):.2f} s)" if others else ""
    name = f"{type(deployment).__name__}, master {fail.__name__.replace('_', ' ')}"
    print(f"\n{name}: no answers for {silence:.2f} s{elsewhere}, {acknowledged} commands acknowledged")
    assert silence < within


async def played_to_the_end(play: Play) -> dict[str, list[LogEntry]]:
    """The log of each table, which ends with what everybody sees."""
    await play.party.finish()
    journal = {}
    for table in play.party.tables:
        entries = journal[table.code] = await play.told.up_to(table.code, await play.told.read(table.code))
        end = replayed(entries)[-1]
        assert end.game is not None
        assert end.game.outcome is not None
        for guest in guests_of(table):
            seat = end.seat_of(guest.stream.player)
            await guest.client.wait_for(lambda view, seen=(end, seat): view == view_for(seen[1], seen[0]))
            assert guest.client.sheet == end.game.sheet
            assert not guest.missed
        assert not any(isinstance(event, BotTookOver) for entry in entries for event in entry.commit.events)
    return journal


async def not_as_told(
    play: Play, asked: Sequence[RequestRecord], journal: dict[str, list[LogEntry]]
) -> list[Violation]:
    """Whatever is wrong with a log, what was acknowledged with it, and what everybody saw of it last."""
    final = {code: await play.log.load(code) for code in journal}
    last = tuple(guest.histories()[-1] for guest in play.party.guests)
    return list(violations(History(tuple(asked), last, journal, final)))


async def not_announced(play: Play, guest: Guest) -> list[Violation]:
    """What is wrong with what a guest saw before the log lost its end.

    What another server was just storing was perhaps shown, and is known to nobody any more.
    """
    wrong: list[Violation] = []
    for stream in guest.histories()[:-1]:
        known = [seen for seen in stream.seen if play.told.knows(stream.code, seen.e)]
        assert len(known) >= len(stream.seen) - 1
        entries = await play.told.up_to(stream.code, LogPosition(known[-1].n, known[-1].e))
        wrong += not_told_in_order(replace(stream, seen=tuple(known)), entries, replayed(entries))
    return wrong


def voided(entries: Sequence[LogEntry]) -> list[tuple[LoggedEvent, ...]]:
    return [entry.commit.events for entry in entries if isinstance(entry.commit.events[0], HandVoided)]


@pytest.mark.parametrize(
    ("kind", "failures"), [("sentinel", (killed, hung, cut_off_and_killed)), ("cluster", (hung, killed))]
)
async def test_what_was_acknowledged_outlives_every_failover_and_games_are_played_to_their_end(
    kind: str, failures: Sequence[Failure], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    deployment = request.getfixturevalue(f"{kind}_deployment")
    async with play_on(deployment, tmp_path, Gate(HANDS)) as play:
        for fail in failures:
            await fail_over(play, fail, within=GOES_ON_SECONDS if fail is not cut_off_and_killed else LONG_SECONDS)
        journal = await played_to_the_end(play)
        asked = play.party.asked
        wrong = await not_as_told(play, asked, journal)
        for guest in play.party.guests:
            wrong += await not_announced(play, guest)
    for table in play.party.tables:
        assert not voided(journal[table.code]) or any("rewound" in guest.heard for guest in guests_of(table))
    number, rewound = sum(one.acknowledged for one in asked), sum("rewound" in each.heard for each in play.party.guests)
    print(f"{kind}: {number} acknowledged, lost or doubled 0, told that unacknowledged moves were lost: {rewound}")
    assert not wrong
    assert [line for line in said(play.servers)[1] if "table rewound" not in line] == []


async def test_when_acknowledged_moves_are_lost_everybody_hears_it_and_the_hand_is_dealt_again_once(
    sentinel_deployment: SentinelDeployment, tmp_path: Path
) -> None:
    gate = Gate(2, 4)
    async with play_on(sentinel_deployment, tmp_path, gate, rules=SHORT) as play:
        party, told = play.party, play.told
        master = sentinel_deployment.owner_of("")
        ahead, behind = replicas_of(sentinel_deployment, master)
        await party.all_see(2, 4)
        logs = [keys_of(code).log for code in party.codes]
        await eventually(lambda: all(behind.client.xlen(log) == master.client.xlen(log) for log in logs))
        behind.kill()
        gate.move(2, 8)
        await party.all_see(2, 8)  # confirmed by the other replica
        lost = {code: await told.up_to(code, await told.read(code)) for code in party.codes}
        before = party.asked
        wrong = await not_as_told(play, before, lost)
        gate.move(1000)
        ahead.kill()
        master.kill()
        begun = asyncio.get_running_loop().time()
        await promote_by_hand(sentinel_deployment, behind)
        await back(sentinel_deployment, ahead, behind)
        await party.go_on(GOES_ON_SECONDS)
        await told.complete(party.codes)
        silence = max(party.silence(code, begun) for code in party.codes)
        journal = await played_to_the_end(play)
        wrong += await not_as_told(play, [one for one in party.asked if one not in before], journal)
        for guest in party.guests:
            wrong += await not_announced(play, guest)
            assert guest.heard.count("rewound") == 1
            assert guest.histories()[1].seen[0].fresh
    assert not wrong
    number = 0
    for code, entries in journal.items():
        (again,) = voided(entries)
        number += len([entry for entry in lost[code] if entry not in entries])
        assert_dealt_again(again, lost[code], entries)
    print(f"\nrewind: no answers for {silence:.2f} s, {number} commits lost, all of them announced")


def assert_dealt_again(events: tuple[LoggedEvent, ...], lost: Sequence[LogEntry], entries: Sequence[LogEntry]) -> None:
    """The same hand of the same dealer, other cards, the scores as they were."""
    old = replayed(lost)[-1].game
    assert old is not None
    assert old.hand is not None
    voided, dealt = events
    assert isinstance(dealt, HandDealt)
    assert voided == HandVoided(2)
    assert (dealt.number, dealt.dealer) == (2, old.hand.dealer)
    at = next(place for place, entry in enumerate(entries, start=1) if entry.commit.events == events)
    new = replayed(entries)[at].game
    assert new is not None
    assert (new.sheet, new.scores) == (old.sheet, old.scores)


async def says_why_not(folder: Path, url: str) -> str:
    """Nothing when a server starts. `folder` is there."""
    server = Serving(folder, "--redis", url)
    try:
        await server.start()
    except AssertionError:
        assert await server.ended() == 1
        return server.log
    await server.stop()
    return ""


async def test_a_server_starts_while_the_master_or_a_sentinel_is_away_or_says_why_not(
    sentinel_deployment: SentinelDeployment, tmp_path: Path
) -> None:
    folders = {name: tmp_path / name for name in ("without a Sentinel", "in a failover", "without any master")}
    for folder in folders.values():
        folder.mkdir()
    url, sentence = sentinel_deployment.url, r"spades: the (Sentinel|store) at [^\n]+\n"
    sentinel_deployment.sentinels[0].kill()
    assert await says_why_not(folders["without a Sentinel"], url) == ""
    sentinel_deployment.servers[0].kill()
    said = await says_why_not(folders["in a failover"], url)  # which may take longer than a server waits
    assert said == "" or re.fullmatch(sentence, said)
    sentinel_deployment.sentinels[1].kill()
    for server in sentinel_deployment.servers:
        server.kill()
    assert re.fullmatch(sentence, await says_why_not(folders["without any master"], url))
