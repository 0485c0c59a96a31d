"""Imagined hands played to the end by the policy, some thousand a second."""

from spades_core.bots.policy import choice
from spades_core.bots.position import TOP, Place, Position, legal


def play_out(position: Position, hands: list[list[int]], dice: bytes = b"\xff" * 52, noise: int = 0) -> list[int]:
    """The tricks each seat ends with, from here on. Changes `position` and `hands`.

    Where a die is below `noise` a card is drawn at random instead of chosen.
    """
    play = position.play
    number = 0
    while position.left:
        begun = position.begun
        seat = position.turn + 1 & 3 if begun else position.winner
        for _ in range(begun, 4):
            held = hands[seat]
            die = dice[number]
            number += 1
            if die < noise:
                suit, bit = _any(position, held, die)
            else:
                suit, bit = choice(position, held, seat)
            held[suit] ^= bit
            play(seat, suit, bit)
            seat = seat + 1 & 3
    return position.taken


def _any(position: Position, held: list[int], die: int) -> Place:
    """The lowest card of any suit, often; else its highest or its second lowest."""
    options = legal(position, held)
    suits = [suit for suit in (0, 1, 2, 3) if options[suit]]
    suit = suits[die % len(suits)]
    cards = options[suit]
    low = cards & -cards
    rest = cards ^ low
    if die & 4 and rest:
        return suit, TOP[cards] if die & 8 else rest & -rest
    return suit, low
