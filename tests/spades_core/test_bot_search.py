"""What the expert searches with: positions, sampled worlds, utility, and the race of candidates."""

from dataclasses import replace
from random import Random

import pytest

from spades_core.bots.engine.determinization import HandLikelihood, Sampler, bid_likelihood, sample_worlds
from spades_core.bots.engine.observation import Observation, play_history
from spades_core.bots.engine.policy import policy_card
from spades_core.bots.engine.position import SPADES, Position
from spades_core.bots.engine.race import Race
from spades_core.bots.engine.rollout import play_out
from spades_core.bots.engine.utility import Utility, bag_cost, win_probability
from spades_core.bots.levels.medium.medium_observation import MediumObservation
from spades_core.bots.weights import parameters
from spades_core.cards import Card
from spades_core.commands import DealHand
from spades_core.deck import DECKS
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.state import Table
from spades_core.views import SeatView, view_for
from tests.spades_core.playout import deal as deal_masks
from tests.spades_core.playout import deck_tables
from tests.spades_core.random_games import play_game
from tests.spades_core.rule_sets import rules_with
from tests.spades_core.scenarios import Scenario, after_hands, cards, deal, dealt


def never() -> bool:
    return False


def tables_in_play(count: int) -> list[Table]:
    tables: list[Table] = []
    rng = Random(71)
    while len(tables) < count:
        tables += [commit.after for commit in play_game(rng, void_rate=0) if commit.after.phase == "playing"][::7]
    return tables[:count]


def test_both_observations_agree_with_each_other_and_the_rules() -> None:
    for table in tables_in_play(300):
        assert table.turn is not None
        view = view_for(table.turn, table)
        seen, plain, deck = Observation.from_view(view), MediumObservation(view), DECKS[view.rules.deck]
        split = deck_tables(deck).split
        for seat in range(4):
            if seat != seen.own_seat:
                voids = seen.position.voids[seat]
                may_hold = [
                    0 if voids >> suit & 1 else seen.position.unplayed[suit] & ~seen.hand[suit] for suit in range(4)
                ]
                assert may_hold == split(plain.may_hold[seat])
        assert seen.position.legal_cards(seen.hand) == split(plain.legal)
        assert tuple(seen.position.tricks_needed[side ^ seen.own_seat & 1] for side in (0, 1)) == plain.tricks_needed
        assert seen.position.tricks_left == plain.tricks_left
        if view.trick is not None:
            assert seen.position.winner == plain.winner


def test_playing_the_history_leads_to_the_observed_position() -> None:
    for table in tables_in_play(100):
        assert table.turn is not None
        view = view_for(table.turn, table)
        position, plays = play_history(view)
        for seat, suit, bit in plays:
            position.play(seat, suit, bit)
        seen = Observation.from_view(view).position
        in_trick = ("led", "best", "ruffed", "winner") if seen.trick_size else ()
        for name in (
            "unplayed",
            "taken",
            "tricks_needed",
            "tricks_left",
            "trick_size",
            "nil_alive",
            "spade_lead_forbidden",
            "goal",
            *in_trick,
        ):
            assert getattr(position, name) == getattr(seen, name), name


def test_the_policy_plays_legal_cards_under_all_rules_of_the_play() -> None:
    rng = Random(72)
    for number in range(60):
        rules = RuleSet(
            first_trick_spades=rng.choice(("allowed", "refused")),
            lead_spades=rng.choice(("when_broken", "any_time", "not_first_trick")),
        )
        split = deck_tables(DECKS[rules.deck]).split
        hands = [split(mask) for mask in deal_masks(rng)]
        position = Position(rules, [rng.choice((0, 2, 3, 4)) for _ in range(4)], number & 3)
        while position.tricks_left:
            seat = position.last_seat + 1 & 3 if position.trick_size else position.winner
            suit, bit = policy_card(position, hands[seat], seat)
            assert position.legal_cards(hands[seat])[suit] & bit
            hands[seat][suit] ^= bit
            position.play(seat, suit, bit)
        assert sum(position.taken) == 13


def test_the_same_dice_play_the_same_hand() -> None:
    split = deck_tables(DECKS["standard"]).split
    hands = [split(mask) for mask in deal_masks(Random(5))]
    dice = Random(6).randbytes(52)
    one, other = (play_out(Position(CLASSIC, [3, 3, 3, 3], 1), [held[:] for held in hands], dice, 64) for _ in range(2))
    assert one == other


# Worlds


def sampler_of(view: SeatView) -> Sampler:
    seen = Observation.from_view(view)
    return Sampler(seen.position, seen.hand, seen.own_seat, seen.deck.masks_of(view.passed))


def likelihood_of(view: SeatView) -> HandLikelihood:
    return HandLikelihood(view, Observation.from_view(view))


def worlds_of(scenario: Scenario, count: int) -> tuple[Sampler, list[list[list[int]]]]:
    turn = scenario.table.turn
    assert turn is not None
    view = scenario.view(turn)
    sampler = sampler_of(view)
    stream = sample_worlds(sampler, likelihood_of(view).likelihood, Random(8), never)
    return sampler, [next(stream) for _ in range(count)]


def test_a_sampled_world_fits_the_voids_and_has_all_unseen_cards() -> None:
    for table in tables_in_play(60):
        assert table.turn is not None
        assert table.game is not None
        assert table.game.hand is not None
        seen = Observation.from_view(view_for(table.turn, table))
        sampler = Sampler(seen.position, seen.hand, seen.own_seat)
        for _ in range(3):
            hands = sampler.sample(Random(9))
            assert hands[seen.own_seat] == seen.hand
            for suit in range(4):
                assert sum(hand[suit] for hand in hands) == seen.position.unplayed[suit]
            for seat in range(4):
                held = sum(cards.bit_count() for cards in hands[seat])
                assert held == table.game.hand.held[seat].bit_count()
                assert not any(hands[seat][suit] and seen.position.voids[seat] >> suit & 1 for suit in range(4))


GIVEN = "S 32 H A"
"""Spades and hearts of seat 2 when it bids; seat 0 then passes it the two highest spades."""


def swapped() -> Scenario:
    """Seat 0 bid blind nil, passed AS KS to its partner and got two clubs back; seat 1 leads."""
    scenario = after_hands((0, 300), rules=rules_with(blind_nil="swap"), dealer=0)
    scenario.do(DealHand(deal("S AK5 C A", "C QJT", f"C 234 {GIVEN}", "C 5")))
    scenario.bid(4)
    scenario.look()
    scenario.bid(3, 3)
    scenario.bid_blind()
    scenario.pass_on("AS KS", "2C 4C")
    return scenario


def holders(worlds: list[list[list[int]]], suit: int, rank: int) -> set[int]:
    return {seat for hands in worlds for seat in range(4) if hands[seat][suit] >> rank & 1}


def test_passed_cards_are_in_the_partners_hand_until_they_are_played() -> None:
    scenario = swapped()
    _, others = worlds_of(scenario, 40)
    assert holders(others, SPADES, 12) == {0, 2, 3}, "seat 1 does not know"
    scenario.play("QC 3C 5C")
    _, worlds = worlds_of(scenario, 40)
    assert holders(worlds, SPADES, 12) == holders(worlds, SPADES, 11) == {2}
    assert holders(worlds, SPADES, 10) == {1, 2, 3}


def test_a_passed_card_that_came_back_is_in_the_own_hand() -> None:
    view = swapped().view(0)
    view = replace(view, received=cards("AS 2C"), hand=(*view.hand[:-1], Card("AS")))
    assert sampler_of(view).passed == [0, 0, 0, 1 << 11]


def test_a_partners_bid_is_judged_by_its_cards_before_the_pass() -> None:
    scenario = swapped()
    split = deck_tables(DECKS["standard"]).split
    now = split(scenario.hand.held[2])
    before = [*now[:3], now[3] & 3]
    before[0] |= 0b101
    hand_likelihood = likelihood_of(scenario.view(0))
    assert (
        hand_likelihood.likelihood(2, now)
        == bid_likelihood(before, hand_likelihood.suit_sizes, 3)
        != bid_likelihood(now, hand_likelihood.suit_sizes, 3)
    )
    assert likelihood_of(scenario.view(1)).likelihood(2, now) == 1.0, (
        "the bid says nothing to a seat that did not see the pass"
    )


def test_a_high_bidder_holds_more_of_the_high_spades() -> None:
    scenario = dealt("H AKQ")
    scenario.bid(3, 6, 2, 1)
    _, worlds = worlds_of(scenario, 150)
    ace = 1 << 12
    holders = [sum(bool(hands[seat][SPADES] & ace) for hands in worlds) for seat in range(4)]
    assert holders[1] > holders[3] * 1.5


def test_third_hand_playing_the_jack_is_unlikely_to_hold_a_higher_card() -> None:
    scenario = dealt("D 3", "D 4", "D J", "D Q5 S AT5 H AT76 C AT76")
    scenario.bid(3, 3, 3, 3)
    scenario.play("3D 4D JD")
    _, worlds = worlds_of(scenario, 400)
    higher = 1 << 11 | 1 << 12
    second, third = (sum(bool(hands[seat][1] & higher) for hands in worlds) for seat in (1, 2))
    assert third * 1.4 < second


# Utility


def utility_of(scenario: Scenario, bids: list[int]) -> Utility:
    return Utility(scenario.view(0), bids)


def test_utility_is_points_with_bags_at_their_cost() -> None:
    scenario = dealt()
    utility = utility_of(scenario, [3, 3, 3, 3])
    assert utility.value([4, 3, 3, 3]) == 60 - 9 - 60
    assert utility.value([3, 3, 2, 5]) == -60 - (60 - 18)


def test_near_the_end_of_a_game_utility_is_winning_it() -> None:
    utility = utility_of(after_hands((450, 400)), [3, 3, 3, 3])
    assert utility.near_end
    assert utility.value([3, 4, 3, 3]) > 990, "510 points win"
    assert utility.value([3, 4, 2, 4]) < 500


@pytest.mark.parametrize(
    ("switches", "cost"),
    [
        ({}, 9),
        ({"bag_limit": None}, -1),
        ({"bag_limit": 5}, 19),
        ({"bag_points": "none"}, 10),
        ({"bag_penalty": 50}, 4),
    ],
)
def test_a_bag_costs_its_share_of_the_penalty(switches, cost) -> None:
    assert bag_cost(rules_with(**switches)) == cost


def test_a_lead_is_worth_more_near_the_end() -> None:
    early = win_probability(CLASSIC, (100, 0), (0, 0), 2)
    late = win_probability(CLASSIC, (450, 350), (0, 0), 9)
    assert 0.5 < early < late < 1
    assert win_probability(CLASSIC, (500, 480), (0, 0), 9) == 1
    assert win_probability(CLASSIC, (300, 300), (9, 0), 9) < 0.5, "nine bags are a debt"


# Racing


def test_a_candidate_far_behind_is_eliminated() -> None:
    evaluations = {"good": 0, "bad": 0, "close": 0}
    rng = Random(10)

    def value(candidate: str) -> float:
        evaluations[candidate] += 1
        return {"good": 10.0, "bad": -50.0, "close": 9.5}[candidate] + rng.gauss(0, 5)

    race = Race(list(evaluations))
    for _ in range(200):
        if not race.run(value, never):
            break
    assert evaluations["bad"] < evaluations["good"]
    assert race.best() in ("good", "close")


def test_the_default_stays_unless_another_is_clearly_better() -> None:
    race = Race([3, 4])
    noise = Random(11)
    for _ in range(15):
        race.run(lambda bid: noise.gauss(0.1 * bid, 30), never)
    assert race.best_or(3, parameters.BID_CHANGE_ERRORS) == 3
    race = Race([3, 4])
    for _ in range(15):
        race.run(lambda bid: 50.0 * bid + noise.gauss(0, 5), never)
    assert race.best_or(3, parameters.BID_CHANGE_ERRORS) == 4
