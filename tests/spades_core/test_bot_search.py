"""What the expert searches with: positions, worlds, endings, and the race between choices."""

from dataclasses import replace
from random import Random

import pytest

from spades_core.bots.engine.bid_policy import bag_cost
from spades_core.bots.engine.determinization import Dealer, explains, imagined
from spades_core.bots.engine.observation import history, see
from spades_core.bots.engine.policy import choice
from spades_core.bots.engine.position import SPADES, Position, legal
from spades_core.bots.engine.race import Race
from spades_core.bots.engine.rollout import play_out
from spades_core.bots.engine.utility import Stakes, winning_chance
from spades_core.bots.levels.expert import imagining
from spades_core.bots.levels.medium.medium_observation import read
from spades_core.bots.weights import parameters
from spades_core.cards import Card
from spades_core.commands import DealHand
from spades_core.deck import DECKS
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.state import Table
from spades_core.views import view_for
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


def test_what_it_sees_agrees_with_the_plain_reading_and_the_rules() -> None:
    for table in tables_in_play(300):
        assert table.turn is not None
        view = view_for(table.turn, table)
        seen, plain, deck = see(view), read(view), DECKS[view.rules.deck]
        split = deck_tables(deck).split
        for seat in range(4):
            if seat != seen.me:
                void = seen.position.void[seat]
                may_hold = [0 if void >> suit & 1 else seen.position.out[suit] & ~seen.hand[suit] for suit in range(4)]
                assert may_hold == split(plain.may_hold[seat])
        assert legal(seen.position, seen.hand) == split(plain.legal)
        assert tuple(seen.position.need[side ^ seen.me & 1] for side in (0, 1)) == plain.need
        assert seen.position.left == plain.left
        if view.trick is not None:
            assert seen.position.winner == plain.winning


def test_the_history_played_on_leads_to_what_is_seen() -> None:
    for table in tables_in_play(100):
        assert table.turn is not None
        view = view_for(table.turn, table)
        position, plays = history(view)
        for seat, suit, bit in plays:
            position.play(seat, suit, bit)
        seen = see(view).position
        on_table = ("led", "best", "ruffed", "winner") if seen.begun else ()
        for name in ("out", "taken", "need", "left", "begun", "nil", "barred", "mode", *on_table):
            assert getattr(position, name) == getattr(seen, name), name


def test_the_policy_plays_legal_cards_to_the_end_under_any_rules_of_the_first_trick() -> None:
    rng = Random(72)
    for number in range(60):
        rules = RuleSet(
            first_trick_spades=rng.choice(("allowed", "refused")),
            lead_spades=rng.choice(("when_broken", "any_time", "not_first_trick")),
        )
        split = deck_tables(DECKS[rules.deck]).split
        hands = [split(mask) for mask in deal_masks(rng)]
        position = Position(rules, [rng.choice((0, 2, 3, 4)) for _ in range(4)], number & 3)
        while position.left:
            seat = position.turn + 1 & 3 if position.begun else position.winner
            suit, bit = choice(position, hands[seat], seat)
            assert legal(position, hands[seat])[suit] & bit
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


def worlds_of(scenario: Scenario, count: int) -> tuple[Dealer, list[list[list[int]]]]:
    turn = scenario.table.turn
    assert turn is not None
    view = scenario.view(turn)
    dealer, evidence = imagining(view, see(view))
    stream = imagined(dealer, evidence.likelihood, Random(8), never)
    return dealer, [next(stream) for _ in range(count)]


def test_a_world_gives_everybody_what_they_can_hold_and_all_unseen_cards() -> None:
    for table in tables_in_play(60):
        assert table.turn is not None
        assert table.game is not None
        assert table.game.hand is not None
        sight = see(view_for(table.turn, table))
        dealer = Dealer(sight.position, sight.hand, sight.me)
        for _ in range(3):
            hands = dealer.deal(Random(9))
            assert hands[sight.me] == sight.hand
            for suit in range(4):
                assert sum(hand[suit] for hand in hands) == sight.position.out[suit]
            for seat in range(4):
                held = sum(cards.bit_count() for cards in hands[seat])
                assert held == table.game.hand.held[seat].bit_count()
                assert not any(hands[seat][suit] and sight.position.void[seat] >> suit & 1 for suit in range(4))


GIVEN = "S 32 H A"
"""What seat 2 holds of spades and hearts when it bids; seat 0 passes it the two highest spades."""


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


def test_who_passed_cards_knows_them_in_its_partners_hand_until_they_are_played() -> None:
    scenario = swapped()
    _, others = worlds_of(scenario, 40)
    assert holders(others, SPADES, 12) == {0, 2, 3}, "seat 1 does not know"
    scenario.play("QC 3C 5C")
    _, worlds = worlds_of(scenario, 40)
    assert holders(worlds, SPADES, 12) == holders(worlds, SPADES, 11) == {2}
    assert holders(worlds, SPADES, 10) == {1, 2, 3}


def test_a_card_that_came_back_is_in_the_own_hand() -> None:
    view = swapped().view(0)
    view = replace(view, received=cards("AS 2C"), hand=(*view.hand[:-1], Card("AS")))
    dealer, _ = imagining(view, see(view))
    assert dealer.known == [0, 0, 0, 1 << 11]


def test_a_partners_bid_is_explained_by_what_it_held_before_cards_were_passed() -> None:
    scenario = swapped()
    split = deck_tables(DECKS["standard"]).split
    now = split(scenario.hand.held[2])
    before = [*now[:3], now[3] & 3]
    before[0] |= 0b101
    _, evidence = imagining(scenario.view(0), see(scenario.view(0)))
    assert evidence.likelihood(2, now) == explains(before, evidence.sizes, 3) != explains(now, evidence.sizes, 3)
    _, of_others = imagining(scenario.view(1), see(scenario.view(1)))
    assert of_others.likelihood(2, now) == 1.0, "who does not know what was passed learns nothing"


def test_who_bid_high_holds_more_of_the_high_spades() -> None:
    scenario = dealt("H AKQ")
    scenario.bid(3, 6, 2, 1)
    _, worlds = worlds_of(scenario, 150)
    ace = 1 << 12
    holders = [sum(bool(hands[seat][SPADES] & ace) for hands in worlds) for seat in range(4)]
    assert holders[1] > holders[3] * 1.5


def test_who_as_third_hand_played_the_knave_is_not_believed_to_hold_more() -> None:
    scenario = dealt("D 3", "D 4", "D J", "D Q5 S AT5 H AT76 C AT76")
    scenario.bid(3, 3, 3, 3)
    scenario.play("3D 4D JD")
    _, worlds = worlds_of(scenario, 400)
    higher = 1 << 11 | 1 << 12
    second, third = (sum(bool(hands[seat][1] & higher) for hands in worlds) for seat in (1, 2))
    assert third * 1.4 < second


# Endings


def stakes_of(scenario: Scenario, bids: list[int]) -> Stakes:
    return Stakes(scenario.view(0), bids)


def test_an_ending_is_worth_points_with_bags_at_what_they_cost() -> None:
    scenario = dealt()
    stakes = stakes_of(scenario, [3, 3, 3, 3])
    assert stakes.value([4, 3, 3, 3]) == 60 - 9 - 60
    assert stakes.value([3, 3, 2, 5]) == -60 - (60 - 18)


def test_near_the_end_only_winning_the_game_counts() -> None:
    stakes = stakes_of(after_hands((450, 400)), [3, 3, 3, 3])
    assert stakes.decisive
    assert stakes.value([3, 4, 3, 3]) > 990, "510 points win"
    assert stakes.value([3, 4, 2, 4]) < 500


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
def test_a_bag_costs_its_part_of_the_penalty(switches, cost) -> None:
    assert bag_cost(rules_with(**switches)) == cost


def test_a_lead_is_worth_more_the_nearer_the_end() -> None:
    early = winning_chance(CLASSIC, (100, 0), (0, 0), 2)
    late = winning_chance(CLASSIC, (450, 350), (0, 0), 9)
    assert 0.5 < early < late < 1
    assert winning_chance(CLASSIC, (500, 480), (0, 0), 9) == 1
    assert winning_chance(CLASSIC, (300, 300), (9, 0), 9) < 0.5, "nine bags are a debt"


# The race


def test_what_is_far_behind_is_not_tried_any_more() -> None:
    tried = {"good": 0, "bad": 0, "close": 0}
    rng = Random(10)

    def value(choice: str) -> float:
        tried[choice] += 1
        return {"good": 10.0, "bad": -50.0, "close": 9.5}[choice] + rng.gauss(0, 5)

    race = Race(list(tried))
    for _ in range(200):
        if not race.run(value, never):
            break
    assert tried["bad"] < tried["good"]
    assert race.best() in ("good", "close")


def test_the_usual_bid_stays_unless_another_is_clearly_better() -> None:
    race = Race([3, 4])
    noise = Random(11)
    for _ in range(15):
        race.run(lambda bid: noise.gauss(0.1 * bid, 30), never)
    assert race.best_but(3, parameters.DOUBT) == 3
    race = Race([3, 4])
    for _ in range(15):
        race.run(lambda bid: 50.0 * bid + noise.gauss(0, 5), never)
    assert race.best_but(3, parameters.DOUBT) == 4
