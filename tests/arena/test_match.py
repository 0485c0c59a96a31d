"""Matches whose result is known before they are played."""

from dataclasses import replace
from random import Random

import pytest
from arena.run import Asked, measured

from arena.match import Match, MatchChunk, opening_table, play_chunk
from arena.play import Lineup, play_hand
from arena.players import BotLoadError, load_partners, load_player
from arena.sampling import deal, new_table, seat_rngs
from arena.stats import TEAMS, Latencies, Stats, games_won, points_per_hand, raw_points_per_hand
from spades_core.ruleset import RuleSet, parse_rules
from spades_core.seats import SEATS
from spades_core.state import Game

PLANTED = "tests.arena.faulty_bots"


def played(match: Match, count: int, first: int = 0) -> Stats:
    return play_chunk(MatchChunk(match, first, count))


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("games", [False, True])
def test_a_bot_against_itself_is_even_in_every_pair(games: bool, drawn: bool) -> None:
    match = Match("medium", "medium", "1", games, None if drawn else RuleSet(), drawn)
    tally = played(match, 4 if games else 15)
    assert [(pair.net, pair.raw) for pair in tally.pairs] == [(0, 0)] * len(tally.pairs)
    assert tally.sides["a"] == tally.sides["b"]
    if games:
        assert {pair.won / pair.games for pair in tally.pairs} == {0.5}


def test_random_loses_to_medium_by_more_than_the_range() -> None:
    tally = played(Match("random", "medium", "1"), 60)
    for found in (points_per_hand(tally.pairs), raw_points_per_hand(tally.pairs)):
        assert found is not None
        assert found.range is not None
        assert found.mean + found.range < -20
    assert not tally.faults


def test_who_is_a_and_who_is_b_only_turns_the_sign() -> None:
    one, other = played(Match("random", "medium", "1"), 10), played(Match("medium", "random", "1"), 10)
    assert [pair.net for pair in one.pairs] == [-pair.net for pair in other.pairs]
    assert one.sides["a"] == other.sides["b"]


def test_partners_may_differ() -> None:
    mixed = points_per_hand(played(Match("medium+random", "medium", "1"), 40).pairs)
    poor = points_per_hand(played(Match("random", "medium", "1"), 40).pairs)
    assert mixed is not None
    assert poor is not None
    assert poor.mean < mixed.mean < 0


def test_games_are_played_to_their_end_and_random_wins_none() -> None:
    tally = played(Match("random", "medium", "1", games=True), 4)
    found = games_won(tally.pairs)
    assert found is not None
    assert found.mean == 0
    assert [pair.games for pair in tally.pairs] == [2] * 4
    assert all(pair.hands >= 2 for pair in tally.pairs)


def test_every_hand_is_counted_for_both_sides() -> None:
    tally = played(Match("medium", "random", "1"), 12)
    for team in TEAMS:
        seen = tally.sides[team]
        assert seen["hands"] == 24
        assert sum(seen[f"bid {bid}"] for bid in range(14)) == 48
        assert sum(bid * seen[f"bid {bid}"] for bid in range(14)) == seen["bid tricks"]
        assert seen["nils made"] + seen["nils set"] + seen["blind nils made"] == seen["bid 0"]
    assert tally.sides["a"]["tricks"] + tally.sides["b"]["tricks"] == 13 * 24
    decisions = {key: times.counts.total() for key, times in tally.times.items()}
    assert decisions == {(bot, kind): 24 * 2 * each for bot in ("medium", "random") for kind, each in PER_SEAT}


PER_SEAT = (("bid", 1), ("card", 13))


def test_results_are_the_same_however_the_work_is_shared_out() -> None:
    match = Match("medium", "random", "share", rules=None, drawn_scores=True)
    alone, complete = measured(match, Asked(3, 40, 1, False))
    shared, complete_too = measured(match, Asked(3, 40, 2, False))
    assert complete
    assert complete_too
    assert alone.pairs == shared.pairs
    assert [pair.number for pair in shared.pairs] == list(range(3, 43))
    assert alone.sides == shared.sides
    assert alone.pairs == measured(match, Asked(3, 40, 1, False))[0].pairs


def test_a_deal_is_the_same_wherever_it_is_played_from() -> None:
    match = Match("medium", "random", "1")
    assert played(match, 5).pairs[3:] == played(match, 2, first=3).pairs
    assert opening_table(match, 3) == opening_table(replace(match, a="random"), 3)


def test_seeds_name_families_that_share_no_deal() -> None:
    deals = {
        (seed, number): str(played(Match("random", "random", seed), 1, number).sides)
        for seed in "12"
        for number in (0, 1)
    }
    assert len(set(deals.values())) == 4


@pytest.mark.parametrize("name", ["Medium", "made_medium", "ONE_OF_THEM"])
def test_a_bot_of_ones_own_is_a_class_a_function_that_makes_it_or_an_object(name: str) -> None:
    match = Match(f"{PLANTED}:{name}", "medium", "1")
    assert [pair.net for pair in played(match, 3).pairs] == [0, 0, 0]


def test_who_can_bid_blind_is_asked_before_it_sees_its_hand_and_passes_cards() -> None:
    rules = parse_rules("classic,blind_nil=swap")
    name = f"{PLANTED}:BidsBlind"
    match = Match(name, "medium", "1", rules=rules, drawn_scores=True)
    tally = played(match, 30)
    for team, tried in (("a", True), ("b", False)):
        assert bool(tally.sides[team]["blind nils made"] + tally.sides[team]["blind nils set"]) == tried
    assert tally.times[name, "blind"].counts.total() > 5
    assert tally.times[name, "pass"].counts.total() > 5
    assert not tally.faults
    badly = played(replace(match, a=f"{PLANTED}:BidsBlindBadly"), 10)
    assert {(fault.kind, fault.text) for fault in badly.named} == {("blind", "'yes'")}
    assert not badly.sides["a"]["blind nils set"]


@pytest.mark.parametrize(("blind_nil", "offers"), [("off", 0), ("on", 2), ("swap", 2)])
def test_who_is_level_or_ahead_or_plays_without_blind_nil_is_never_asked_to_bid_blind(blind_nil, offers) -> None:
    name = f"{PLANTED}:BidsBlind"
    rules = parse_rules(f"classic,blind_nil={blind_nil},target=1000")
    for scores, asked in (((0, 0), 0), ((0, 150), offers), ((150, 0), offers)):
        tally, player = Stats(), load_player(name)
        table = deal(new_table(rules, Game(SEATS[0], scores)), Random(1))
        play_hand(table, Lineup(0, False, (player,) * 4, seat_rngs("1"), Random(1)), tally)
        assert tally.times.get((name, "blind"), Latencies()).counts.total() == asked


def test_an_expert_may_be_given_worlds_or_time() -> None:
    for name in ("expert:2", "expert:1ms"):
        tally = played(Match(name, "random", "1"), 1)
        assert tally.times[name, "card"].counts.total() == 52
        assert not tally.faults


def test_a_module_with_the_four_functions_is_a_bot() -> None:
    assert load_player("spades_core.bots:medium").bot is load_player("medium").bot
    assert load_player("spades_core.bots.levels.medium:").bot is load_player("medium").bot


def test_a_bot_of_three_functions_looks_at_its_hand_before_it_bids() -> None:
    rules = parse_rules("classic,blind_nil=on")
    name = f"{PLANTED}:OfThreeFunctions"
    tally = played(Match(name, "medium", "1", rules=rules, drawn_scores=True), 20)
    assert tally.times[name, "blind"].counts.total() > 5
    assert not tally.sides["a"]["blind nils made"] + tally.sides["a"]["blind nils set"]
    assert [pair.net for pair in tally.pairs] == [0] * 20


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobody", "there is no bot 'nobody'; there is: "),
        ("expert:many", "an expert has a number of worlds or of milliseconds"),
        ("expert:0", "an expert has a number of worlds or of milliseconds"),
        ("expert:1000001", "an expert has a number of worlds or of milliseconds, at most a million"),
        (f"expert:{'9' * 5000}ms", "an expert has a number of worlds or of milliseconds, at most a million"),
        ("medium+", "there is no bot ''"),
        ("no_such_module:Bot", "the bot no_such_module:Bot cannot be had: ModuleNotFoundError"),
        (f"{PLANTED}:Nobody", "cannot be had: AttributeError"),
        ("spades_core.bots:nobody", "cannot be had: ModuleNotFoundError"),
        ("fractions:Fraction", "fractions:Fraction is no bot; a bot has choose_bid, choose_pass, choose_card"),
    ],
)
def test_what_is_no_bot_is_named(name: str, said: str) -> None:
    with pytest.raises(BotLoadError, match=said.replace("+", r"\+")):
        load_partners(name)
