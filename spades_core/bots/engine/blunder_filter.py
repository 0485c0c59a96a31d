"""Cards that no good partner would play, removed before a search whatever it would find.

Each rule applies only where it is certain from public knowledge and the own hand, and leaves
at least one card.
"""

from spades_core.bots.engine.position import SPADES, CardBit, Position


def without_blunders(position: Position, hand: list[int], me: int, cards: list[CardBit]) -> list[CardBit]:
    """Return those of the cards that are worth searching."""
    if not position.trick_size:
        return cards
    winners = [card_bit for card_bit in cards if beats(position, card_bit)]
    losers = [card_bit for card_bit in cards if card_bit not in winners]
    if position.nil_alive[me]:
        return _nil_cards(position, losers) or cards
    if position.trick_size == 3 and position.need[me & 1] > 0 and winners:
        winners = [min(winners)]
        cards = winners + losers
    if winners and losers:
        cards = _winners_or_losers(position, hand, me, winners, losers)
    return _without_needed_winners(position, hand, me, cards, winners)


def _nil_cards(position: Position, losers: list[CardBit]) -> list[CardBit]:
    """Return the cards that keep the own nil; as fourth hand, the highest of them that follows suit."""
    if position.trick_size == 3 and losers and losers[0][0] == position.led:
        return [max(losers)]
    return losers


def beats(position: Position, card_bit: CardBit) -> bool:
    """Return whether a card beats the current trick."""
    suit, bit = card_bit
    if position.ruffed or suit == position.led:
        return bit > position.best and suit == (SPADES if position.ruffed else position.led)
    return suit == SPADES


def holds(position: Position, hand: list[int], me: int, card_bit: CardBit) -> bool:
    """Return whether no seat still to play can beat a winning card, as far as is known."""
    suit, bit = card_bit
    above = position.out[suit] & ~hand[suit] & -(bit << 1)
    out_spades = position.out[SPADES] & ~hand[SPADES]
    for step in range(1, 4 - position.trick_size):
        void = position.void[me + step & 3]
        follows = suit == position.led or suit != SPADES
        if follows and above and not void >> suit & 1:
            return False
        may_ruff = position.led != SPADES and void >> position.led & 1 and not void >> SPADES & 1
        if may_ruff and (above if suit == SPADES else out_spades):
            return False
    return True


def _winners_or_losers(
    position: Position, hand: list[int], me: int, winners: list[CardBit], losers: list[CardBit]
) -> list[CardBit]:
    """Return which of both make sense when the seat can win the trick or not."""
    partner, last = me ^ 2, position.trick_size == 3
    ours, theirs = position.need[me & 1], position.need[1 - (me & 1)]
    if position.winner == partner:
        if position.bids[partner] == 0:
            best = SPADES if position.ruffed else position.led, position.best
            nil_is_broken = not position.nil_alive[partner]
            return losers if nil_is_broken and holds(position, hand, me, best) else winners + losers
        return losers if last else winners + losers
    opponents_nil = position.nil_alive[me + 1 & 3] or position.nil_alive[me + 3 & 3]
    if ours > 0:
        return winners if last and ours == position.tricks_left else winners + losers
    if opponents_nil or (position.nil_alive[partner] and not last):
        return winners + losers
    if theirs == position.tricks_left and position.trick_size >= 2 and not _has_highest_spade(position, hand):
        return [card_bit for card_bit in winners if holds(position, hand, me, card_bit)] or winners + losers
    can_set = 0 < theirs <= position.tricks_left
    if last and not can_set and not position.nil_alive[partner] and not position.bags_free:
        return losers
    return winners + losers


def _has_highest_spade(position: Position, hand: list[int]) -> bool:
    return hand[SPADES] > position.out[SPADES] ^ hand[SPADES]


def _without_needed_winners(
    position: Position, hand: list[int], me: int, cards: list[CardBit], winners: list[CardBit]
) -> list[CardBit]:
    """While an opponents' nil is alive, do not throw away sure winners that the own contract needs."""
    void = position.void[me + 1 & 3] | position.void[me + 3 & 3]
    opponents_nil = position.nil_alive[me + 1 & 3] or position.nil_alive[me + 3 & 3]
    if not opponents_nil or not 0 < position.need[me & 1] <= position.tricks_left:
        return cards
    count = 0
    sure: set[CardBit] = set()
    for suit in range(4):
        if suit != SPADES and void >> suit & 1:
            continue
        top = hand[suit] & -(1 << (position.out[suit] ^ hand[suit]).bit_length())
        count += top.bit_count()
        sure |= {card_bit for card_bit in cards if card_bit[0] == suit and card_bit[1] & top}
    if count > position.need[me & 1]:
        return cards
    rest = [card_bit for card_bit in cards if card_bit not in sure or card_bit in winners]
    return rest if any(suit != SPADES for suit, _ in rest) else cards
