"""An expert worker: a process that makes the decisions of expert bots, started by server/experts/pool.py.

It reads pickled requests from its standard input and writes a line for each: the index of its choice among the legal
decisions, or `NO_DECISION`. It exits at the end of its input, so it never outlives the server.
"""

import gc
import os
import pickle
import signal
import sys
from contextlib import suppress
from random import Random
from time import monotonic

from server.experts.request import DecisionRequest
from spades_core.bots.decisions import choose, legal_decisions
from spades_core.bots.levels.expert import Expert

MAX_CPU_SECONDS = 0.2
"""Limit of processor time for a decision, in case an expert ignores its deadline."""
UNLIMITED = 1_000_000
"""Number of simulated deals that only the time limits."""
NICENESS = 10
"""Gives the process a tenth of the processor weight of the servers on this machine."""
NO_DECISION = "-"
"""The reply when time ran out before there was a decision."""


class OutOfTime(Exception):
    """A decision has used `MAX_CPU_SECONDS`."""


def answer(request: DecisionRequest) -> str:
    """Return the index of the chosen decision, or NO_DECISION."""
    deadline = min(request.deadline, monotonic() + request.seconds)
    expert = Expert(UNLIMITED, lambda: monotonic() >= deadline)
    try:
        signal.setitimer(signal.ITIMER_PROF, MAX_CPU_SECONDS)
        decision = choose(expert, request.view, Random(request.seed))
        signal.setitimer(signal.ITIMER_PROF, 0)
    except OutOfTime:
        return NO_DECISION
    return str(legal_decisions(request.view).index(decision))


def main() -> None:
    signal.signal(signal.SIGPROF, _raise_out_of_time)
    with suppress(OSError):  # some sandboxes do not allow it
        os.nice(NICENESS)
    gc.freeze()
    with suppress(EOFError, BrokenPipeError):
        while True:
            request: DecisionRequest = pickle.load(sys.stdin.buffer)
            print(answer(request), flush=True)


def _raise_out_of_time(*_: object) -> None:
    raise OutOfTime


if __name__ == "__main__":
    main()
