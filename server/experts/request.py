"""What an expert worker is asked."""

from dataclasses import dataclass

from spades_core.views import SeatView


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """Everything a worker is told.

    `seed` starts its random numbers, `seconds` is the thinking time, and `deadline` is the latest time to
    stop, by `time.monotonic()`, which all processes of a machine share.
    """

    view: SeatView
    seed: int
    seconds: float
    deadline: float
