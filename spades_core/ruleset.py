"""The numbers a table plays by. A rule set is chosen when a table is made and never changes after the first deal."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules numbered in RULES.md; the defaults are the preset `classic`."""

    name: str = "classic"
    target: int = 500
    floor: int = -200
    nil_value: int = 100
    bag_limit: int = 10
    bag_penalty: int = 100
    hand_limit: int = 100


CLASSIC = RuleSet()
PRESETS: dict[str, RuleSet] = {rules.name: rules for rules in (CLASSIC,)}


def preset(name: str) -> RuleSet:
    """Raises ValueError, naming what there is, for an unknown name."""
    if name not in PRESETS:
        raise ValueError(f"there is no rule set {name[:24]!r}; there is: {', '.join(PRESETS)}")
    return PRESETS[name]
