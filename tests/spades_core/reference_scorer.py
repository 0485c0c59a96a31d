"""A reference scorer, written from the rules and sharing no code with `scoring`.

It counts tricks and bags one by one, so a misreading of the rules would have to
be made twice to go unseen. It reads only the switches of `rules`.
"""

from typing import Any

Two = tuple[int, int]


def reference_score(rules: Any, bids: Two, tricks: Two, bags: int, blind: tuple[bool, bool] = (False, False)) -> Two:
    """Return the points of one side for a hand, and its bags after it; `bags` are those before."""
    points = _nils(rules, bids, tricks, blind)
    if bids == (0, 0) and rules.double_nil == "one_unit":
        return points, bags
    wanted = bids[0] + bids[1]
    useful, extra = [], []
    for bid, won in ((bids[0], tricks[0]), (bids[1], tricks[1])):
        for _ in range(won):
            if bid > 0 or rules.failed_nil_tricks == "help":
                useful.append("trick")
            elif rules.failed_nil_tricks == "bags":
                extra.append("bag")
    if len(useful) >= wanted:
        points += _worth(rules, wanted)
        for _ in range(wanted):
            useful.pop()
        extra += useful
    else:
        points -= _worth(rules, wanted)
    return _count_bags(rules, points, bags, len(extra))


def _nils(rules: Any, bids: Two, tricks: Two, blind: tuple[bool, bool]) -> int:
    worths = [200 if blind[place] else rules.nil_value for place in (0, 1) if bids[place] == 0]
    if len(worths) == 2 and rules.double_nil == "one_unit":
        clean = tricks == (0, 0)
        return worths[0] + worths[1] if clean else -worths[0] - worths[1]
    taken = [tricks[place] for place in (0, 1) if bids[place] == 0]
    return sum(worth if won == 0 else -worth for worth, won in zip(worths, taken, strict=True))


def _worth(rules: Any, contract: int) -> int:
    if contract >= 10 and rules.ten_for_200 == "flat":
        return 200
    if contract >= 10 and rules.ten_for_200 == "doubled":
        return contract * 10 * 2
    return contract * 10


def _count_bags(rules: Any, points: int, bags: int, extra: int) -> Two:
    penalties = 0
    for _ in range(extra):
        bags += 1
        if rules.bag_points != "none":
            points += 1
        if rules.bag_limit is not None and bags == rules.bag_limit:
            bags, penalties = 0, penalties + 1
            points -= rules.bag_penalty
            if rules.bag_points == "given_back":
                points -= rules.bag_limit
    if penalties and rules.bag_carry == "reset":
        bags = 0
    return points, bags
