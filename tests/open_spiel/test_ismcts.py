"""The bot of open_spiel's tree search plays legally in the arena, from its view alone."""

from random import Random

from arena.blunders.scenarios import ScenarioChunk, run_chunk
from arena.match import Match, MatchChunk, opening_table, play_chunk
from arena.play import Lineup, play_hand
from arena.players import Player, RandomBot, load_player
from arena.sampling import deal, seat_rngs
from arena.stats import Stats
from spades_core.bots.decisions import Decision
from spades_core.deck import STANDARD
from spades_core.evolve import current_hand
from spades_core.state import Table
from spades_core.views import SeatView
from tests.open_spiel.ismcts import FIRST_BID, Ismcts, sample_state


class BidsNine(RandomBot):
    def choose_bid(self, _view: SeatView, _rng: Random) -> int:
        return 9


def four() -> Ismcts:
    return Ismcts(4)


def test_sampled_states_are_in_the_information_set_and_legal_in_both_games() -> None:
    rng, views = Random(4), 0

    def watch(table: Table, view: SeatView, _choice: Decision) -> None:
        nonlocal views
        assert view.you is not None
        state = sample_state(view, rng)
        assert state.current_player() == (view.you - view.dealer - 1) & 3
        own = state.history()[state.current_player() : 52 : 4]
        assert {STANDARD.cards[number] for number in own} >= set(view.hand)
        assert current_hand(table).held[view.you] == STANDARD.mask_of(view.hand)
        theirs = set(state.legal_actions())
        if view.legal_bids:
            assert theirs <= {FIRST_BID + bid for bid in view.legal_bids}
        else:
            assert theirs <= {STANDARD.cards.index(card) for card in view.legal_cards}
        views += 1

    for number in range(10):
        table = deal(opening_table(Match("", "", "test"), number), Random(number))
        players = (load_player("medium"),) * 4
        play_hand(table, Lineup(number, False, players, seat_rngs("test", number), Random(1)), Stats(), watch)
    assert views == 10 * 56


def test_its_return_is_the_score_of_its_side() -> None:
    match, rng = Match("", "", "test", drawn_scores=True), Random(5)
    for number in range(40):
        last: list[tuple[SeatView, Decision]] = []

        def watch(_table: Table, view: SeatView, card: Decision, last: list[tuple[SeatView, Decision]] = last) -> None:
            last[:] = [(view, card)]

        players = (load_player("medium"),) * 4
        seated = Lineup(number, False, players, seat_rngs("test", number), Random(1))
        table = play_hand(deal(opening_table(match, number), Random(number)), seated, Stats(), watch)
        [(view, card)] = last
        state = sample_state(view, rng)
        state.apply_action(STANDARD.cards.index(card))
        assert view.you is not None
        assert view.dealer is not None
        player = (view.you - view.dealer - 1) & 3
        assert table.game is not None
        assert state.returns()[player] == table.game.sheet[-1].sides[view.you & 1].points


def test_it_accepts_bids_of_partners_above_thirteen() -> None:
    name = "tests.open_spiel.test_ismcts:four"
    for high_bidder in range(4):
        players = [load_player(name)] * 4
        for seat in (high_bidder, high_bidder ^ 2):
            players[seat] = Player("high", BidsNine())
        first, second, third, fourth = players
        table = deal(opening_table(Match("", "", "test"), 1), Random(1))
        stats = Stats()
        play_hand(table, Lineup(1, False, (first, second, third, fourth), seat_rngs("test", 1), Random(1)), stats)
        assert not stats.faults, stats.fault_examples


def test_it_plays_in_the_arena_without_a_fault() -> None:
    name = "tests.open_spiel.test_ismcts:four"
    stats = play_chunk(MatchChunk(Match(name, "random", "1"), 0, 1))
    assert not stats.faults, stats.fault_examples
    assert stats.latencies[name, "card"].counts.total() == 52
    again = play_chunk(MatchChunk(Match(name, "random", "1"), 0, 1))
    assert again.pairs == stats.pairs


def test_it_does_not_depend_on_unseen_cards() -> None:
    found = run_chunk(ScenarioChunk("tests.open_spiel.test_ismcts:four", "1", "swaps", 0, 4))
    assert found.opportunities["hidden"] == 4
    assert not found.occurrences["hidden"]
