"""`score_side` agrees with the reference scorer on all bids and tricks of a side."""

from itertools import product
from random import Random

import pytest

from spades_core.ruleset import CASUAL, CLASSIC, RuleSet
from spades_core.scoring import score_side
from spades_core.seats import SEATS
from tests.scale import cases
from tests.spades_core.reference_scorer import reference_score
from tests.spades_core.rule_sets import SCORING, VALUES, draw_rules, made

SPLITS = [(first, second) for first in range(14) for second in range(14 - first)]
BIDS = list(product(range(14), repeat=2))
DRAWN = cases(100, 400)
SINGLE = [
    (base, name, value)
    for base in (CLASSIC, CASUAL)
    for name in SCORING
    for value in VALUES[name]
    if value != getattr(base, name) and made(base, **{name: value})
]


def agree(rules, bids, tricks, bags, blind=(False, False)) -> None:
    side = score_side(rules, (SEATS[1], SEATS[3]), bids, tricks, score=-17, bags=bags, blind=blind)
    assert (side.points, side.bags) == reference_score(rules, bids, tricks, bags, blind), (
        rules,
        bids,
        tricks,
        bags,
        blind,
    )
    assert side.score == side.points - 17
    assert sum(line.points for line in side.lines) == side.points


def agree_on_everything(rules: RuleSet, before: range | None = None) -> int:
    """Compare all bids and splits of tricks, with each number of bags `before`, else with a different one each time."""
    count, limit = 0, rules.bag_limit or 12
    for number, (bids, tricks) in enumerate(product(BIDS, SPLITS)):
        if 0 in bids and rules.nil_value is None:
            continue
        for bags in before or (number * 7 % limit,):
            agree(rules, bids, tricks, bags)
            count += 1
    return count


@pytest.mark.rule("R40", "R41", "R42", "R43", "R44", "R45", "R46", "R47", "R48", "R50")
@pytest.mark.parametrize("rules", [CLASSIC, CASUAL], ids=str)
def test_the_presets_after_any_number_of_bags(rules) -> None:
    assert agree_on_everything(rules, range(10)) == 196 * 105 * 10


@pytest.mark.rule("R80", "R81", "R82", "R83", "R84", "R85", "R86", "R87", "R88", "R89", "R90", "R91")
@pytest.mark.parametrize(("base", "name", "value"), SINGLE, ids=lambda value: str(getattr(value, "preset", value)))
def test_each_switch_by_itself(base, name, value) -> None:
    rules = made(base, **{name: value})
    bids = 13 * 13 if rules.nil_value is None else 14 * 14
    assert agree_on_everything(rules) == bids * 105


def test_every_value_of_every_scoring_switch_is_among_them() -> None:
    there = {(name, value) for _, name, value in SINGLE}
    assert there == {(name, value) for name in SCORING for value in VALUES[name]} - {
        (name, getattr(CLASSIC, name)) for name in SCORING if getattr(CLASSIC, name) == getattr(CASUAL, name)
    }


@pytest.mark.rule("R92", "R93")
@pytest.mark.parametrize("blind", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("double_nil", ["two_nils", "one_unit"])
@pytest.mark.parametrize("failed", ["help", "bags", "nothing"])
def test_blind_nils(blind, double_nil, failed) -> None:
    rules = made(CLASSIC, blind_nil="on", double_nil=double_nil, failed_nil_tricks=failed)
    for (bids, tricks), bags in product(product(BIDS, SPLITS), (3,)):
        if all(bid == 0 for bid, dark in zip(bids, blind, strict=True) if dark):
            agree(rules, bids, tricks, bags, blind)


def test_combinations_drawn_from_all_switches() -> None:
    rng, blind_seen = Random(52), 0
    for _ in range(DRAWN):
        rules = draw_rules(rng)
        for _ in range(100):
            least = 0 if rules.nil_value else 1
            bids = tuple(max(least, rng.choice((0, 0, *range(14)))) for _ in range(2))
            first = rng.randrange(14)
            tricks = (first, rng.randrange(14 - first))
            blind = tuple(bool(rules.blind_nil) and bid == 0 and rng.random() < 0.5 for bid in bids)
            agree(rules, bids, tricks, rng.randrange(rules.bag_limit or 20), blind)
            blind_seen += any(blind)
    assert blind_seen > 2 * DRAWN
