"""Properties of all levels, and the blunders that `hard` and `expert` never make, one situation each."""

from random import Random

import pytest

from spades_core.bots import LEVELS, Bot
from spades_core.bots.levels.expert import Expert
from spades_core.cards import Card
from spades_core.commands import DealHand, LookAtHand, OpenTable, PassCards, PlaceBid, PlayCard, StartGame
from spades_core.deck import DECKS, shuffled
from spades_core.seats import SEATS
from tests.spades_core.rule_sets import draw_rules, rules_with
from tests.spades_core.scenarios import Scenario, after_hands, deal, dealt

QUICK_EXPERT = Expert(worlds=16)
BOTS: dict[str, Bot] = {**LEVELS, "expert": QUICK_EXPERT}
STRONG = ("hard", "expert")
KINDS_OF_GAME = (
    {},
    {"blind_nil": "swap"},
    {"variant": "suicide"},
    {"variant": "whiz"},
    {"variant": "mirror"},
    {"deck": "jokers"},
    {"deck": "jokers_and_deuces"},
)
strong = pytest.mark.parametrize("level", STRONG)
every = pytest.mark.parametrize("level", list(LEVELS))


def cards_of(level: str, scenario: Scenario, seeds: int = 6) -> set[Card]:
    """The cards it plays now over some seeds."""
    turn = scenario.table.turn
    assert turn is not None
    return {BOTS[level].choose_card(scenario.view(turn), Random(seed)) for seed in range(seeds)}


def bids_of(level: str, scenario: Scenario, seeds: int = 6) -> set[int]:
    turn = scenario.table.turn
    assert turn is not None
    return {BOTS[level].choose_bid(scenario.view(turn), Random(seed)) for seed in range(seeds)}


def act(scenario: Scenario, bot: Bot, rng: Random) -> None:
    """Let the bot act and check that it is legal."""
    seat = scenario.table.turn
    assert seat is not None
    view = scenario.view(seat)
    if view.may_look:
        blind = view.may_bid_blind and (bot.choose_blind(view, rng) or rng.random() < 0.3)
        scenario.do(PlaceBid(seat, 0, blind=True) if blind else LookAtHand(seat))
    elif view.legal_bids:
        bid = bot.choose_bid(view, rng)
        assert bid in view.legal_bids, (view, bid)
        scenario.do(PlaceBid(seat, bid))
    elif view.to_pass:
        scenario.do(PassCards(seat, bot.choose_pass(view, rng)))
    else:
        card = bot.choose_card(view, rng)
        assert card in view.legal_cards, (view, card)
        scenario.do(PlayCard(seat, card))


@pytest.mark.parametrize(("level", "hands"), [("easy", 60), ("hard", 60), ("expert", 6)])
def test_it_decides_legally_under_random_rules(level, hands) -> None:
    rng, bot = Random(41), Expert(worlds=4) if level == "expert" else BOTS[level]
    for number in range(hands):
        rules = draw_rules(rng, **KINDS_OF_GAME[number % len(KINDS_OF_GAME)])
        scenario = Scenario()
        scenario.do(OpenTable("HRTJK", rules, "secret", "Mara"), StartGame(SEATS[0], rng.choice(SEATS)))
        for _ in range(2):
            if scenario.table.phase == "scored":
                scenario.do(DealHand(shuffled(rng, DECKS[rules.deck])))
            while scenario.table.turn is not None:
                act(scenario, bot, rng)


@every
def test_the_same_view_and_seed_give_the_same_decision(level) -> None:
    scenario = dealt("S AKQ2 H A432 D K32 C 32")
    first, second = (BOTS[level].choose_bid(scenario.view(0), Random(7)) for _ in range(2))
    assert first == second
    scenario.bid(4, 3, 3, 3)
    one, other = (BOTS[level].choose_card(scenario.view(0), Random(7)) for _ in range(2))
    assert one == other


@every
def test_unseen_cards_do_not_change_its_card(level) -> None:
    mine = "S AQ32 H A432 D K32 C 32"
    views = []
    for hands in (("S KJ", "S T9", "S 87"), ("S 87", "S KJ", "S T9")):
        scenario = dealt(mine, *hands)
        scenario.bid(4, 3, 3, 3)
        views.append(scenario.view(0))
    assert views[0] == views[1]
    first, second = (BOTS[level].choose_card(view, Random(3)) for view in views)
    assert first == second


# Blunders, by the letters of docs/bots.md


@strong
def test_blunder_b_it_keeps_the_winners_that_its_contract_needs(level) -> None:
    scenario = dealt("H A65", "H 7 C AKQJT9 D QJT9", "H 8 C 23 D 23", "D AK C 45678 S 234567")
    scenario.bid(4, 3, 0, 3)
    scenario.play("AH 7H 8H")
    assert not cards_of(level, scenario) & {Card("AD"), Card("KD")}


@strong
def test_blunder_c_fourth_hand_leaves_the_trick_to_its_partner(level) -> None:
    scenario = dealt("D 65", "D QT", "D 8", "D AK2")
    scenario.bid(3, 3, 3, 3)
    scenario.play("5D QD 8D")
    assert cards_of(level, scenario) == {"2D"}


@strong
def test_blunder_d_fourth_hand_wins_with_the_cheapest_winner(level) -> None:
    scenario = dealt("D T65", "D 7", "D 8", "D AKJ2")
    scenario.bid(3, 3, 3, 3)
    scenario.play("TD 7D 8D")
    assert cards_of(level, scenario) <= {"JD", "2D"}


def all_contracts_made(bag_limit: int | None = 10) -> Scenario:
    """Everybody bid one and both sides have it; seat 0 leads QH and seat 3 plays last with KH JH TH."""
    rules = rules_with(bag_limit=bag_limit)
    scenario = dealt("H AQ C 27", "H 25 C AK", "H 36 C 34", "H KJT4 C 56 D 2345678", rules=rules)
    scenario.bid(1, 1, 1, 1)
    scenario.play("2C AC 3C 5C KC 4C 6C 7C 2H 3H 4H AH QH 5H 6H")
    return scenario


@strong
def test_blunder_e_with_all_contracts_made_it_loses_the_trick_if_it_can(level) -> None:
    assert cards_of(level, all_contracts_made()) <= {"JH", "TH"}


@strong
@pytest.mark.parametrize(("scores", "bids"), [((430, 440), (3, 4, 2)), ((440, 430), (4, 3, 4))])
def test_blunder_f_no_bid_loses_the_game_if_made(level, scores, bids) -> None:
    scenario = after_hands(scores, dealer=0)
    scenario.do(DealHand(deal("S KQ32 H A432 D K32 C 32")))
    scenario.bid(*bids)
    theirs = bids[0] + bids[2]
    for bid in bids_of(level, scenario):
        ours_after = scores[0] + 10 * (bid + bids[1])
        theirs_after = scores[1] + (10 if bid + bids[1] + theirs <= 13 else -10) * theirs
        assert not (theirs_after >= 500 and theirs_after > ours_after)


@every
def test_blunder_g_no_nil_beside_a_partners_nil(level) -> None:
    scenario = dealt("", "", "S 2 H 23457 D 2346 C 235")
    scenario.bid(0, 4)
    assert 0 not in bids_of(level, scenario)


@strong
def test_blunder_h_bags_do_not_matter_without_a_bag_limit(level) -> None:
    choices = []
    for bags in ((0, 0), (9, 37)):
        scenario = after_hands((100, 100), bags, rules=rules_with(bag_limit=None))
        scenario.do(DealHand(deal("S KQ32 H A432 D K32 C 32", "", "S A")))
        scenario.bid(*(BOTS[level].choose_bid(scenario.view(scenario.table.turn), Random(1)) for _ in range(1)))
        choices.append((scenario.hand.bids, cards_of(level, all_contracts_made(None))))
    assert choices[0] == choices[1]


@strong
def test_blunder_i_it_takes_the_trick_that_sets_the_opponents(level) -> None:
    scenario = dealt("H AQ C 27", "H 25 C AK", "H 36 C 34", "H KJT4 C 56 D 2345678")
    scenario.bid(6, 1, 5, 1)
    scenario.play("2C AC 3C 5C KC 4C 6C 7C 2H 3H 4H AH QH 5H 6H")
    assert cards_of(level, scenario) == {"KH"}


@strong
def test_blunder_j_it_does_not_cover_a_broken_nil(level) -> None:
    scenario = dealt("D 32", "D QJ", "D T9", "D AK54")
    scenario.bid(4, 0, 3, 5)
    scenario.play("2D QD TD 4D JD 9D")
    assert cards_of(level, scenario) == {"5D"}


# Nils


@strong
def test_it_bids_nil_on_a_hand_without_tricks_and_not_on_an_ace_of_spades(level) -> None:
    assert bids_of(level, dealt("S 2 H 23457 D 2346 C 235")) == {0}
    assert 0 not in bids_of(level, dealt("S A2 H 2345 D 2346 C 235"))


@strong
def test_it_covers_its_partners_nil(level) -> None:
    scenario = dealt("D 3", "D Q", "D 2", "D AK5")
    scenario.bid(4, 0, 3, 3)
    scenario.play("3D QD 2D")
    assert cards_of(level, scenario) <= {"KD", "AD"}


@strong
def test_its_nil_plays_the_highest_loser(level) -> None:
    scenario = dealt("D T65", "D 7", "D 8", "D K92 S 2 H 23457 C 2346")
    scenario.bid(3, 3, 3, 0)
    scenario.play("TD 7D 8D")
    assert cards_of(level, scenario) == {"9D"}


@strong
def test_it_plays_under_an_opponents_nil_that_is_winning(level) -> None:
    scenario = dealt("D 3", "D 9 C AKQ", "D T", "D K82 H AKQ")
    scenario.bid(4, 4, 0, 3)
    scenario.play("3D 9D TD")
    assert cards_of(level, scenario) <= {"8D", "2D"}
