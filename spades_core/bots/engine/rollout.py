"""Rollouts: play four known hands to the end by the policy, about a thousand per second."""

from spades_core.bots.engine.policy import policy_card
from spades_core.bots.engine.position import HIGHEST, SIDE_SUITS, SPADES, CardBit, Hands, Position

ROUND: tuple[tuple[int, ...], ...] = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
"""The seats in order of play, by the leader."""
NO_DICE = bytes(52)


def play_out(position: Position, hands: Hands, dice: bytes = NO_DICE, noise: int = 0) -> list[int]:
    """Play to the end of the hand and return the tricks by seat. Changes `position` and `hands`.

    `dice` has a random byte for each play; if it is below `noise`, the card is drawn at random.
    """
    follow, rolls = position.follow, iter(dice)
    order = ROUND[position.winner]
    if position.trick_size:
        order = ROUND[position.last_seat + 1 & 3][: 4 - position.trick_size]
    while position.tricks_left > 1 or position.trick_size:
        play = follow if position.trick_size else position.lead
        for seat, die in zip(order, rolls):  # noqa: B905 (dice may be left over)
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
        suit = next(suit for suit in SIDE_SUITS if hands[leader][suit])
        cards = [held[suit] for held in hands]
    return cards.index(max(cards))


def _draw(position: Position, held: list[int], die: int) -> CardBit:
    """Draw a suit, then its lowest card with probability 1/2, else its second lowest or highest."""
    options = position.legal_cards(held)
    suits = [suit for suit in (0, 1, 2, 3) if options[suit]]
    suit = suits[die % len(suits)]
    cards = options[suit]
    low = cards & -cards
    rest = cards ^ low
    if die & 4 and rest:
        return suit, HIGHEST[cards] if die & 8 else rest & -rest
    return suit, low
