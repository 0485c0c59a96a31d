"""`python -m tests.simulation`: play seeds in which things go wrong, and tell of everything that must not be.

`--seeds 0-1999` plays a range and counts; the first seed that fails is told in full. `--seed 7` tells one in full.
"""

import argparse
import sys
import time
from collections import Counter

from tests.simulation.checks import violations
from tests.simulation.run import simulate
from tests.simulation.simulation import Simulation

WIDTH = 400
"""Where the lines of a trace are cut: a whole table is in some."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="one seed, with everything that happens")
    parser.add_argument("--seeds", default="0-199", help="a range of seeds")
    options = parser.parse_args()
    if options.seed is not None:
        sim = simulate(options.seed)
        wrong = list(violations(sim))
        _tell(sim, wrong)
        return bool(wrong)
    first, _, last = options.seeds.partition("-")
    return _many(range(int(first), int(last) + 1))


def _many(seeds: range) -> int:
    begun, faults, commits, failed = time.monotonic(), Counter[str](), 0, list[int]()
    for seed in seeds:
        sim = simulate(seed)
        faults += sim.trace.faults
        commits += len(sim.store.stored_at)
        wrong = list(violations(sim))
        if wrong and not failed:
            _tell(sim, wrong)
        elif wrong:
            print(f"seed {seed}: {wrong[0][:WIDTH]}")
        failed += [seed] * bool(wrong)
    seconds = time.monotonic() - begun
    for kind, count in sorted(faults.items()):
        print(f"{count:8} {kind}")
    print(f"{commits:8} commits")
    print(f"{len(seeds)} seeds in {seconds:.1f} s, {len(seeds) / seconds:.0f} a second; went wrong: {failed or 'none'}")
    return bool(failed)


def _tell(sim: Simulation, wrong: list[str]) -> None:
    print(f"seed {sim.seed}")
    for line in sim.trace.lines():
        print(line[:WIDTH])
    print("\n".join(wrong) or "nothing went wrong")


if __name__ == "__main__":
    sys.exit(main())
