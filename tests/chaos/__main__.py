"""`python -m tests.chaos`: play while servers, store and connections are killed, cut and stalled."""

import argparse
import asyncio
import logging
import random
import shutil
import sys
import tempfile
from pathlib import Path

import structlog
import uvloop

from tests.chaos.report import lines
from tests.chaos.run import Plan, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=120, help="how long faults are injected (default: %(default)s)"
    )
    parser.add_argument("--tables", type=int, default=40, help="(default: %(default)s)")
    parser.add_argument("--servers", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000), help="of the faults and the moves")
    parser.add_argument("--think", type=float, default=0.05, help="longest time that players think, in seconds")
    parser.add_argument("--away", type=float, default=5, help="seconds until a bot plays for an absent player")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))  # of the store's deaths
    plan = Plan(**vars(options))
    print(f"seed {plan.seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        report = runner.run(run(plan, folder))
    print("\n".join(lines(report)))
    if report.violations:
        (folder / "violations.txt").write_text("\n\n".join(map(str, report.violations)))
        print(f"The violations, the logs and the store are in {folder}; again with --seed {plan.seed}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
