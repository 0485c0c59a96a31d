"""The tree search of open_spiel sits down in the arena: it plays legally, from what its seat may know."""

from random import Random

from arena.match import Chunk, Match, deal, opening, play_chunk, streams_of
from arena.play import Choice, Seated, play_hand
from arena.players import Player, RandomBot, player_of
from arena.tally import Tally
from arena.trials import Sample, try_out
from spades_core.deck import STANDARD
from spades_core.evolve import current_hand
from spades_core.state import Table
from spades_core.views import SeatView
from tests.open_spiel.ismcts import FIRST_BID, Ismcts, world


class BidsNine(RandomBot):
    def choose_bid(self, _view: SeatView, _rng: Random) -> int:
        return 9


def four() -> Ismcts:
    return Ismcts(4)


def test_worlds_are_of_one_information_set_and_legal_in_both_games() -> None:
    rng, views = Random(4), 0

    def watch(table: Table, view: SeatView, _choice: Choice) -> None:
        nonlocal views
        assert view.you is not None
        state = world(view, rng)
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
        table = deal(opening(Match("", "", "test"), number), Random(number))
        players = (player_of("medium"),) * 4
        play_hand(table, Seated(number, False, players, streams_of("test", number), Random(1)), Tally(), watch)
    assert views == 10 * 56


def test_what_it_plays_for_is_what_its_side_scores() -> None:
    match, rng = Match("", "", "test", drawn_scores=True), Random(5)
    for number in range(40):
        last: list[tuple[SeatView, Choice]] = []

        def watch(_table: Table, view: SeatView, choice: Choice, last: list[tuple[SeatView, Choice]] = last) -> None:
            last[:] = [(view, choice)]

        players = (player_of("medium"),) * 4
        seated = Seated(number, False, players, streams_of("test", number), Random(1))
        table = play_hand(deal(opening(match, number), Random(number)), seated, Tally(), watch)
        [(view, card)] = last
        state = world(view, rng)
        state.apply_action(STANDARD.cards.index(card))
        assert view.you is not None
        assert view.dealer is not None
        player = (view.you - view.dealer - 1) & 3
        assert table.game is not None
        assert state.returns()[player] == table.game.sheet[-1].sides[view.you & 1].points


def test_it_plays_on_when_partners_bid_more_than_it_knows() -> None:
    name = "tests.open_spiel.test_ismcts:four"
    for seat_of_who_bids_high in range(4):
        players = [player_of(name)] * 4
        for seat in (seat_of_who_bids_high, seat_of_who_bids_high ^ 2):
            players[seat] = Player("high", BidsNine())
        first, second, third, fourth = players
        table = deal(opening(Match("", "", "test"), 1), Random(1))
        tally = Tally()
        play_hand(table, Seated(1, False, (first, second, third, fourth), streams_of("test", 1), Random(1)), tally)
        assert not tally.faults, tally.named


def test_it_plays_in_the_arena_without_a_fault() -> None:
    name = "tests.open_spiel.test_ismcts:four"
    tally = play_chunk(Chunk(Match(name, "random", "1"), 0, 1))
    assert not tally.faults, tally.named
    assert tally.times[name, "card"].counts.total() == 52
    again = play_chunk(Chunk(Match(name, "random", "1"), 0, 1))
    assert again.pairs == tally.pairs


def test_it_uses_no_card_that_it_cannot_see() -> None:
    found = try_out(Sample("tests.open_spiel.test_ismcts:four", "1", "swaps", 0, 4))
    assert found.chances["unseen"] == 4
    assert not found.done["unseen"]
