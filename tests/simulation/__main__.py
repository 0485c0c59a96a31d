"""`python -m tests.simulation`: play seeds, and tell what went wrong."""

import argparse
import sys
import time
from collections import Counter

from tests.simulation.checks import violations
from tests.simulation.run import simulate


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="one seed, with everything that happens")
    parser.add_argument("--seeds", default="0-199", help="a range of seeds, as in 0-199")
    options = parser.parse_args()
    if options.seed is not None:
        return _one(options.seed)
    first, _, last = options.seeds.partition("-")
    return _many(range(int(first), int(last) + 1))


def _one(seed: int) -> int:
    fleet = simulate(seed)
    wrong = list(violations(fleet))
    print("\n".join(fleet.trace.lines()))
    print("\n".join(wrong))
    return bool(wrong)


def _many(seeds: range) -> int:
    begun, faults, commits, bad = time.monotonic(), Counter[str](), 0, 0
    for seed in seeds:
        fleet = simulate(seed)
        faults += fleet.trace.faults
        commits += len(fleet.store.stored_at)
        wrong = list(violations(fleet))
        bad += bool(wrong)
        for each in wrong:
            print(f"seed {seed}: {each[:600]}")
    seconds = time.monotonic() - begun
    for kind, count in sorted(faults.items()):
        print(f"{count:8} {kind}")
    print(f"{commits:8} commits")
    print(f"{len(seeds)} seeds in {seconds:.1f} s, {len(seeds) / seconds:.0f} a second; {bad} of them went wrong")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
