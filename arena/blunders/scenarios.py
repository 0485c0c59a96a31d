"""Scenarios: hands of a bot with itself in which it can blunder, and what is counted in them.

Each scenario is repeated in numbered trials: whole hands of self-play; the hidden card
test; hands in which one seat bids nil on any cards, or one side bids too high; the bidding
near the end of a game, and behind a partner's nil; hands without a bag limit.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from arena.blunders.catalog import CARD_CHECKS, bids_second_nil, bids_to_lose
from arena.blunders.hidden_cards import Step, compare_decisions
from arena.blunders.inference import infer
from arena.blunders.scripted_bots import AlwaysNil, BagProbe, Overbidder
from arena.parallel import Progress, chunk_size, run_chunks
from arena.play import Lineup, apply_decision, choose, play_hand
from arena.players import Player, load_player
from arena.sampling import deal, new_table, rng_for, seat_rngs
from arena.stats import Stats
from spades_core.bots.decisions import Decision
from spades_core.cards import Card
from spades_core.commands import PlaceBid
from spades_core.decide import decide
from spades_core.evolve import evolve_all
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS, SIDES, BySeat, BySide, next_seat, partner_of, seats_of
from spades_core.state import Game, Table
from spades_core.views import SeatView, view_for

Scenario = Literal["hands", "swaps", "poor nils", "too high", "near the end", "behind a nil", "no bags"]
MAX_EXAMPLES = 3
WITHOUT_BAGS = replace(CLASSIC, bag_limit=None)
WITH_BLIND_NIL = replace(CLASSIC, blind_nil="on")
FAR_BEHIND = 150
"""A deficit in points at which blind nil may be bid."""
NEAR_TARGET = 170


@dataclass(frozen=True, slots=True)
class ScenarioChunk:
    """Trials `first` to `first + count - 1` of a scenario."""

    bot: str
    seed: str
    scenario: Scenario
    first: int
    count: int


@dataclass(slots=True)
class BlunderCounts:
    """Opportunities and occurrences by blunder, sums by name, and examples to look at."""

    trials: int = 0
    opportunities: Counter[str] = field(default_factory=Counter)
    occurrences: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    stats: Stats = field(default_factory=Stats)

    def record(self, key: str, blundered: bool | None, example: Callable[[], str]) -> None:
        """Count the result of a check; None is no opportunity."""
        if blundered is None:
            return
        self.opportunities[key] += 1
        if blundered:
            self.occurrences[key] += 1
            self.examples[key] = sorted([*self.examples.get(key, []), example()])[:MAX_EXAMPLES]

    def merge(self, other: "BlunderCounts") -> None:
        self.trials += other.trials
        self.opportunities.update(other.opportunities)
        self.occurrences.update(other.occurrences)
        self.sums.update(other.sums)
        for key, examples in other.examples.items():
            self.examples[key] = sorted(self.examples.get(key, []) + examples)[:MAX_EXAMPLES]
        self.stats.merge(other.stats)


def trials_for(hands: int) -> dict[Scenario, int]:
    """Return the number of trials of each scenario that go with so many hands of self-play."""
    tenth, quarter = max(1, hands // 10), max(1, hands // 4)
    return {
        "hands": hands,
        "swaps": quarter,
        "poor nils": quarter,
        "too high": tenth,
        "near the end": hands,
        "behind a nil": hands,
        "no bags": tenth,
    }


def run_scenarios(bot: str, seed: str, trials: dict[Scenario, int], processes: int) -> tuple[BlunderCounts, bool]:
    """Run so many trials of each scenario; also return whether all were run. Raises BotLoadError."""
    load_player(bot)
    total = sum(trials.values())
    size = chunk_size(total, processes)
    chunks = [
        ScenarioChunk(bot, seed, scenario, first, min(size, count - first))
        for scenario, count in trials.items()
        for first in range(0, count, size)
    ]
    counts, progress = BlunderCounts(), Progress(total, "trial")

    def add(part: BlunderCounts) -> None:
        counts.merge(part)
        progress.update(counts.trials, f"{counts.occurrences.total()} blunders")

    complete = run_chunks(run_chunk, chunks, processes, add)
    progress.clear()
    return counts, complete


def run_chunk(chunk: ScenarioChunk) -> BlunderCounts:
    counts, player, run = BlunderCounts(), load_player(chunk.bot), RUNNERS[chunk.scenario]
    for number in range(chunk.first, chunk.first + chunk.count):
        run(chunk, number, player, counts)
        counts.trials += 1
    return counts


def _lineup(chunk: ScenarioChunk, number: int, players: BySeat[Player]) -> Lineup:
    path = (chunk.scenario, number)
    return Lineup(number, False, players, seat_rngs(chunk.seed, *path), rng_for(chunk.seed, *path, "spare"))


def _self_play(chunk: ScenarioChunk, number: int, player: Player, counts: BlunderCounts) -> None:
    table = _play_checked(chunk, number, (player,) * 4, counts, tuple(CARD_CHECKS))
    _count_contracts(table, counts)


def _poor_nil(chunk: ScenarioChunk, number: int, player: Player, counts: BlunderCounts) -> None:
    """One seat bids nil on any cards; the nil is often broken."""
    always_nil = Player(player.name, AlwaysNil(player.bot))
    _play_checked(chunk, number, (player, always_nil, player, player), counts, ("j",))


def _too_high(chunk: ScenarioChunk, number: int, player: Player, counts: BlunderCounts) -> None:
    """One side bids too high; it can often be set."""
    overbidder = Player(player.name, Overbidder(player.bot))
    _play_checked(chunk, number, (player, overbidder, player, overbidder), counts, ("i",))


def _play_checked(
    chunk: ScenarioChunk, number: int, players: BySeat[Player], counts: BlunderCounts, keys: tuple[str, ...]
) -> Table:
    """Play a hand from 0 : 0 and check every card for some of the blunders."""
    rng = rng_for(chunk.seed, chunk.scenario, number)
    table = deal(new_table(CLASSIC, Game(rng.choice(SEATS))), rng)

    def check(_: Table, view: SeatView, card: Decision) -> None:
        if view.phase != "playing" or len(view.legal_cards) == 1:
            return
        known = infer(view)
        bit = known.deck.bit[Card(str(card))]
        for key in keys:
            counts.record(key, CARD_CHECKS[key](known, bit, view), partial(_card_example, number, view, card))

    return play_hand(table, _lineup(chunk, number, players), counts.stats, check)


def _card_example(number: int, view: SeatView, card: Decision) -> str:
    trick = " ".join(view.trick.cards) if view.trick else "nothing"
    return (
        f"{number:>5}: trick {len(view.tricks) + 1}, seat {view.you}, bids {_bids(view)}, "
        f"on {trick}, holding {' '.join(view.hand)}: {card}"
    )


def _bid_example(number: int, view: SeatView, bid: int) -> str:
    scores = " : ".join(str(side.score) for side in view.sides)
    return f"{number:>5}: seat {view.you} at {scores}, bids {_bids(view)}, holding {' '.join(view.hand)}: {bid}"


def _bids(view: SeatView) -> str:
    return "-".join("?" if seat.bid is None else str(seat.bid) for seat in view.seats)


def _count_contracts(table: Table, counts: BlunderCounts) -> None:
    """Add up what blunders a and e are computed from."""
    assert table.game is not None
    scored = table.game.sheet[-1]
    for side in SIDES:
        score, nils = scored.sides[side], [scored.bids[seat] for seat in seats_of(side)].count(0)
        counts.sums["sides"] += 1
        counts.sums["beyond"] += score.taken - score.contract
        counts.sums["beyond, squared"] += (score.taken - score.contract) ** 2
        if nils < 2:
            counts.sums[f"contracts with {nils} nils"] += 1
            counts.sums[f"set with {nils} nils"] += any(line.kind == "contract_set" for line in score.lines)


def _hidden_cards(chunk: ScenarioChunk, number: int, player: Player, counts: BlunderCounts) -> None:
    """All decisions that are compared count as one, which is a blunder if any differs."""
    rng = rng_for(chunk.seed, chunk.scenario, number)
    dealt = deal(new_table(CLASSIC, Game(rng.choice(SEATS))), rng)
    steps: list[Step] = []
    faults = counts.stats.faults.total()
    players = (player,) * 4

    def remember(table: Table, view: SeatView, decision: Decision) -> None:
        steps.append(Step(table, view, decision))

    play_hand(dealt, _lineup(chunk, number, players), counts.stats, remember)
    if counts.stats.faults.total() > faults:
        return
    compared = list(compare_decisions(dealt, steps, _lineup(chunk, number, players), rng))
    first = next((step for step, differs in compared if differs), compared[-1][0])
    blundered = any(differs for _, differs in compared)
    counts.record("hidden", blundered, partial(_card_example, number, first.view, first.decision))


def _near_the_end(chunk: ScenarioChunk, number: int, player: Player, counts: BlunderCounts) -> None:
    rng = rng_for(chunk.seed, chunk.scenario, number)
    target = CLASSIC.target
    scores = rng.randrange(target - NEAR_TARGET, target), rng.randrange(target - NEAR_TARGET, target)
    table = deal(new_table(CLASSIC, Game(rng.choice(SEATS), scores)), rng)
    for view, bid in _bidding(table, _lineup(chunk, number, (player,) * 4), counts):
        if sum(seat.bid is None for seat in view.seats) == 1:
            counts.record("f", bids_to_lose(view, bid), partial(_bid_example, number, view, bid))


def _behind_a_nil(chunk: ScenarioChunk, number: int, player: Player, counts: BlunderCounts) -> None:
    """The first or second bidder bids nil, blind in every other trial; then its partner bids."""
    rng = rng_for(chunk.seed, chunk.scenario, number)
    dealer, blind = rng.choice(SEATS), bool(number % 2)
    nil_bidder = next_seat(dealer, rng.choice((1, 2)))
    behind: BySide[int] = (0, FAR_BEHIND) if nil_bidder % 2 == 0 else (FAR_BEHIND, 0)
    rules, scores = (WITH_BLIND_NIL, behind) if blind else (CLASSIC, (0, 0))
    table = deal(new_table(rules, Game(dealer, scores)), rng)
    nil = PlaceBid(nil_bidder, 0, blind)
    for view, bid in _bidding(table, _lineup(chunk, number, (player,) * 4), counts, nil):
        if view.you == partner_of(nil_bidder):
            counts.record("g", bids_second_nil(view, bid), partial(_bid_example, number, view, bid))


def _bidding(
    table: Table, lineup: Lineup, counts: BlunderCounts, scripted: PlaceBid | None = None
) -> Iterator[tuple[SeatView, int]]:
    """Run the bidding and yield each bot's view and bid; one bid may be scripted, no other is blind."""
    while table.phase == "bidding":
        seat = table.turn
        assert seat is not None
        if scripted is not None and seat == scripted.seat:
            table = evolve_all(table, decide(table, scripted))
            continue
        view = view_for(seat, table)
        if view.may_look:
            table = apply_decision(table, seat, False)
            continue
        bid = choose(view, seat, lineup, counts.stats)
        assert isinstance(bid, int)
        yield view, bid
        table = apply_decision(table, seat, bid)


def _without_bags(chunk: ScenarioChunk, number: int, player: Player, counts: BlunderCounts) -> None:
    rng = rng_for(chunk.seed, chunk.scenario, number)
    table = deal(new_table(WITHOUT_BAGS, Game(rng.choice(SEATS))), rng)

    def compare(view: SeatView, decision: Decision, other: Decision) -> None:
        if len(view.legal_cards) != 1:
            counts.record("h", decision != other, partial(_card_example, number, view, decision))

    probe = Player(player.name, BagProbe(player.bot, rng, compare))
    play_hand(table, _lineup(chunk, number, (probe,) * 4), counts.stats)


RUNNERS: dict[Scenario, Callable[[ScenarioChunk, int, Player, BlunderCounts], None]] = {
    "hands": _self_play,
    "swaps": _hidden_cards,
    "poor nils": _poor_nil,
    "too high": _too_high,
    "near the end": _near_the_end,
    "behind a nil": _behind_a_nil,
    "no bags": _without_bags,
}
