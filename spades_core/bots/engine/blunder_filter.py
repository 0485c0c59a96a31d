"""Removes blunders, cards that no good partner would play, before a search.

Each rule applies only if it is certain from public knowledge and the own hand, and leaves at least one card.
"""

from spades_core.bots.engine.position import SPADES, CardBit, Position


def without_blunders(position: Position, hand: list[int], own_seat: int, cards: list[CardBit]) -> list[CardBit]:
    """Return the cards that are worth searching."""
    if not position.trick_size:
        return cards
    winners = [card_bit for card_bit in cards if beats(position, card_bit)]
    losers = [card_bit for card_bit in cards if card_bit not in winners]
    if position.nil_alive[own_seat]:
        if position.trick_size == 3 and losers and losers[0][0] == position.led:
            return [max(losers)]
        return losers or cards
    if position.trick_size == 3 and position.tricks_needed[own_seat & 1] > 0 and winners:
        winners = [min(winners)]
        cards = winners + losers
    if winners and losers:
        cards = _winners_or_losers(position, hand, own_seat, winners, losers)
    return _without_needed_winners(position, hand, own_seat, cards, winners)


def beats(position: Position, card_bit: CardBit) -> bool:
    """Return whether a card beats the current trick."""
    suit, bit = card_bit
    if position.ruffed or suit == position.led:
        return bit > position.best and suit == (SPADES if position.ruffed else position.led)
    return suit == SPADES


def holds(position: Position, hand: list[int], own_seat: int, card_bit: CardBit) -> bool:
    """Return whether it is certain that no seat still to play can beat a winning card."""
    suit, bit = card_bit
    above = position.unplayed[suit] & ~hand[suit] & -(bit << 1)
    unplayed_spades = position.unplayed[SPADES] & ~hand[SPADES]
    for step in range(1, 4 - position.trick_size):
        voids = position.voids[own_seat + step & 3]
        follows = suit == position.led or suit != SPADES
        if follows and above and not voids >> suit & 1:
            return False
        may_ruff = position.led != SPADES and voids >> position.led & 1 and not voids >> SPADES & 1
        if may_ruff and (above if suit == SPADES else unplayed_spades):
            return False
    return True


def _winners_or_losers(
    position: Position, hand: list[int], own_seat: int, winners: list[CardBit], losers: list[CardBit]
) -> list[CardBit]:
    """Return the winners, the losers or both, for a seat that can either win the trick or lose it."""
    partner, last = own_seat ^ 2, position.trick_size == 3
    ours, theirs = position.tricks_needed[own_seat & 1], position.tricks_needed[1 - (own_seat & 1)]
    if position.winner == partner:
        if position.bids[partner] == 0:
            best = SPADES if position.ruffed else position.led, position.best
            nil_is_broken = not position.nil_alive[partner]
            return losers if nil_is_broken and holds(position, hand, own_seat, best) else winners + losers
        return losers if last else winners + losers
    opponents_nil = position.nil_alive[own_seat + 1 & 3] or position.nil_alive[own_seat + 3 & 3]
    if ours > 0:
        return winners if last and ours == position.tricks_left else winners + losers
    if opponents_nil or (position.nil_alive[partner] and not last):
        return winners + losers
    has_highest_spade = hand[SPADES] > position.unplayed[SPADES] ^ hand[SPADES]
    if theirs == position.tricks_left and position.trick_size >= 2 and not has_highest_spade:
        return [card_bit for card_bit in winners if holds(position, hand, own_seat, card_bit)] or winners + losers
    can_set = 0 < theirs <= position.tricks_left
    if last and not can_set and not position.nil_alive[partner] and not position.bags_free:
        return losers
    return winners + losers


def _without_needed_winners(
    position: Position, hand: list[int], own_seat: int, cards: list[CardBit], winners: list[CardBit]
) -> list[CardBit]:
    """While an opponent's nil is alive, keep sure winners that the own contract needs."""
    voids = position.voids[own_seat + 1 & 3] | position.voids[own_seat + 3 & 3]
    opponents_nil = position.nil_alive[own_seat + 1 & 3] or position.nil_alive[own_seat + 3 & 3]
    if not opponents_nil or not 0 < position.tricks_needed[own_seat & 1] <= position.tricks_left:
        return cards
    count, sure = 0, set[CardBit]()
    for suit in range(4):
        if suit != SPADES and voids >> suit & 1:
            continue
        highest = hand[suit] & -(1 << (position.unplayed[suit] ^ hand[suit]).bit_length())
        count += highest.bit_count()
        sure |= {card_bit for card_bit in cards if card_bit[0] == suit and card_bit[1] & highest}
    if count > position.tricks_needed[own_seat & 1]:
        return cards
    rest = [card_bit for card_bit in cards if card_bit not in sure or card_bit in winners]
    return rest if any(suit != SPADES for suit, _ in rest) else cards
