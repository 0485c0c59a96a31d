"""Cards that a good partner never plays, whatever a search believes: they are taken out before it looks.

Each rule speaks only where it is certain from what everybody saw and the own
hand, and leaves at least one card.
"""

from spades_core.bots.engine.position import SPADES, Place, Position


def sensible(position: Position, hand: list[int], me: int, choices: list[Place]) -> list[Place]:
    """Of some cards those worth thinking about."""
    if not position.begun:
        return choices
    winners = [place for place in choices if beats(position, place)]
    losers = [place for place in choices if place not in winners]
    if position.nil[me]:
        return _for_a_nil(position, losers) or choices
    if position.begun == 3 and position.need[me & 1] > 0 and winners:
        winners = [min(winners)]
        choices = winners + losers
    if winners and losers:
        choices = _winners_or_losers(position, hand, me, winners, losers)
    return _without_burning(position, hand, me, choices, winners)


def _for_a_nil(position: Position, losers: list[Place]) -> list[Place]:
    """A nil is not given up; from the last seat it rids itself of the highest card that loses."""
    if position.begun == 3 and losers and losers[0][0] == position.led:
        return [max(losers)]
    return losers


def beats(position: Position, place: Place) -> bool:
    """Whether a card would be ahead in the trick on the table."""
    suit, bit = place
    if position.ruffed or suit == position.led:
        return bit > position.best and suit == (SPADES if position.ruffed else position.led)
    return suit == SPADES


def holds(position: Position, hand: list[int], me: int, place: Place) -> bool:
    """Whether nobody to come is known to be able to beat a card that is ahead."""
    suit, bit = place
    above = position.out[suit] & ~hand[suit] & -(bit << 1)
    out_spades = position.out[SPADES] & ~hand[SPADES]
    for step in range(1, 4 - position.begun):
        lacks = position.void[me + step & 3]
        follows = suit == position.led or suit != SPADES
        if follows and above and not lacks >> suit & 1:
            return False
        may_ruff = position.led != SPADES and lacks >> position.led & 1 and not lacks >> SPADES & 1
        if may_ruff and (above if suit == SPADES else out_spades):
            return False
    return True


def _winners_or_losers(
    position: Position, hand: list[int], me: int, winners: list[Place], losers: list[Place]
) -> list[Place]:
    """What of both makes sense when there is a choice to win the trick or not."""
    partner, last = me ^ 2, position.begun == 3
    ours, theirs = position.need[me & 1], position.need[1 - (me & 1)]
    if position.winner == partner:
        if position.bids[partner] == 0:
            best = SPADES if position.ruffed else position.led, position.best
            return losers if not position.nil[partner] and holds(position, hand, me, best) else winners + losers
        return losers if last else winners + losers
    opponents_nil = position.nil[me + 1 & 3] or position.nil[me + 3 & 3]
    if ours > 0:
        return winners if last and ours == position.left else winners + losers
    if opponents_nil or (position.nil[partner] and not last):
        return winners + losers
    if theirs == position.left and position.begun >= 2 and not _highest_spade(position, hand):
        return [place for place in winners if holds(position, hand, me, place)] or winners + losers
    if last and not 0 < theirs <= position.left and not position.nil[partner] and not position.bags_free:
        return losers
    return winners + losers


def _highest_spade(position: Position, hand: list[int]) -> bool:
    return hand[SPADES] > position.out[SPADES] ^ hand[SPADES]


def _without_burning(
    position: Position, hand: list[int], me: int, choices: list[Place], winners: list[Place]
) -> list[Place]:
    """No sure winners thrown away, while an opponent's nil lives, that the own contract needs."""
    if not (position.nil[me + 1 & 3] or position.nil[me + 3 & 3]) or not 0 < position.need[me & 1] <= position.left:
        return choices
    sure = 0
    burning: set[Place] = set()
    for suit in range(4):
        if suit != SPADES and (position.void[me + 1 & 3] | position.void[me + 3 & 3]) >> suit & 1:
            continue
        top = hand[suit] & -(1 << (position.out[suit] ^ hand[suit]).bit_length())
        sure += top.bit_count()
        burning |= {place for place in choices if place[0] == suit and place[1] & top}
    if sure > position.need[me & 1]:
        return choices
    kept = [place for place in choices if place not in burning or place in winners]
    return kept if any(suit != SPADES for suit, _ in kept) else choices
