"""The rules of one table: a set of switches, chosen when the table is made and never changed.

Invariant: every RuleSet can be played. The constructor rejects contradictions and
rules that could leave a player without a legal bid. RULES.md describes each switch
(R80 onwards) and the presets (R140 onwards).

The text form of a rule set, for links and records, is the name of a preset and
the switches that differ from it: `classic,target=300,first_lead=two_of_clubs`.
"""

from dataclasses import dataclass, fields, replace
from types import NoneType
from typing import Any, Literal, get_args, get_type_hints

PresetName = Literal["classic", "casual"]
DeckName = Literal["standard", "jokers", "jokers_and_deuces"]
RANGES = {"target": (100, 1000), "hand_limit": (1, 200)}


class RuleSetError(ValueError):
    """Rules that do not exist or cannot be played. `switch` names the switch at fault."""

    def __init__(self, switch: str, problem: str) -> None:
        super().__init__(f"{switch}: {problem}")
        self.switch = switch
        self.problem = problem


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All switches; the defaults are those of `classic`, and None means off. Raises RuleSetError.

    `preset` only shortens the text form: the switches alone are the rules.
    """

    preset: PresetName = "classic"
    target: int = 500
    floor: Literal[-200, -300, -500] | None = -200
    failed_nil_tricks: Literal["help", "bags", "nothing"] = "help"
    nil_value: Literal[50, 100, 150] | None = 100
    double_nil: Literal["two_nils", "one_unit", "forbidden"] = "two_nils"
    blind_nil: Literal["on", "swap"] | None = None
    bag_limit: Literal[5, 10] | None = 10
    bag_penalty: Literal[50, 100, 150] = 100
    bag_points: Literal["one", "none", "given_back"] = "one"
    bag_carry: Literal["remainder", "reset"] = "remainder"
    ten_for_200: Literal["flat", "doubled"] | None = None
    min_bid: Literal["side_four", "no_ones"] | None = None
    sum_not_13: bool = False
    first_dealer: Literal["drawn", "before_host"] = "drawn"
    first_lead: Literal["left_of_dealer", "highest_bidder", "two_of_clubs", "lowest_clubs"] = "left_of_dealer"
    first_trick_spades: Literal["allowed", "refused"] = "allowed"
    lead_spades: Literal["when_broken", "any_time", "not_first_trick"] = "when_broken"
    deck: DeckName = "standard"
    variant: Literal["partnership", "mirror", "whiz", "suicide"] = "partnership"
    hand_limit: int = 100
    mercy: Literal[300] | None = None

    def __post_init__(self) -> None:
        for switch in fields(self):
            _check(switch.name, getattr(self, switch.name))
        for contradiction in CONTRADICTIONS:
            contradiction.check(self)

    def __str__(self) -> str:
        base = PRESETS[self.preset]
        changed = [name for name in SWITCHES if getattr(self, name) != getattr(base, name)]
        return ",".join([self.preset, *(f"{name}={format_value(getattr(self, name))}" for name in changed)])


def parse_rules(text: str) -> RuleSet:
    """Parse the text form of a rule set. Raises RuleSetError, naming the preset or the switch at fault."""
    preset, *switches = text.split(",")
    if preset not in PRESETS:
        raise RuleSetError("preset", f"there is no rule set {preset[:24]!r}; there is: {', '.join(PRESETS)}")
    chosen: dict[str, Any] = {}
    for switch in switches:
        name, _, value = switch.partition("=")
        if not name:
            raise RuleSetError("rules", "a switch is missing between the commas")
        if name not in SWITCHES:
            raise RuleSetError(name[:24], "there is no such switch in this version")
        if name in chosen:
            raise RuleSetError(name, "it is given twice")
        chosen[name] = _parse_value(name, value)
    return replace(PRESETS[preset], **chosen)


def format_value(value: object) -> str:
    """Return the text form of a switch's value."""
    if value is None or value is False:
        return "off"
    return "on" if value is True else str(value)


def _parse_value(name: str, text: str) -> Any:
    for value in SWITCHES[name]:
        if format_value(value) == text:
            return value
    if name in RANGES and text.isascii() and text.isdecimal() and len(text) < 9:
        return int(text)
    raise RuleSetError(name, f"it must be {_describe_values(name)}, not {text[:24]!r}")


def _check(name: str, value: object) -> None:
    if name in RANGES:
        least, most = RANGES[name]
        valid = type(value) is int and least <= value <= most
    elif name == "preset":
        valid = value in get_args(PresetName)
    else:
        valid = any(value == known and type(value) is type(known) for known in SWITCHES[name])
    if not valid:
        raise RuleSetError(name, f"it must be {_describe_values(name)}, not {str(value)[:24]!r}")


def _describe_values(name: str) -> str:
    if name in RANGES:
        return "a whole number from {} to {}".format(*RANGES[name])
    known = get_args(PresetName) if name == "preset" else map(format_value, SWITCHES[name])
    return f"one of {', '.join(known)}"


def _values_of(kind: Any) -> tuple[Any, ...]:
    """Return the values that an annotation allows, off first."""
    if kind is bool:
        return (False, True)
    if NoneType in get_args(kind):
        return (None, *get_args(get_args(kind)[0]))
    return get_args(kind)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Values of two switches that exclude each other. The error names `switch` and gives `problem` as the reason."""

    switch: str
    values: tuple[Any, ...]
    other: str
    other_values: tuple[Any, ...]
    problem: str

    def check(self, rules: RuleSet) -> None:
        if getattr(rules, self.switch) in self.values and getattr(rules, self.other) in self.other_values:
            raise RuleSetError(self.switch, self.problem)


OFF, BLIND, JOKERS = (None,), ("on", "swap"), ("jokers", "jokers_and_deuces")
FORCED = ("mirror", "whiz")
VARIANTS = (*FORCED, "suicide")
CONTRADICTIONS = (
    Contradiction("variant", VARIANTS, "nil_value", OFF, "in this variant players have to bid nil"),
    Contradiction("double_nil", ("forbidden",), "variant", FORCED, "in this variant a player cannot avoid nil"),
    Contradiction("blind_nil", BLIND, "nil_value", OFF, "without nil there is no blind nil"),
    Contradiction("blind_nil", BLIND, "variant", VARIANTS, "in this variant the hand or the partner decides"),
    Contradiction("min_bid", ("side_four", "no_ones"), "variant", ("mirror",), "in mirror the spades held are the bid"),
    Contradiction("min_bid", ("side_four",), "variant", ("whiz",), "in whiz a player cannot raise a bid"),
    Contradiction("sum_not_13", (True,), "variant", VARIANTS, "in this variant the last bidder may have no other bid"),
    Contradiction("first_lead", ("two_of_clubs",), "deck", JOKERS, "this deck has no two of clubs"),
    Contradiction("bag_points", ("given_back",), "bag_limit", OFF, "without a bag limit nothing is ever given back"),
    Contradiction("bag_carry", ("reset",), "bag_limit", OFF, "without a bag limit no bag is ever taken off"),
)
SWITCHES: dict[str, tuple[Any, ...]] = {
    name: () if name in RANGES else _values_of(kind)
    for name, kind in get_type_hints(RuleSet).items()
    if name != "preset"
}
CLASSIC = RuleSet()
CASUAL = RuleSet("casual", failed_nil_tricks="nothing", bag_points="given_back", floor=None, first_dealer="before_host")
PRESETS = {"classic": CLASSIC, "casual": CASUAL}
"""Complete rule sets by name."""
