"""The pool of expert workers: its size, its queue, its decisions, and what a failing process costs."""

import asyncio
import os
import signal
from contextlib import suppress
from random import Random

import pytest
from structlog.testing import capture_logs

from server.experts import pool as pool_module
from server.experts import worker
from server.experts.pool import MIN_THINKING_TIME, THINKING_TIME, WorkerPool, running_pool
from server.experts.request import DecisionRequest
from spades_core.automation import command_for_decision
from spades_core.bots.decisions import choose, legal_decisions
from spades_core.bots.levels import hard
from spades_core.commands import Command, DealHand, OpenTable, StartGame
from spades_core.decide import decide
from spades_core.deck import STANDARD, shuffled
from spades_core.evolve import evolve_all
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS
from spades_core.state import Table
from spades_core.views import SeatView, view_for
from tests.expert_pools import metric_value

PATIENT = 30.0
"""Seconds a busy machine may take to start a process."""


def after(table: Table, command: Command) -> Table:
    return evolve_all(table, decide(table, command))


def some_view() -> SeatView:
    """Return a view of the second trick from a seat with a choice."""
    table, rng = Table(), Random(4)
    for command in (
        OpenTable("KQXZP", CLASSIC, "p0", "Mara"),
        StartGame(SEATS[0], SEATS[3], "expert"),
        DealHand(shuffled(rng, STANDARD)),
    ):
        table = after(table, command)
    while table.turn is not None:
        view = view_for(table.turn, table)
        if view.tricks and len(legal_decisions(view)) > 3:
            return view
        table = after(table, command_for_decision(table.turn, choose(hard, view, rng)))
    raise AssertionError("a hand without a choice")


VIEW = some_view()


def deadline() -> float:
    return asyncio.get_running_loop().time() + PATIENT


def pids(pool: WorkerPool) -> list[int]:
    return [process.pid for process in pool._processes]


def is_running(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_a_worker_runs_at_low_priority_and_stops_with_the_pool() -> None:
    async with running_pool(2) as pool:
        assert pids(pool) == []
        assert await pool.request(VIEW, 7, deadline()) in legal_decisions(VIEW)
        (pid,) = pids(pool)
        assert pid != os.getpid()
        mine = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, mine + worker.NICENESS)
    assert not is_running(pid)


async def test_processes_are_started_on_demand_up_to_the_size_of_the_pool() -> None:
    async with running_pool(2) as pool:
        for _ in range(3):
            await pool.request(VIEW, 7, deadline())
        assert len(pids(pool)) == 1
        answers = [pool.request(VIEW, seed, deadline()) for seed in range(5)]
        await asyncio.sleep(0)
        assert metric_value("spades_expert_queue_length") == 3
        assert None not in await asyncio.gather(*answers)
        assert len(pids(pool)) == 2
        assert metric_value("spades_expert_queue_length") == 0


async def test_requests_are_served_by_deadline() -> None:
    order: list[str] = []
    async with running_pool(1) as pool:
        busy = pool.request(VIEW, 1, deadline())
        for name, later in (("last", 3.0), ("first", 1.0), ("second", 2.0)):
            pool.request(VIEW, 1, deadline() + later).add_done_callback(lambda _, name=name: order.append(name))
        await busy
        while len(order) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert order == ["first", "second", "last"]


async def test_the_thinking_time_shrinks_as_the_queue_grows() -> None:
    async with running_pool(2) as pool:
        assert pool._thinking_time() == THINKING_TIME
        answers = [pool.request(VIEW, seed, deadline()) for seed in range(6)]  # two in progress, four in the queue
        assert pool._thinking_time() == pytest.approx(THINKING_TIME / 3)
        assert None not in await asyncio.gather(*answers)


async def test_a_cancelled_request_leaves_the_queue() -> None:
    async with running_pool(1) as pool:
        first, cancelled, third = [pool.request(VIEW, seed, deadline()) for seed in range(3)]
        cancelled.cancel()
        await asyncio.sleep(0)
        assert metric_value("spades_expert_queue_length") == 1
        assert None not in await asyncio.gather(first, third)


async def test_a_request_cancelled_in_progress_does_not_cost_the_process() -> None:
    async with running_pool(1) as pool:
        await pool.request(VIEW, 1, deadline())
        cancelled, next_one = pool.request(VIEW, 2, deadline()), pool.request(VIEW, 3, deadline())
        await asyncio.sleep(0.01)
        cancelled.cancel()
        assert await next_one in legal_decisions(VIEW)
        assert len(pids(pool)) == 1


async def test_a_request_with_too_little_time_is_not_started() -> None:
    async with running_pool(1) as pool:
        assert await pool.request(VIEW, 1, asyncio.get_running_loop().time() + 0.9 * MIN_THINKING_TIME) is None
        assert pids(pool) == []


async def test_the_event_loop_is_not_blocked() -> None:
    turns = 0
    async with running_pool(2) as pool:
        await asyncio.gather(*(pool.request(VIEW, seed, deadline()) for seed in range(2)))
        answers = asyncio.gather(*(pool.request(VIEW, seed, deadline()) for seed in range(2)))
        while not answers.done():
            await asyncio.sleep(0.001)
            turns += 1
    assert turns >= 10


async def test_a_process_killed_at_work_costs_its_decision() -> None:
    died = metric_value("spades_expert_worker_deaths_total")
    async with running_pool(1) as pool:
        await pool.request(VIEW, 1, deadline())
        lost, next_one = pool.request(VIEW, 2, deadline()), pool.request(VIEW, 3, deadline())
        (pid,) = pids(pool)
        os.kill(pid, signal.SIGKILL)
        assert await lost is None
        assert await next_one in legal_decisions(VIEW)
        assert pid not in pids(pool)
    assert metric_value("spades_expert_worker_deaths_total") == died + 1


async def test_a_process_killed_when_idle_costs_nothing() -> None:
    async with running_pool(1) as pool:
        await pool.request(VIEW, 1, deadline())
        (process,) = pool._processes
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        assert await pool.request(VIEW, 2, deadline()) in legal_decisions(VIEW)
        assert pids(pool) != [process.pid]


async def test_a_hanging_process_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_pool(1) as pool:
        await pool.request(VIEW, 1, deadline())
        (pid,) = pids(pool)
        os.kill(pid, signal.SIGSTOP)
        with monkeypatch.context() as hurried:
            hurried.setattr(pool_module, "HANG_TIMEOUT", 0.1)
            assert await pool.request(VIEW, 2, deadline()) is None
        assert await pool.request(VIEW, 3, deadline()) in legal_decisions(VIEW)
        assert not is_running(pid)


async def test_a_process_hanging_at_the_end_is_killed() -> None:
    async with running_pool(1) as pool:
        await pool.request(VIEW, 1, deadline())
        (pid,) = pids(pool)
        os.kill(pid, signal.SIGSTOP)
    assert not is_running(pid)


async def test_stopping_resolves_requests_in_progress_and_drops_the_queue() -> None:
    async with running_pool(1) as pool:
        await pool.request(VIEW, 1, deadline())
        in_progress, queued = pool.request(VIEW, 2, deadline()), pool.request(VIEW, 3, deadline())
        (pid,) = pids(pool)
        await asyncio.sleep(0.01)
    assert not is_running(pid)
    assert await in_progress is None
    assert not queued.done()


async def test_a_worker_has_a_process_group_of_its_own_in_the_session() -> None:
    async with running_pool(1) as pool:
        await pool.request(VIEW, 1, deadline())
        (pid,) = pids(pool)
        assert os.getpgid(pid) != os.getpgid(0)
        assert os.getsid(pid) == os.getsid(0)


async def test_a_process_that_cannot_be_started_costs_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", refused)
    with capture_logs() as said:
        async with running_pool(1) as pool:
            assert await pool.request(VIEW, 1, deadline()) is None
    assert [line["event"] for line in said] == ["expert worker cannot be started"]


def test_an_expert_that_ignores_its_deadline_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    class EndlessExpert:
        def __init__(self, *_: object) -> None:
            pass

        def choose_card(self, *_: object) -> None:
            while True:
                pass

    monkeypatch.setattr(worker, "Expert", EndlessExpert)
    before = signal.signal(signal.SIGPROF, worker._raise_out_of_time)
    try:
        assert worker.answer(DecisionRequest(VIEW, 1, 1000.0, float("inf"))) == worker.NO_DECISION
    finally:
        signal.signal(signal.SIGPROF, before)
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
