"""A second scorer for the preset classic, written from the tables of the rules and sharing no code with the first.

Slow on purpose: it counts tricks one by one and bags one by one, so that a
misreading of the rules would have to be made twice to go unseen.
"""


def score_classic(bids: tuple[int, int], tricks: tuple[int, int], bags: int) -> tuple[int, int]:
    """Points of one side for one hand and the bags it has then; `bags` are those before."""
    points, wanted, on_the_table = 0, 0, 0
    for bid, won in ((bids[0], tricks[0]), (bids[1], tricks[1])):
        if bid == 0 and won == 0:
            points += 100
        if bid == 0 and won > 0:
            points -= 100
        for _ in range(bid):
            wanted += 1
        for _ in range(won):
            on_the_table += 1
    if on_the_table < wanted:
        for _ in range(wanted):
            points -= 10
        return points, bags
    while wanted:
        points += 10
        wanted -= 1
        on_the_table -= 1
    while on_the_table:
        on_the_table -= 1
        points += 1
        bags += 1
        if bags == 10:
            points -= 100
            bags = 0
    return points, bags
