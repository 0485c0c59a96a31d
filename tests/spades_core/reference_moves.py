"""Reference implementation of the legal bids and cards and the winner of a trick, sharing no code with `legal`.

Cards are text and hands are sets, without masks. It reads only the switches of
`rules`.
"""

from collections.abc import Collection, Sequence
from typing import Any

RANKS = "23456789TJQKA"


def is_spade(rules: Any, card: str) -> bool:
    return card.endswith("S") or (card == "2D" and rules.deck == "jokers_and_deuces")


def suit(rules: Any, card: str) -> str:
    return "S" if is_spade(rules, card) else card[1]


def strength(rules: Any, card: str) -> int:
    """Return the rank of a card in its suit: of two spades, or two cards of the suit led, the higher wins."""
    if card in ("BS", "LS"):
        return {"BS": 99, "LS": 98}[card]
    if rules.deck == "jokers_and_deuces" and card in ("2D", "2S"):
        return {"2D": 97, "2S": 96}[card]
    return RANKS.index(card[0])


def winner(rules: Any, trick: Sequence[str]) -> int:
    """Return the index of the winning card."""
    spades = [card for card in trick if is_spade(rules, card)]
    counting = spades or [card for card in trick if suit(rules, card) == suit(rules, trick[0])]
    return trick.index(max(counting, key=lambda card: strength(rules, card)))


def may_play(rules: Any, held: Collection[str], trick: Sequence[str], *, first: bool, broken: bool) -> set[str]:
    """Return the cards of `held` that may be played to `trick`; `first`: it is the first trick of the hand."""
    others = {card for card in held if not is_spade(rules, card)}
    clubs = sorted((card for card in held if card[1] == "C"), key=lambda card: strength(rules, card))
    if not trick:
        if first and rules.first_lead in ("two_of_clubs", "lowest_clubs"):
            return {clubs[0]}
        barred = {"when_broken": not broken, "any_time": False, "not_first_trick": first}[rules.lead_spades]
        return others if barred and others else set(held)
    follow = {card for card in held if suit(rules, card) == suit(rules, trick[0])}
    if follow:
        return {clubs[0]} if first and rules.first_lead == "lowest_clubs" else follow
    if first and rules.first_trick_spades == "refused" and others:
        return others
    return set(held)


def may_bid(rules: Any, bids: Sequence[int | None], seat: int, held: Collection[str]) -> set[int]:
    """Return the bids allowed to `seat`; `bids` are those so far, by seat."""
    return {bid for bid in range(14) if _is_legal_bid(rules, bids, seat, held, bid)}


def _is_legal_bid(rules: Any, bids: Sequence[int | None], seat: int, held: Collection[str], bid: int) -> bool:
    partner = bids[(seat + 2) % 4]
    spades = len([card for card in held if is_spade(rules, card)])
    together = sum(other for other in bids if other is not None) + bid
    broken_rules = (
        bid == 0 and rules.nil_value is None,
        bid == 0 and partner == 0 and rules.double_nil == "forbidden",
        bid == 1 and rules.min_bid == "no_ones",
        rules.min_bid == "side_four" and partner is not None and partner + bid < 4,
        rules.sum_not_13 and sum(other is None for other in bids) == 1 and together == 13,
        rules.variant == "mirror" and bid != spades,
        rules.variant == "whiz" and bid not in (0, spades),
        rules.variant == "suicide" and 0 < bid < 4,
        rules.variant == "suicide" and partner is not None and (partner == 0) == (bid == 0),
    )
    return not any(broken_rules)
