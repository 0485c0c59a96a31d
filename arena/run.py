"""`spades arena`: a match from its first pair to its report."""

from dataclasses import dataclass

from arena import report, verdict
from arena.match import Chunk, Match, play_chunk
from arena.players import partners_of, player_of
from arena.tally import Tally
from arena.trials import Found, Sample, Trial, try_out
from arena.work import Progress, size_of_pieces, take_all
from server.cli.output import put_out


@dataclass(frozen=True, slots=True)
class Asked:
    """How much of a match is played, from pair `first` on, by how many processes, and how it is told."""

    first: int
    pairs: int
    processes: int
    as_json: bool


def compete(match: Match, asked: Asked) -> bool:
    """Plays and prints; whether it was played to its end. Raises NoSuchBot, CannotPrint."""
    tally, complete = measured(match, asked)
    tell = report.as_json if asked.as_json else report.as_text
    put_out(tell(match, asked.first, asked.pairs, tally).rstrip("\n") + "\n", "the result")
    return complete


def measured(match: Match, asked: Asked) -> tuple[Tally, bool]:
    """What was counted, and whether that is all."""
    for names in (match.a, match.b):
        partners_of(names)
    size = size_of_pieces(asked.pairs, asked.processes)
    end = asked.first + asked.pairs
    chunks = [Chunk(match, first, min(size, end - first)) for first in range(asked.first, end, size)]
    tally, progress = Tally(), Progress(asked.pairs, match.unit)

    def take(done: Tally) -> None:
        tally.merge(done)
        progress.say(len(tally.pairs), report.so_far(match, tally))

    complete = take_all(play_chunk, chunks, asked.processes, take)
    progress.clear()
    tally.pairs.sort(key=lambda pair: pair.number)
    return tally, complete


def hold_to_nevers(bot: str, seed: str, hands: int, processes: int, *, in_json: bool) -> tuple[Found, bool]:
    """Tries a bot out and prints; what was found, and whether that is all. Raises NoSuchBot, CannotPrint."""
    wanted = amounts(hands)
    found, complete = tried(bot, seed, wanted, processes)
    tell = verdict.as_json if in_json else verdict.as_text
    put_out(tell(bot, seed, hands, found, sum(wanted.values())).rstrip("\n") + "\n", "the result")
    return found, complete


def swap_unseen(bot: str, seed: str, positions: int, processes: int, *, in_json: bool) -> tuple[Found, bool]:
    """The same for the swap alone."""
    found, complete = tried(bot, seed, {"swaps": positions}, processes)
    tell = verdict.swaps_as_json if in_json else verdict.swaps_as_text
    put_out(tell(bot, seed, positions, found).rstrip("\n") + "\n", "the result")
    return found, complete


def tried(bot: str, seed: str, wanted: dict[Trial, int], processes: int) -> tuple[Found, bool]:
    """What was found, and whether that is all."""
    player_of(bot)
    total = sum(wanted.values())
    size = size_of_pieces(total, processes)
    samples = [
        Sample(bot, seed, trial, first, min(size, amount - first))
        for trial, amount in wanted.items()
        for first in range(0, amount, size)
    ]
    found, progress = Found(), Progress(total, "trial")

    def take(part: Found) -> None:
        found.merge(part)
        progress.say(found.trials, f"{found.done.total()} things done that are never done")

    complete = take_all(try_out, samples, processes, take)
    progress.clear()
    return found, complete


def amounts(hands: int) -> dict[Trial, int]:
    """How many trials of each kind go with so many hands."""
    some, more = max(1, hands // 10), max(1, hands // 4)
    return {
        "hands": hands,
        "swaps": more,
        "poor nils": more,
        "too high": some,
        "near the end": hands,
        "behind a nil": hands,
        "no bags": some,
    }
