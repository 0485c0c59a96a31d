"""Duplicate: a deal or a game played twice, with sides swapped and all else the same.

Invariant: cards, first bidder, scores and each seat's stream of chance are the
same both times, so a bot against itself scores exactly what it lets the other have.
"""

from dataclasses import dataclass
from random import Random

from arena.drawing import draw_rules, draw_scores
from arena.play import Seated, play_hand
from arena.players import Player, partners_of
from arena.seeds import rng_for
from arena.tally import TEAMS, Pair, Tally, net_points
from spades_core.commands import DealHand
from spades_core.decide import decide
from spades_core.deck import DECKS, shuffled
from spades_core.evolve import current_hand, evolve_all
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS, BySeat
from spades_core.state import Game, Occupant, Table

Partners = tuple[Player, Player]
NAMES = ("North", "East", "South", "West")


@dataclass(frozen=True, slots=True)
class Match:
    """Names of both sides' bots, a family of deals, single deals or whole games; `rules` are None to be drawn."""

    a: str
    b: str
    seed: str
    games: bool = False
    rules: RuleSet | None = RuleSet()  # noqa: RUF009 (a value, never changed)
    drawn_scores: bool = False

    @property
    def unit(self) -> str:
        return "game" if self.games else "deal"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Pairs `first` to `first + count - 1` of a match."""

    match: Match
    first: int
    count: int


def play_chunk(chunk: Chunk) -> Tally:
    tally, a, b = Tally(), partners_of(chunk.match.a), partners_of(chunk.match.b)
    for number in range(chunk.first, chunk.first + chunk.count):
        play_pair(chunk.match, number, a, b, tally)
    return tally


def play_pair(match: Match, number: int, a: Partners, b: Partners, tally: Tally) -> None:
    beginning = opening(match, number)
    hands = net = raw = games = 0
    won = 0.0
    for swapped in (False, True):
        table = beginning
        ours = int(swapped)
        while table.phase == "scored":
            table = _next_hand(match, number, table, (b, a) if swapped else (a, b), tally, swapped=swapped)
            assert table.game is not None
            assert table.game.hand is not None
            scored = table.game.sheet[-1]
            hands += 1
            for team, side, sign in zip(TEAMS, (ours, 1 - ours), (1, -1), strict=True):
                net += sign * net_points(table.rules, scored.sides[side])
                raw += sign * scored.sides[side].points
                tally.hand_played(team, scored, side, table.game.hand.blind)
            if not match.games:
                break
        ended = table.game.outcome if table.game else None
        if ended is not None:
            games += 1
            won += 0.5 if ended.winner is None else float(ended.winner == ours)
    tally.pairs.append(Pair(number, hands, net, raw, games, won))


def opening(match: Match, number: int) -> Table:
    """The table before the first hand."""
    rng = rng_for(match.seed, match.unit, number)
    rules = match.rules or draw_rules(rng)
    game = Game(rng.choice(SEATS))
    if match.drawn_scores:
        scores, bags = draw_scores(rules, rng)
        game = Game(game.next_dealer, scores, bags)
    first, second, third, fourth = (Occupant(name, None) for name in NAMES)
    return Table("ARENA", rules, (first, second, third, fourth), None, game)


def _next_hand(
    match: Match, number: int, table: Table, sides: tuple[Partners, Partners], tally: Tally, *, swapped: bool
) -> Table:
    assert table.game is not None
    hand = len(table.game.sheet)
    streams = streams_of(match.seed, match.unit, number, "hand", hand)
    players = sides[0][0], sides[1][0], sides[0][1], sides[1][1]
    spare = rng_for(match.seed, match.unit, number, "hand", hand, "spare")
    dealt = deal(table, rng_for(match.seed, match.unit, number, "hand", hand))
    return play_hand(dealt, Seated(number, swapped, players, streams, spare), tally)


def deal(table: Table, rng: Random) -> Table:
    table = evolve_all(table, decide(table, DealHand(shuffled(rng, DECKS[table.rules.deck]))))
    assert current_hand(table)
    return table


def streams_of(family: str, *place: object) -> BySeat[Random]:
    """A stream of chance for each seat."""
    first, second, third, fourth = (rng_for(family, *place, "seat", seat) for seat in SEATS)
    return first, second, third, fourth
