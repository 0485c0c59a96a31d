"""Invariants of random games, in which players also leave, come back and change seats."""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spades_core.cards import CARDS, Card
from spades_core.commands import CommandRefused, DealHand, PlaceBid, PlayCard
from spades_core.decide import decide
from spades_core.deck import DECKS, shuffled
from spades_core.evolve import evolve_all
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.seats import SEATS, next_seat
from spades_core.state import Hand
from spades_core.views import view_for
from tests.scale import cases
from tests.spades_core.random_games import SHORT, any_command, play_game
from tests.spades_core.reference_moves import is_spade, may_bid, may_play
from tests.spades_core.scenarios import SUIT_EACH, play_sweep, replayed, started

GAMES = settings(max_examples=cases(20, 60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
rngs = st.integers(0, 2**32).map(Random)


@given(rngs)
@GAMES
def test_replaying_the_log_gives_the_live_table(rng) -> None:
    log, table = [], None
    for step in play_game(rng):
        log += step.events
        table = step.after
        if rng.random() < 0.1:
            assert replayed(log) == table
    assert replayed(log) == table


@pytest.mark.rule("R12", "R29", "R38")
@given(rngs)
@GAMES
def test_in_every_hand_each_card_is_played_once_in_thirteen_tricks(rng) -> None:
    played, taken = Counter(), 0
    for step in play_game(rng):
        for event in step.events:
            if event.t == "hand_dealt":
                deck = DECKS[step.after.rules.deck].cards
                assert sorted(card for hand in event.hands for card in hand) == sorted(deck)
                played, taken = Counter(), 0
            elif event.t == "card_played":
                played[event.card] += 1
            elif event.t == "trick_taken":
                taken += 1
            elif event.t == "hand_scored":
                assert played == Counter(deck)
                assert taken == sum(event.taken) == 13


@pytest.mark.rule("R26", "R29")
@given(rngs)
@GAMES
def test_the_seat_on_turn_always_has_a_move_and_nobody_else_has(rng) -> None:
    for step in play_game(rng):
        table = step.after
        views = [view_for(seat, table) for seat in SEATS]
        moves = [view.legal_bids or view.legal_cards or view.to_pass for view in views]
        may = [bool(move) or (view.may_look and view.turn == view.you) for view, move in zip(views, moves, strict=True)]
        assert may == [seat == table.turn for seat in SEATS]
        assert (table.turn is None) == (table.phase not in ("bidding", "passing", "playing"))


@pytest.mark.rule("R67")
@given(rngs, st.sampled_from([None, SHORT, RuleSet(hand_limit=1), CLASSIC]))
@settings(GAMES, max_examples=cases(10, 30))
def test_every_game_ends(rng, rules) -> None:
    *_, last = play_game(rng, rules)
    game = last.after.game
    assert game is not None
    assert game.outcome is not None
    assert len(game.sheet) <= last.after.rules.hand_limit
    assert [hand.number for hand in game.sheet] == list(range(1, len(game.sheet) + 1))
    best = max(game.scores)
    if game.outcome.winner is None:
        assert game.scores == (best, best)
        assert game.outcome.reason == "hand_limit"
    else:
        assert game.scores[game.outcome.winner] == best > game.scores[1 - game.outcome.winner]
    assert game.scores == tuple(sum(hand.sides[side].points for hand in game.sheet) for side in (0, 1))


@pytest.mark.rule("R39")
@given(rngs)
@GAMES
def test_a_refused_command_changes_nothing_and_says_why(rng) -> None:
    refused = 0
    for step in play_game(rng):
        before = repr(step.after)
        for _ in range(3):
            refusal = _refusal_of(step.after, any_command(step.after, rng))
            assert repr(step.after) == before
            if refusal is not None:
                refused += 1
                assert refusal.code
                assert refusal.text[0].isupper()
                assert refusal.text.endswith(".")
    assert refused > 20


def _refusal_of(table, command) -> CommandRefused | None:
    try:
        decide(table, command)
    except CommandRefused as refusal:
        return refusal
    return None


@pytest.mark.rule("R30", "R31", "R33", "R34", "R39", "R109")
@given(rngs)
@GAMES
def test_exactly_the_cards_and_bids_of_the_rules_are_accepted(rng) -> None:
    broken, trick = False, []
    for step in play_game(rng, seat_changes=0):
        rules = step.after.rules
        for event in step.events:
            if event.t == "hand_dealt":
                broken, trick = False, []
            elif event.t == "card_played":
                trick.append(event.card)
                broken = broken or (is_spade(rules, event.card) and not is_spade(rules, trick[0]))
            elif event.t == "trick_taken":
                trick = []
        if step.after.phase == "playing":
            _only_these_cards(step.after, trick, broken)
        elif step.after.phase == "bidding":
            _only_these_bids(step.after)


def _only_these_cards(table, trick, broken) -> None:
    """Tries every card there is in the name of the seat on turn."""
    view = view_for(table.turn, table)
    allowed = may_play(table.rules, view.hand, trick, first=not view.tricks, broken=broken)
    accepted = {card for card in CARDS if _refusal_of(table, PlayCard(table.turn, card)) is None}
    assert accepted == allowed == set(view.legal_cards)
    assert accepted


def _only_these_bids(table) -> None:
    """Try every bid, open and blind, of the seat whose turn it is."""
    view, seat = view_for(table.turn, table), table.turn
    held = DECKS[table.rules.deck].cards_in(table.game.hand.held[seat])
    allowed = may_bid(table.rules, [each.bid for each in view.seats], seat, held)
    assert allowed
    open_bids = {bid for bid in range(-1, 15) if _refusal_of(table, PlaceBid(seat, bid)) is None}
    blind_bids = {bid for bid in range(-1, 15) if _refusal_of(table, PlaceBid(seat, bid, blind=True)) is None}
    assert open_bids == set(view.legal_bids) == (set() if view.may_look else allowed)
    assert blind_bids == (allowed & {0} if view.may_look else set())
    assert view.may_bid_blind == bool(blind_bids)


@pytest.mark.rule("R13", "R20", "R28", "R37")
@given(rngs)
@GAMES
def test_turns_go_clockwise_from_the_dealers_left_and_from_each_winner(rng) -> None:
    expected = None
    for step in play_game(rng):
        for event in step.events:
            if event.t == "hand_dealt":
                expected = next_seat(event.dealer)
            elif event.t in ("bid_placed", "card_played"):
                assert event.seat == expected
                expected = next_seat(expected)
            elif event.t in ("trick_taken", "play_began"):
                expected = event.seat
        if step.after.turn is not None and step.after.phase != "passing":
            assert step.after.turn == expected


@pytest.mark.rule("R3", "R71")
@given(rngs)
@GAMES
def test_a_person_keeps_the_seat_until_they_leave_it(rng) -> None:
    for step in play_game(rng, seat_changes=0.3):
        left = {event.seat for event in step.events if event.t in ("seat_left", "seat_changed")}
        for seat, occupant in zip(SEATS, step.before.seats, strict=True):
            now = step.after.seats[seat]
            if occupant is not None and occupant.player is not None and seat not in left:
                assert now is not None
                assert now.player == occupant.player
        people = [seat.player for seat in step.after.seats if seat is not None and seat.player is not None]
        assert len(people) == len(set(people))


@pytest.mark.rule("R8", "R74")
@given(rngs)
@GAMES
def test_the_host_is_a_person_who_is_there_if_anybody_is(rng) -> None:
    for step in play_game(rng, seat_changes=0.3):
        seats, host = step.after.seats, step.after.host
        if any(seat is not None and seat.player is not None and not seat.away for seat in seats):
            assert host is not None
            assert seats[host] is not None
            assert seats[host].player is not None
            assert not seats[host].away


def test_a_hand_knows_how_many_cards_each_seat_holds() -> None:
    hand = Hand(1, SEATS[3], (0, 0, 0, 0), SEATS[2], SEATS[2], trick=(Card("2H"), Card("3H"), Card("4H")))
    assert [hand.cards_left(seat) for seat in SEATS] == [12, 13, 12, 12]


def test_a_long_game_is_stopped_by_the_hand_limit() -> None:
    """In all hundred hands the points for the contract of 5 and the bag penalties cancel out."""
    scenario = started(RuleSet(target=1000, floor=None))
    for _ in range(100):
        assert scenario.table.phase == "scored"
        play_sweep(scenario, 4, 1, 1, 1)
    assert scenario.table.phase == "over"
    assert scenario.view(None).outcome.reason == "hand_limit"
    assert len(scenario.table.game.sheet) == 100


def test_tables_share_no_state() -> None:
    one, other = started(), started()
    one.do(DealHand(SUIT_EACH))
    other.do(DealHand(shuffled(Random(3))))
    one.bid(5)
    assert other.hand.bids == (None, None, None, None)
    assert evolve_all(other.table, decide(other.table, PlaceBid(SEATS[0], 2))) != other.table
