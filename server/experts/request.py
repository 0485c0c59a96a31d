"""The message to an expert worker."""

from dataclasses import dataclass

from spades_core.views import SeatView


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """A request for one decision.

    `seed` seeds the random numbers, `seconds` is the thinking time, and `deadline` is the latest time to
    stop, by `time.monotonic()`, which all processes of a machine share.
    """

    view: SeatView
    seed: int
    seconds: float
    deadline: float
