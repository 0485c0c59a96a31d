"""One process that thinks for experts: `python -m server.experts.worker`, as server/experts/pool.py starts it.

Its standard input brings a question at a time, a view and what its chance begins with; its standard output says in
a line which of the legal_decisions it chooses. It ends when its input does: then the server is gone, however that came.
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

MOST_SECONDS = 0.2
"""So much time of a processor no decision takes, whatever the expert makes of its clock."""
ENDLESS = 1_000_000
POLITE = 10
"""By how much it steps back behind the servers of this machine: it has a tenth of their weight."""
NOTHING = "-"
"""The answer when time was up before there was one."""


class OutOfTime(Exception):
    """So much of a processor that it must be a mistake."""


def answer(request: DecisionRequest) -> str:
    """The number of the option it chooses."""
    until = min(request.deadline, monotonic() + request.seconds)
    expert = Expert(ENDLESS, lambda: monotonic() >= until)
    try:
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        choice = choose(expert, request.view, Random(request.seed))
        signal.setitimer(signal.ITIMER_PROF, 0)
    except OutOfTime:
        return NOTHING
    return str(legal_decisions(request.view).index(choice))


def main() -> None:
    signal.signal(signal.SIGPROF, _stop)
    with suppress(OSError):  # some sandboxes do not even allow this
        os.nice(POLITE)
    gc.freeze()
    with suppress(EOFError, BrokenPipeError):
        while True:
            request: DecisionRequest = pickle.load(sys.stdin.buffer)
            print(answer(request), flush=True)


def _stop(*_: object) -> None:
    raise OutOfTime


if __name__ == "__main__":
    main()
