"""Bots put where they could do what a bot never does, and what was found there.

Kinds of trials, numbered within a family: whole hands of self-play; the swap of
unseen cards; hands in which a nil is bid on any cards, or a side bids too much;
bidding near the end of a game; bidding behind a partner's nil; hands without a
bag limit.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Literal, TypeVar

from arena.known import known
from arena.match import NAMES, deal, streams_of
from arena.nevers import CARD_JUDGES, bids_second_nil, bids_to_lose
from arena.play import Choice, Seated, after, chosen, play_hand
from arena.players import Player, player_of
from arena.seeds import rng_for
from arena.staged import AlwaysNil, TooHigh
from arena.swap import Step, decides_by_unseen_cards
from arena.tally import Tally
from spades_core.bots import Bot
from spades_core.cards import Card
from spades_core.commands import LookAtHand, PlaceBid
from spades_core.decide import decide
from spades_core.evolve import evolve_all
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.seats import SEATS, SIDES, BySeat, BySide, next_seat, partner_of, seats_of
from spades_core.state import Game, Occupant, Table
from spades_core.views import SeatView, view_for

Chosen = TypeVar("Chosen", int, Card, tuple[Card, Card])
Trial = Literal["hands", "swaps", "poor nils", "too high", "near the end", "behind a nil", "no bags"]
MOST_EXAMPLES = 3
WITHOUT_BAGS = replace(CLASSIC, bag_limit=None)
WITH_BLIND_NIL = replace(CLASSIC, blind_nil="on")
FAR_BEHIND = 150
"""In points: enough to bid blind."""
CLOSE = 170
"""In points from the target."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Trials `first` to `first + count - 1` of a kind, of one bot with itself."""

    bot: str
    seed: str
    trial: Trial
    first: int
    count: int


@dataclass(slots=True)
class Found:
    """Chances and how often they were used, by never; sums by name; examples to look at; and the trials' own tally."""

    trials: int = 0
    chances: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)

    def judged(self, letter: str, verdict: bool | None, example: Callable[[], str]) -> None:
        if verdict is None:
            return
        self.chances[letter] += 1
        if verdict:
            self.done[letter] += 1
            self.examples[letter] = sorted([*self.examples.get(letter, []), example()])[:MOST_EXAMPLES]

    def merge(self, other: "Found") -> None:
        self.trials += other.trials
        self.chances.update(other.chances)
        self.done.update(other.done)
        self.sums.update(other.sums)
        for letter, examples in other.examples.items():
            self.examples[letter] = sorted(self.examples.get(letter, []) + examples)[:MOST_EXAMPLES]
        self.tally.merge(other.tally)


def try_out(sample: Sample) -> Found:
    found, player, run = Found(), player_of(sample.bot), RUNS[sample.trial]
    for number in range(sample.first, sample.first + sample.count):
        run(sample, number, player, found)
        found.trials += 1
    return found


def table_of(rules: RuleSet, game: Game) -> Table:
    first, second, third, fourth = (Occupant(name, None) for name in NAMES)
    return Table("ARENA", rules, (first, second, third, fourth), None, game)


def _seated(sample: Sample, number: int, player: Player) -> Seated:
    place = (sample.trial, number)
    spare = rng_for(sample.seed, *place, "spare")
    return Seated(number, False, (player,) * 4, streams_of(sample.seed, *place), spare)


def _whole_hand(sample: Sample, number: int, player: Player, found: Found) -> None:
    table = _played(sample, number, (player,) * 4, found, tuple(CARD_JUDGES))
    _judge_hand(table, found)


def _swap(sample: Sample, number: int, player: Player, found: Found) -> None:
    """What a seat chose up to some moment of a hand is judged as one thing, which was done if any choice is another."""
    rng = rng_for(sample.seed, sample.trial, number)
    dealt = deal(table_of(CLASSIC, Game(rng.choice(SEATS))), rng)
    steps: list[Step] = []
    faults = found.tally.faults.total()

    def watch(table: Table, view: SeatView, choice: Choice) -> None:
        steps.append(Step(table, view, choice))

    play_hand(dealt, _seated(sample, number, player), found.tally, watch)
    if found.tally.faults.total() > faults:
        return
    compared = list(decides_by_unseen_cards(dealt, steps, _seated(sample, number, player), rng))
    first = next((step for step, differs in compared if differs), compared[-1][0])
    found.judged("unseen", any(differs for _, differs in compared), partial(_named, number, first.view, first.choice))


def _judge_card(view: SeatView, card: Choice, number: int, found: Found, letters: tuple[str, ...]) -> None:
    seen = known(view)
    bit = seen.deck.bit[Card(str(card))]
    for letter in letters:
        found.judged(letter, CARD_JUDGES[letter](seen, bit, view), partial(_named, number, view, card))


def _poor_nil(sample: Sample, number: int, player: Player, found: Found) -> None:
    """One seat bids nil whatever it holds; it will often be broken."""
    _played(sample, number, (player, Player(player.name, AlwaysNil(player.bot)), player, player), found, ("j",))


def _too_high(sample: Sample, number: int, player: Player, found: Found) -> None:
    """One side bids more than it should; it will often be about to be set."""
    high = Player(player.name, TooHigh(player.bot))
    _played(sample, number, (player, high, player, high), found, ("i",))


def _played(sample: Sample, number: int, players: BySeat[Player], found: Found, letters: tuple[str, ...]) -> Table:
    """A hand from 0 : 0 in which every card is judged by some of the nevers."""
    rng = rng_for(sample.seed, sample.trial, number)
    table = deal(table_of(CLASSIC, Game(rng.choice(SEATS))), rng)

    def watch(_: Table, view: SeatView, choice: Choice) -> None:
        if view.phase == "playing" and len(view.legal_cards) > 1:
            _judge_card(view, choice, number, found, letters)

    return play_hand(table, replace(_seated(sample, number, players[0]), players=players), found.tally, watch)


def _named(number: int, view: SeatView, choice: Choice) -> str:
    """Where it happened: the trial, the trick, who, with what cards on the table and in hand, and the choice."""
    table = " ".join(view.trick.cards) if view.trick else "no card"
    bids = "-".join("?" if seat.bid is None else str(seat.bid) for seat in view.seats)
    held = " ".join(view.hand)
    trick = len(view.tricks) + 1
    return f"{number:>5}: trick {trick}, seat {view.you}, bids {bids}, onto {table}, holding {held}: {choice}"


def _judge_hand(table: Table, found: Found) -> None:
    """Nevers a and e, of which the sums speak."""
    assert table.game is not None
    scored = table.game.sheet[-1]
    for side in SIDES:
        score, nils = scored.sides[side], [scored.bids[seat] for seat in seats_of(side)].count(0)
        found.sums["sides"] += 1
        found.sums["beyond"] += score.taken - score.contract
        found.sums["beyond, squared"] += (score.taken - score.contract) ** 2
        if nils < 2:
            found.sums[f"contracts with {nils} nils"] += 1
            found.sums[f"set with {nils} nils"] += any(line.kind == "contract_set" for line in score.lines)


def _near_the_end(sample: Sample, number: int, player: Player, found: Found) -> None:
    rng = rng_for(sample.seed, sample.trial, number)
    target = CLASSIC.target
    scores = rng.randrange(target - CLOSE, target), rng.randrange(target - CLOSE, target)
    table = deal(table_of(CLASSIC, Game(rng.choice(SEATS), scores)), rng)
    for view, bid in _bids(table, _seated(sample, number, player), found):
        if sum(seat.bid is None for seat in view.seats) == 1:
            found.judged("f", bids_to_lose(view, bid), partial(_bid_named, number, view, bid))


def _behind_a_nil(sample: Sample, number: int, player: Player, found: Found) -> None:
    """The first or second to bid has bid nil, every other time blind; its partner bids."""
    rng = rng_for(sample.seed, sample.trial, number)
    dealer, blind = rng.choice(SEATS), bool(number % 2)
    forced = next_seat(dealer, rng.choice((1, 2)))
    behind: BySide[int] = (0, FAR_BEHIND) if forced % 2 == 0 else (FAR_BEHIND, 0)
    rules, scores = (WITH_BLIND_NIL, behind) if blind else (CLASSIC, (0, 0))
    table = deal(table_of(rules, Game(dealer, scores)), rng)
    for view, bid in _bids(table, _seated(sample, number, player), found, PlaceBid(forced, 0, blind)):
        if view.you == partner_of(forced):
            found.judged("g", bids_second_nil(view, bid), partial(_bid_named, number, view, bid))


def _bids(table: Table, seated: Seated, found: Found, forced: PlaceBid | None = None) -> Iterator[tuple[SeatView, int]]:
    """The bidding: each bot's view and bid."""
    while table.phase == "bidding":
        seat = table.turn
        assert seat is not None
        if forced is not None and seat == forced.seat:
            table = evolve_all(table, decide(table, forced))
            continue
        view = view_for(seat, table)
        if view.may_look:
            table = evolve_all(table, decide(table, LookAtHand(seat)))
            continue
        bid = chosen(view, seat, seated, found.tally)
        assert isinstance(bid, int)
        yield view, bid
        table = after(table, seat, bid)


def _bid_named(number: int, view: SeatView, bid: int) -> str:
    scores = " : ".join(str(side.score) for side in view.sides)
    bids = "-".join("?" if seat.bid is None else str(seat.bid) for seat in view.seats)
    return f"{number:>5}: seat {view.you} at {scores}, bids {bids}, holding {' '.join(view.hand)}: {bid}"


def _without_bags(sample: Sample, number: int, player: Player, found: Found) -> None:
    rng = rng_for(sample.seed, sample.trial, number)
    table = deal(table_of(WITHOUT_BAGS, Game(rng.choice(SEATS))), rng)
    asked_twice = AskedTwice(player.bot, rng, number, found)
    play_hand(table, _seated(sample, number, Player(player.name, asked_twice)), found.tally)


@dataclass(frozen=True, slots=True)
class AskedTwice:
    """A bot that is asked once more with other bags on the sheet, and the same stream of chance."""

    bot: Bot
    rng: Random
    number: int
    found: Found

    def choose_blind(self, view: SeatView, rng: Random) -> bool:
        return self.bot.choose_blind(view, rng)

    def choose_bid(self, view: SeatView, rng: Random) -> int:
        return self._asked(self.bot.choose_bid, view, rng)

    def choose_pass(self, view: SeatView, rng: Random) -> tuple[Card, Card]:
        return self._asked(self.bot.choose_pass, view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        return self._asked(self.bot.choose_card, view, rng)

    def _asked(self, choose: Callable[[SeatView, Random], Chosen], view: SeatView, rng: Random) -> Chosen:
        same = Random()
        same.setstate(rng.getstate())
        choice = choose(view, rng)
        ours, theirs = (replace(side, bags=self.rng.randrange(30)) for side in view.sides)
        again = choose(replace(view, sides=(ours, theirs)), same)
        if len(view.legal_cards) != 1:
            self.found.judged("h", choice != again, partial(_named, self.number, view, choice))
        return choice


RUNS: dict[Trial, Callable[[Sample, int, Player, Found], None]] = {
    "hands": _whole_hand,
    "swaps": _swap,
    "poor nils": _poor_nil,
    "too high": _too_high,
    "near the end": _near_the_end,
    "behind a nil": _behind_a_nil,
    "no bags": _without_bags,
}
