"""Matches with results that are known in advance, and bots loaded by name."""

from dataclasses import replace
from random import Random

import pytest

from arena.match import Match, MatchChunk, opening_table, play_chunk, play_match
from arena.play import Lineup, play_hand
from arena.players import BotLoadError, load_partners, load_player
from arena.sampling import deal, new_table, seat_rngs
from arena.stats import TEAMS, Latencies, Stats, games_won, points_per_hand, raw_points_per_hand
from spades_core.ruleset import RuleSet, parse_rules
from spades_core.seats import SEATS
from spades_core.state import Game

FAULTY = "tests.arena.faulty_bots"


def played(match: Match, count: int, first: int = 0) -> Stats:
    return play_chunk(MatchChunk(match, first, count))


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("games", [False, True])
def test_bot_against_itself_is_even_in_every_pair(games: bool, drawn: bool) -> None:
    match = Match("medium", "medium", "1", games, None if drawn else RuleSet(), drawn)
    stats = played(match, 4 if games else 15)
    assert [(pair.net_points, pair.raw_points) for pair in stats.pairs] == [(0, 0)] * len(stats.pairs)
    assert stats.teams["a"] == stats.teams["b"]
    if games:
        assert {pair.games_won / pair.games for pair in stats.pairs} == {0.5}


def test_random_loses_to_medium_by_more_than_the_margin() -> None:
    stats = played(Match("random", "medium", "1"), 60)
    for lead in (points_per_hand(stats.pairs), raw_points_per_hand(stats.pairs)):
        assert lead is not None
        assert lead.margin is not None
        assert lead.mean + lead.margin < -20
    assert not stats.faults


def test_exchanging_a_and_b_changes_the_sign() -> None:
    one, other = played(Match("random", "medium", "1"), 10), played(Match("medium", "random", "1"), 10)
    assert [pair.net_points for pair in one.pairs] == [-pair.net_points for pair in other.pairs]
    assert one.teams["a"] == other.teams["b"]


def test_partners_may_differ() -> None:
    mixed = points_per_hand(played(Match("medium+random", "medium", "1"), 40).pairs)
    poor = points_per_hand(played(Match("random", "medium", "1"), 40).pairs)
    assert mixed is not None
    assert poor is not None
    assert poor.mean < mixed.mean < 0


def test_games_are_played_to_their_end_and_random_wins_none() -> None:
    stats = played(Match("random", "medium", "1", games=True), 4)
    share = games_won(stats.pairs)
    assert share is not None
    assert share.mean == 0
    assert [pair.games for pair in stats.pairs] == [2] * 4
    assert all(pair.hands >= 2 for pair in stats.pairs)


def test_every_hand_is_counted_for_both_sides() -> None:
    stats = played(Match("medium", "random", "1"), 12)
    for team in TEAMS:
        counts = stats.teams[team]
        assert counts["hands"] == 24
        assert sum(counts[f"bid {bid}"] for bid in range(14)) == 48
        assert sum(bid * counts[f"bid {bid}"] for bid in range(14)) == counts["bid tricks"]
        assert counts["nils made"] + counts["nils set"] + counts["blind nils made"] == counts["bid 0"]
    assert stats.teams["a"]["tricks"] + stats.teams["b"]["tricks"] == 13 * 24
    decisions = {key: latencies.counts.total() for key, latencies in stats.latencies.items()}
    assert decisions == {(bot, kind): 24 * 2 * each for bot in ("medium", "random") for kind, each in PER_SEAT}


PER_SEAT = (("bid", 1), ("card", 13))


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    match = Match("medium", "random", "share", rules=None, drawn_scores=True)
    alone, complete = play_match(match, 3, 40, 1)
    shared, complete_too = play_match(match, 3, 40, 2)
    assert complete
    assert complete_too
    assert alone.pairs == shared.pairs
    assert [pair.number for pair in shared.pairs] == list(range(3, 43))
    assert alone.teams == shared.teams
    assert alone.pairs == play_match(match, 3, 40, 1)[0].pairs


def test_deal_does_not_depend_on_the_first_number_or_the_players() -> None:
    match = Match("medium", "random", "1")
    assert played(match, 5).pairs[3:] == played(match, 2, first=3).pairs
    assert opening_table(match, 3) == opening_table(replace(match, a="random"), 3)


def test_seeds_share_no_deal() -> None:
    deals = {
        (seed, number): str(played(Match("random", "random", seed), 1, number).teams)
        for seed in "12"
        for number in (0, 1)
    }
    assert len(set(deals.values())) == 4


@pytest.mark.parametrize("name", ["Medium", "make_medium", "INSTANCE"])
def test_custom_bot_is_a_class_a_factory_or_an_object(name: str) -> None:
    match = Match(f"{FAULTY}:{name}", "medium", "1")
    assert [pair.net_points for pair in played(match, 3).pairs] == [0, 0, 0]


def test_blind_nil_is_bid_before_the_hand_is_seen_and_cards_are_passed() -> None:
    rules = parse_rules("classic,blind_nil=swap")
    name = f"{FAULTY}:BidsBlind"
    match = Match(name, "medium", "1", rules=rules, drawn_scores=True)
    stats = played(match, 30)
    for team, bids_blind in (("a", True), ("b", False)):
        assert bool(stats.teams[team]["blind nils made"] + stats.teams[team]["blind nils set"]) == bids_blind
    assert stats.latencies[name, "blind"].counts.total() > 5
    assert stats.latencies[name, "pass"].counts.total() > 5
    assert not stats.faults
    illegal = played(replace(match, a=f"{FAULTY}:BidsBlindIllegally"), 10)
    assert {(fault.kind, fault.text) for fault in illegal.fault_examples} == {("blind", "'yes'")}
    assert not illegal.teams["a"]["blind nils set"]


@pytest.mark.parametrize(("blind_nil", "offers"), [("off", 0), ("on", 2), ("swap", 2)])
def test_blind_nil_is_offered_only_when_allowed_and_far_behind(blind_nil, offers) -> None:
    name = f"{FAULTY}:BidsBlind"
    rules = parse_rules(f"classic,blind_nil={blind_nil},target=1000")
    for scores, asked in (((0, 0), 0), ((0, 150), offers), ((150, 0), offers)):
        stats, player = Stats(), load_player(name)
        table = deal(new_table(rules, Game(SEATS[0], scores)), Random(1))
        play_hand(table, Lineup(0, False, (player,) * 4, seat_rngs("1"), Random(1)), stats)
        assert stats.latencies.get((name, "blind"), Latencies()).counts.total() == asked


def test_expert_takes_a_number_of_worlds_or_a_time_limit() -> None:
    for name in ("expert:2", "expert:1ms"):
        stats = played(Match(name, "random", "1"), 1)
        assert stats.latencies[name, "card"].counts.total() == 52
        assert not stats.faults


def test_module_is_a_bot() -> None:
    assert load_player("spades_core.bots:medium").bot is load_player("medium").bot
    assert load_player("spades_core.bots.levels.medium:").bot is load_player("medium").bot


def test_bot_without_choose_blind_never_bids_blind() -> None:
    rules = parse_rules("classic,blind_nil=on")
    name = f"{FAULTY}:WithoutBlind"
    stats = played(Match(name, "medium", "1", rules=rules, drawn_scores=True), 20)
    assert stats.latencies[name, "blind"].counts.total() > 5
    assert not stats.teams["a"]["blind nils made"] + stats.teams["a"]["blind nils set"]
    assert [pair.net_points for pair in stats.pairs] == [0] * 20


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "there is no bot 'nobody'; choose one of "),
        ("expert:many", "an expert takes a number of worlds or of milliseconds"),
        ("expert:0", "an expert takes a number of worlds or of milliseconds"),
        ("expert:1000001", "an expert takes a number of worlds or of milliseconds, at most a million"),
        (f"expert:{'9' * 5000}ms", "an expert takes a number of worlds or of milliseconds, at most a million"),
        ("medium+", "there is no bot ''"),
        ("no_such_module:Bot", "the bot no_such_module:Bot cannot be loaded: ModuleNotFoundError"),
        (f"{FAULTY}:Nobody", "cannot be loaded: AttributeError"),
        ("spades_core.bots:nobody", "cannot be loaded: ModuleNotFoundError"),
        ("fractions:Fraction", "fractions:Fraction is not a bot; a bot has choose_bid, choose_pass, choose_card"),
    ],
)
def test_invalid_bot_name(name: str, message: str) -> None:
    with pytest.raises(BotLoadError, match=message.replace("+", r"\+")):
        load_partners(name)
