"""Rollouts: four open hands played to the end by the policy, some thousand a second."""

from spades_core.bots.engine.policy import policy_card
from spades_core.bots.engine.position import HIGHEST, SPADES, CardBit, Hands, Position, legal

ROUND: tuple[tuple[int, ...], ...] = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
"""The seats in turn, by the leader."""
NO_DICE = bytes(52)


def play_out(position: Position, hands: Hands, dice: bytes = NO_DICE, noise: int = 0) -> list[int]:
    """Play to the end of the hand and return the tricks by seat. Changes `position` and `hands`.

    `dice` has a random byte for each card: below `noise`, it draws the card instead of the policy.
    """
    follow, rolls = position.follow, iter(dice)
    order = ROUND[position.winner]
    if position.trick_size:
        order = ROUND[position.last_seat + 1 & 3][: 4 - position.trick_size]
    while position.tricks_left > 1 or position.trick_size:
        play = follow if position.trick_size else position.lead
        for seat, die in zip(order, rolls):  # noqa: B905 (there are more dice than cards)
            held = hands[seat]
            suit, bit = _draw(position, held, die) if die < noise else policy_card(position, held, seat)
            held[suit] ^= bit
            play(seat, suit, bit)
            play = follow
        order = ROUND[position.winner]
    if position.tricks_left:
        position.taken[last_trick_winner(position.winner, hands)] += 1
    return position.taken


def after_card(position: Position, hands: Hands, seat: int, card_bit: CardBit) -> tuple[Position, Hands]:
    """Return copies of the position and the hands in which the seat has played the card."""
    position, hands = position.copy(), [held[:] for held in hands]
    suit, bit = card_bit
    hands[seat][suit] ^= bit
    position.play(seat, suit, bit)
    return position, hands


def last_trick_winner(leader: int, hands: Hands) -> int:
    """Return the seat that wins the last trick, each hand holding one card."""
    cards = [held[SPADES] for held in hands]
    if not any(cards):
        suit = next(suit for suit in (0, 1, 2) if hands[leader][suit])
        cards = [held[suit] for held in hands]
    return cards.index(max(cards))


def _draw(position: Position, held: list[int], die: int) -> CardBit:
    """Draw a suit and of it, for half of the dice, the lowest card, else the second lowest or the highest."""
    options = legal(position, held)
    suits = [suit for suit in (0, 1, 2, 3) if options[suit]]
    suit = suits[die % len(suits)]
    cards = options[suit]
    low = cards & -cards
    rest = cards ^ low
    if die & 4 and rest:
        return suit, HIGHEST[cards] if die & 8 else rest & -rest
    return suit, low
