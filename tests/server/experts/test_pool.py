"""The processes that think: how many there are, what they answer, and that whatever happens to one costs one answer."""

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
from spades_core.automation import move
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
from tests.expert_pools import counted

PATIENT = 30.0
"""So long a busy machine may take to start a process."""


def after(table: Table, command: Command) -> Table:
    return evolve_all(table, decide(table, command))


def some_view() -> SeatView:
    """Of the second trick, from a seat that has a choice."""
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
        table = after(table, move(table.turn, choose(hard, view, rng)))
    raise AssertionError("a hand without a choice")


VIEW = some_view()


def soon() -> float:
    return asyncio.get_running_loop().time() + PATIENT


def pids(pool: WorkerPool) -> list[int]:
    return [process.pid for process in pool._processes]


def is_running(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_an_expert_thinks_in_a_process_that_steps_back_and_is_gone_in_the_end() -> None:
    async with running_pool(2) as pool:
        assert pids(pool) == []
        assert await pool.ask(VIEW, 7, soon()) in legal_decisions(VIEW)
        (pid,) = pids(pool)
        assert pid != os.getpid()
        mine = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, mine + worker.NICENESS)
    assert not is_running(pid)


async def test_there_are_as_many_processes_as_think_at_once_and_never_more_than_allowed() -> None:
    async with running_pool(2) as pool:
        for _ in range(3):
            await pool.ask(VIEW, 7, soon())
        assert len(pids(pool)) == 1
        answers = [pool.ask(VIEW, seed, soon()) for seed in range(5)]
        await asyncio.sleep(0)
        assert counted("spades_expert_queue_length") == 3
        assert None not in await asyncio.gather(*answers)
        assert len(pids(pool)) == 2
        assert counted("spades_expert_queue_length") == 0


async def test_who_acts_first_is_thought_for_first() -> None:
    order: list[str] = []
    async with running_pool(1) as pool:
        busy = pool.ask(VIEW, 1, soon())
        for name, later in (("last", 3.0), ("first", 1.0), ("second", 2.0)):
            pool.ask(VIEW, 1, soon() + later).add_done_callback(lambda _, name=name: order.append(name))
        await busy
        while len(order) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert order == ["first", "second", "last"]


async def test_the_more_wait_the_less_time_each_has() -> None:
    async with running_pool(2) as pool:
        assert pool._thinking_time() == THINKING_TIME
        answers = [pool.ask(VIEW, seed, soon()) for seed in range(6)]  # two are thought about, four wait
        assert pool._thinking_time() == pytest.approx(THINKING_TIME / 3)
        assert None not in await asyncio.gather(*answers)


async def test_a_question_that_nobody_asks_any_more_is_taken_off_the_queue() -> None:
    async with running_pool(1) as pool:
        first, given_up, third = [pool.ask(VIEW, seed, soon()) for seed in range(3)]
        given_up.cancel()
        await asyncio.sleep(0)
        assert counted("spades_expert_queue_length") == 1
        assert None not in await asyncio.gather(first, third)


async def test_an_answer_that_nobody_waits_for_any_more_is_let_go_and_the_process_thinks_on() -> None:
    async with running_pool(1) as pool:
        await pool.ask(VIEW, 1, soon())
        given_up, next_one = pool.ask(VIEW, 2, soon()), pool.ask(VIEW, 3, soon())
        await asyncio.sleep(0.01)
        given_up.cancel()
        assert await next_one in legal_decisions(VIEW)
        assert len(pids(pool)) == 1


async def test_what_is_wanted_too_soon_is_not_begun() -> None:
    async with running_pool(1) as pool:
        assert await pool.ask(VIEW, 1, asyncio.get_running_loop().time() + 0.9 * MIN_THINKING_TIME) is None
        assert pids(pool) == []


async def test_the_event_loop_goes_on_while_experts_think() -> None:
    turns = 0
    async with running_pool(2) as pool:
        await asyncio.gather(*(pool.ask(VIEW, seed, soon()) for seed in range(2)))
        answers = asyncio.gather(*(pool.ask(VIEW, seed, soon()) for seed in range(2)))
        while not answers.done():
            await asyncio.sleep(0.001)
            turns += 1
    assert turns >= 10


async def test_a_process_that_is_killed_while_it_thinks_costs_that_answer() -> None:
    died = counted("spades_expert_worker_deaths_total")
    async with running_pool(1) as pool:
        await pool.ask(VIEW, 1, soon())
        lost, next_one = pool.ask(VIEW, 2, soon()), pool.ask(VIEW, 3, soon())
        (pid,) = pids(pool)
        os.kill(pid, signal.SIGKILL)
        assert await lost is None
        assert await next_one in legal_decisions(VIEW)
        assert pid not in pids(pool)
    assert counted("spades_expert_worker_deaths_total") == died + 1


async def test_a_process_that_is_killed_while_it_waits_costs_nothing() -> None:
    async with running_pool(1) as pool:
        await pool.ask(VIEW, 1, soon())
        (process,) = pool._processes
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        assert await pool.ask(VIEW, 2, soon()) in legal_decisions(VIEW)
        assert pids(pool) != [process.pid]


async def test_a_process_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_pool(1) as pool:
        await pool.ask(VIEW, 1, soon())
        (pid,) = pids(pool)
        os.kill(pid, signal.SIGSTOP)
        with monkeypatch.context() as hurried:
            hurried.setattr(pool_module, "HANG_TIMEOUT", 0.1)
            assert await pool.ask(VIEW, 2, soon()) is None
        assert await pool.ask(VIEW, 3, soon()) in legal_decisions(VIEW)
        assert not is_running(pid)


async def test_a_process_that_hangs_at_the_end_is_killed() -> None:
    async with running_pool(1) as pool:
        await pool.ask(VIEW, 1, soon())
        (pid,) = pids(pool)
        os.kill(pid, signal.SIGSTOP)
    assert not is_running(pid)


async def test_at_the_end_nobody_waits_for_an_answer_any_more() -> None:
    async with running_pool(1) as pool:
        await pool.ask(VIEW, 1, soon())
        thought, waits = pool.ask(VIEW, 2, soon()), pool.ask(VIEW, 3, soon())
        (pid,) = pids(pool)
        await asyncio.sleep(0.01)
    assert not is_running(pid)
    assert await thought is None
    assert not waits.done()


async def test_a_ctrl_c_is_not_for_a_process_that_thinks() -> None:
    async with running_pool(1) as pool:
        await pool.ask(VIEW, 1, soon())
        (pid,) = pids(pool)
        assert os.getpgid(pid) != os.getpgid(0)
        assert os.getsid(pid) == os.getsid(0)


async def test_a_system_that_gives_no_process_costs_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", refused)
    with capture_logs() as said:
        async with running_pool(1) as pool:
            assert await pool.ask(VIEW, 1, soon()) is None
    assert [line["event"] for line in said] == ["expert worker cannot be started"]


def test_an_expert_that_takes_no_notice_of_the_clock_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dreamer:
        def __init__(self, *_: object) -> None:
            pass

        def choose_card(self, *_: object) -> None:
            while True:
                pass

    monkeypatch.setattr(worker, "Expert", Dreamer)
    before = signal.signal(signal.SIGPROF, worker._raise_out_of_time)
    try:
        assert worker.answer(DecisionRequest(VIEW, 1, 1000.0, float("inf"))) == worker.NO_DECISION
    finally:
        signal.signal(signal.SIGPROF, before)
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
