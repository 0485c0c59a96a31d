"""docs/house_rules.md names every switch and value, and every example on it is computed by the core."""

import itertools
import re

import pytest

from spades_core.deck import DECKS, STANDARD
from spades_core.legal import BLIND_NIL_DEFICIT, CARDS_TO_PASS, face_down_seats, legal_bids
from spades_core.protocol.codec import to_builtins
from spades_core.ruleset import (
    CASUAL,
    CLASSIC,
    PRESETS,
    RANGES,
    SWITCHES,
    RuleSet,
    RuleSetError,
    format_value,
    parse_rules,
)
from spades_core.scoring import BLIND_NIL_POINTS, TEN_FOR_200_MIN, game_end, score_side
from spades_core.seats import SEATS, SIDES, seats_of
from spades_core.state import Hand
from tests.docs import house_rules_page as page

SCORES = ("rules", "bags before", "bids", "tricks", "points", "bags after")
ENDS = ("rules", "hands played", "scores", "what happens")
BIDS = ("rules", "your spades", "your partner bid", "the others bid", "you may bid")
DECKS_SHOWN = ("deck", "the highest spades")
REFUSED = ("this", "with this", "why not")
CASUAL_SHOWN = ("switch", "what that means")
VALUES = [f"{name}={format_value(value)}" for name, values in SWITCHES.items() for value in values]


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_has_a_section_with_its_values_and_its_default(switch: str) -> None:
    text = page.section(switch)
    listed = re.match(r"Values: (.*?)\. Default: `(\S+)`\. ", text)
    assert listed, f"{switch}: the section does not begin with the values and the default"
    assert listed[2] == format_value(getattr(CLASSIC, switch))
    if switch in RANGES:
        assert listed[1] == "{} to {}".format(*RANGES[switch])
    else:
        assert page.codes(listed[1]) == [format_value(value) for value in SWITCHES[switch]]


@pytest.mark.parametrize("switch", [name for name, values in SWITCHES.items() if values and name not in RANGES])
def test_a_named_value_is_explained_in_the_section(switch: str) -> None:
    """Except `off`, `on`, numbers, and the values of `deck` and `first_lead`."""
    if switch in ("deck", "first_lead"):
        return
    text = page.section(switch).split("Default: ")[1].partition(". ")[2]
    values = {value for value in SWITCHES[switch] if isinstance(value, str)} - {"on", "refused", "allowed"}
    assert values <= set(page.codes(text))


def test_no_switch_or_value_is_invented() -> None:
    for code in page.codes(page.TEXT):
        if "=" in code and "," not in code:
            assert code in VALUES, code


def test_rule_sets_on_the_page_are_canonical() -> None:
    found = [code for code in page.codes(page.TEXT) if code.split(",")[0] in PRESETS]
    assert len(found) > 40
    for text in found:
        assert str(parse_rules(text)) == text


def test_all_differences_of_casual_are_listed() -> None:
    listed = [page.codes(switch)[0] for switch, _ in page.tables(*CASUAL_SHOWN)]
    classic, casual = to_builtins(CLASSIC), to_builtins(CASUAL)
    assert sorted(listed) == sorted(
        f"{name}={format_value(casual[name])}" for name in SWITCHES if casual[name] != classic[name]
    )


def test_all_tables_are_read_by_a_test() -> None:
    assert page.heads() == {SCORES, ENDS, BIDS, DECKS_SHOWN, REFUSED, CASUAL_SHOWN}


@pytest.mark.parametrize("row", page.tables(*SCORES), ids=" ".join)
def test_the_points_of_an_example(row: tuple[str, ...]) -> None:
    rules, before, bids_shown, tricks, points, after = row
    bids, blind = bids_of(bids_shown)
    taken = pair(tricks)
    assert sum(taken) <= 13
    result = score_side(
        parse_rules(page.codes(rules)[0]), seats_of(SIDES[0]), bids, taken, score=0, bags=int(before), blind=blind
    )
    reasons, _, total = points.rpartition(" = ")
    assert page.number(total.strip("*")) == result.points
    assert terms(reasons or total.strip("*")) == [line.points for line in result.lines]
    assert int(after) == result.bags


def bids_of(text: str) -> tuple[tuple[int, int], tuple[bool, bool]]:
    """Parse bids as in "blind nil and 4"."""
    first, second = text.split(" and ")
    blind = first == "blind nil"
    return (0 if blind else int(first), int(second)), (blind, False)


def pair(text: str) -> tuple[int, int]:
    first, second = text.split(" and ")
    return page.number(first), page.number(second)


def terms(text: str) -> list[int]:
    """Return the signed numbers of a sum."""
    return [page.number(each) for each in text.replace(" + ", " ").replace(" − ", " −").split()]


@pytest.mark.parametrize("row", page.tables(*ENDS), ids=" ".join)
def test_the_end_of_an_example(row: tuple[str, ...]) -> None:
    rules, hands, scores, what = row
    ended = game_end(parse_rules(page.codes(rules)[0]), pair(scores), int(hands))
    winners = {0: "the first side wins", 1: "the second side wins", None: "a draw"}
    assert what == (winners[ended.winner] if ended else "another hand")


@pytest.mark.parametrize("row", page.tables(*BIDS), ids=" ".join)
def test_the_bids_of_an_example(row: tuple[str, ...]) -> None:
    rules, spades, partner, others, mine = row
    chosen = parse_rules(page.codes(rules)[0])
    held = sum(bit for card, bit in DECKS[chosen.deck].bit.items() if card in ("2S", "3S", "4S", "5S")[: int(spades)])
    left, right = (None if bid == "nothing yet" else int(bid) for bid in others.split(" and "))
    bids = (None, right, None if partner == "nothing yet" else int(partner), left)
    hand = Hand(1, SEATS[3], (held, 0, 0, 0), turn=SEATS[0], leader=SEATS[0], bids=bids)
    assert runs(mine) == list(legal_bids(chosen, hand, SEATS[0]))


def runs(text: str) -> list[int]:
    """Parse ranges as in "0, 4 to 13"."""
    found: list[int] = []
    for each in text.split(", "):
        first, _, last = each.partition(" to ")
        found += range(int(first), int(last or first) + 1)
    return found


def test_the_decks_are_those_of_the_core() -> None:
    names = {"B": "big joker", "L": "little joker", "A": "ace", "K": "king", "Q": "queen", "3": "three", "2": "two"}
    listed = {page.codes(deck)[0]: spades for deck, spades in page.tables(*DECKS_SHOWN)}
    assert listed.keys() == DECKS.keys()
    for name, deck in DECKS.items():
        order = [*reversed(deck.cards_in(deck.spades))]
        first, last = listed[name].split(", … ")
        shown_cards = first.split(", ")
        for card, called in zip(order, shown_cards, strict=False):
            of_suit = {"2D": " of diamonds", "2S": " of spades"}.get(card, "") if card in order[2:4] else ""
            assert called == names[card[0]] + of_suit
        assert last == names[order[-1][0]]
        assert set(STANDARD.cards) - set(deck.cards) == (set() if deck is STANDARD else {"2C", "2H"})


def test_the_rules_that_cannot_be_combined_are_these_and_no_others() -> None:
    listed = {
        frozenset((first, second)): first.split("=")[0]
        for this, that, _ in page.tables(*REFUSED)
        for first, second in itertools.product(page.codes(this), page.codes(that))
    }
    found = {}
    for first, second in itertools.combinations(VALUES, 2):
        if first.split("=")[0] != second.split("=")[0] and (blamed := refused(f"classic,{first},{second}")):
            found[frozenset((first, second))] = blamed
    assert listed == found


def refused(text: str) -> str | None:
    """Return the switch that the error names, or None if the rules are valid."""
    try:
        parse_rules(text)
    except RuleSetError as problem:
        return problem.switch
    return None


def test_a_preset_counts_like_switches_chosen() -> None:
    assert "So `casual` with `bag_limit=off` is refused" in page.section("What cannot be combined")
    assert refused("casual,bag_limit=off") == "bag_points"


@pytest.mark.parametrize(
    ("text", "blamed"),
    [
        ("polite", "preset"),
        ("classic,tempo=fast", "tempo"),
        ("classic,target=99", "target"),
        ("classic,floor=-400", "floor"),
        ("classic,mercy=off,mercy=300", "mercy"),
    ],
)
def test_an_unknown_switch_or_value_is_refused_by_name(text: str, blamed: str) -> None:
    assert refused(text) == blamed


def test_the_order_of_switches_is_free() -> None:
    assert parse_rules("classic,mercy=300,target=250") == parse_rules("classic,target=250,mercy=300")


def test_the_numbers_in_the_text_are_those_of_the_core() -> None:
    blind = page.section("blind_nil")
    assert f"{BLIND_NIL_DEFICIT} points or more behind" in blind
    assert f"for {BLIND_NIL_POINTS} points either way" in blind
    assert CARDS_TO_PASS == 2
    assert "exchange two cards once" in blind
    rules = RuleSet(blind_nil="on")
    assert face_down_seats(rules, (0, BLIND_NIL_DEFICIT)) == (True, False, True, False)
    assert face_down_seats(rules, (0, BLIND_NIL_DEFICIT - 1)) == (False, False, False, False)
    assert f"A contract of {TEN_FOR_200_MIN} or more is worth 200 points" in page.section("ten_for_200")


def test_links_lead_somewhere() -> None:
    anchors = {
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.+)$", page.TEXT, re.M)
    }
    for name, anchor in re.findall(r"\]\(([\w.]*)#?([\w-]*)\)", page.TEXT):
        if name:
            assert (page.PAGE.parent / name).is_file()
        else:
            assert anchor in anchors
    assert "(house_rules.md)" in (page.PAGE.parent / "rules.md").read_text(encoding="utf-8")
