"""Duplicate matches: each deal or game is played twice, with sides swapped and everything else the same.

Invariant: cards, first bidder, scores and the random stream of each seat are the same
both times, so a bot against itself comes out exactly even in every pair.
"""

from dataclasses import dataclass

from arena.parallel import Progress, chunk_size, run_chunks
from arena.play import Lineup, play_hand
from arena.players import Partners, load_partners
from arena.sampling import deal, draw_rules, draw_scores, new_table, rng_for, seat_rngs
from arena.stats import TEAMS, Pair, Stats, format_estimate, games_won, net_points, points_per_hand
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS
from spades_core.state import Game, Table


@dataclass(frozen=True, slots=True)
class Match:
    """Both teams' bots by name, the seed, and what is played: deals or games, under `rules` (None: drawn anew)."""

    a: str
    b: str
    seed: str
    games: bool = False
    rules: RuleSet | None = RuleSet()  # noqa: RUF009 (immutable)
    drawn_scores: bool = False

    @property
    def sampling_unit(self) -> str:
        return "game" if self.games else "deal"


@dataclass(frozen=True, slots=True)
class MatchChunk:
    """Pairs `first` to `first + count - 1` of a match."""

    match: Match
    first: int
    count: int


def play_match(match: Match, first: int, count: int, processes: int) -> tuple[Stats, bool]:
    """Play pairs `first` to `first + count - 1`; also return whether all were played. Raises BotLoadError."""
    for names in (match.a, match.b):
        load_partners(names)
    size, end = chunk_size(count, processes), first + count
    chunks = [MatchChunk(match, start, min(size, end - start)) for start in range(first, end, size)]
    stats, progress = Stats(), Progress(count, match.sampling_unit)

    def add(part: Stats) -> None:
        stats.merge(part)
        progress.update(len(stats.pairs), _summary(match, stats))

    complete = run_chunks(play_chunk, chunks, processes, add)
    progress.clear()
    stats.pairs.sort(key=lambda pair: pair.number)
    return stats, complete


def _summary(match: Match, stats: Stats) -> str:
    if match.games:
        return f"A won {format_estimate(games_won(stats.pairs), share=True)} of the games"
    return f"A {format_estimate(points_per_hand(stats.pairs))} points per hand"


def play_chunk(chunk: MatchChunk) -> Stats:
    stats, a, b = Stats(), load_partners(chunk.match.a), load_partners(chunk.match.b)
    for number in range(chunk.first, chunk.first + chunk.count):
        play_pair(chunk.match, number, a, b, stats)
    return stats


def play_pair(match: Match, number: int, a: Partners, b: Partners, stats: Stats) -> None:
    opening = opening_table(match, number)
    hands = net = raw = games = 0
    won = 0.0
    for swapped in (False, True):
        table, side_of_a = opening, int(swapped)
        north_south, east_west = (b, a) if swapped else (a, b)
        players = north_south[0], east_west[0], north_south[1], east_west[1]
        while table.phase == "scored":
            assert table.game is not None
            path = (match.sampling_unit, number, "hand", len(table.game.sheet))
            rngs, fallback_rng = seat_rngs(match.seed, *path), rng_for(match.seed, *path, "spare")
            dealt = deal(table, rng_for(match.seed, *path))
            table = play_hand(dealt, Lineup(number, swapped, players, rngs, fallback_rng), stats)
            assert table.game is not None
            assert table.game.hand is not None
            scored = table.game.sheet[-1]
            hands += 1
            for team, side, sign in zip(TEAMS, (side_of_a, 1 - side_of_a), (1, -1), strict=True):
                net += sign * net_points(table.rules, scored.sides[side])
                raw += sign * scored.sides[side].points
                stats.record_hand(team, scored, side, table.game.hand.blind)
            if not match.games:
                break
        outcome = table.game.outcome if table.game else None
        if outcome is not None:
            games += 1
            won += 0.5 if outcome.winner is None else float(outcome.winner == side_of_a)
    stats.pairs.append(Pair(number, hands, net, raw, games, won))


def opening_table(match: Match, number: int) -> Table:
    """Return the table of deal or game `number` before its first hand."""
    rng = rng_for(match.seed, match.sampling_unit, number)
    rules = match.rules or draw_rules(rng)
    game = Game(rng.choice(SEATS))
    if match.drawn_scores:
        scores, bags = draw_scores(rules, rng)
        game = Game(game.next_dealer, scores, bags)
    return new_table(rules, game)
