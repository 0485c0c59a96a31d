"""`python -m tests.simulation`: run seeds with faults, and print the violations.

`--seeds 0-1999` runs a range, and prints the trace of the first seed that fails; `--seed 7` prints that of one seed.
"""

import argparse
import sys
import time
from collections import Counter

from tests.history import Violation
from tests.simulation.checks import violations
from tests.simulation.run import simulate
from tests.simulation.simulation import Simulation

WIDTH = 400
"""Longest line of a printed trace; some contain a whole table."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="one seed, with its trace")
    parser.add_argument("--seeds", default="0-199", help="a range of seeds")
    options = parser.parse_args()
    if options.seed is not None:
        sim = simulate(options.seed)
        found = list(violations(sim))
        _print(sim, found)
        return bool(found)
    first, _, last = options.seeds.partition("-")
    return _run_range(range(int(first), int(last) + 1))


def _run_range(seeds: range) -> int:
    start, faults, commits, failed = time.monotonic(), Counter[str](), 0, list[int]()
    for seed in seeds:
        sim = simulate(seed)
        faults += sim.trace.faults
        commits += len(sim.store.stored_at)
        found = list(violations(sim))
        if found and not failed:
            _print(sim, found)
        elif found:
            print(f"seed {seed}: {str(found[0])[:WIDTH]}")
        failed += [seed] * bool(found)
    seconds = time.monotonic() - start
    for kind, count in sorted(faults.items()):
        print(f"{count:8} {kind}")
    print(f"{commits:8} commits")
    print(f"{len(seeds)} seeds in {seconds:.1f} s, {len(seeds) / seconds:.0f} a second; failed: {failed or 'none'}")
    return bool(failed)


def _print(sim: Simulation, found: list[Violation]) -> None:
    print(f"seed {sim.seed}")
    for line in sim.trace.lines():
        print(line[:WIDTH])
    print("\n".join(map(str, found)) or "no violations")


if __name__ == "__main__":
    sys.exit(main())
