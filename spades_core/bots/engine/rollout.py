"""Imagined hands played to the end by the policy, some thousand a second."""

from spades_core.bots.engine.policy import choice
from spades_core.bots.engine.position import SPADES, TOP, Place, Position, legal

ROUND = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
"""Who plays in turn, by who leads."""
NO_DICE = bytes(52)


def play_out(position: Position, hands: list[list[int]], dice: bytes = NO_DICE, noise: int = 0) -> list[int]:
    """The tricks each seat ends with, from here on. Changes `position` and `hands`.

    Where a die is below `noise` a card is drawn at random instead of chosen.
    """
    follow, rolls = position.follow, iter(dice)
    order = ROUND[position.turn + 1 & 3][: 4 - position.begun] if position.begun else ROUND[position.winner]
    while position.left > 1 or position.begun:
        play = follow if position.begun else position.lead
        for seat, die in zip(order, rolls):  # noqa: B905 (there are dice to spare)
            held = hands[seat]
            suit, bit = _any(position, held, die) if die < noise else choice(position, held, seat)
            held[suit] ^= bit
            play(seat, suit, bit)
            play = follow
        order = ROUND[position.winner]
    if position.left:
        position.taken[winner_of_last(position.winner, hands)] += 1
    return position.taken


def tried(position: Position, world: list[list[int]], seat: int, place: Place) -> tuple[Position, list[list[int]]]:
    """Copies of both in which a seat has played this card."""
    position, hands = position.copy(), [held[:] for held in world]
    suit, bit = place
    hands[seat][suit] ^= bit
    position.play(seat, suit, bit)
    return position, hands


def winner_of_last(leader: int, hands: list[list[int]]) -> int:
    """Who takes the trick to which everybody plays the card that is left."""
    cards = [held[SPADES] for held in hands]
    if not any(cards):
        suit = next(suit for suit in (0, 1, 2) if hands[leader][suit])
        cards = [held[suit] for held in hands]
    return cards.index(max(cards))


def _any(position: Position, held: list[int], die: int) -> Place:
    """Of any suit the lowest card, for half of the dice; else the second lowest or, from a 12 on, the highest."""
    options = legal(position, held)
    suits = [suit for suit in (0, 1, 2, 3) if options[suit]]
    suit = suits[die % len(suits)]
    cards = options[suit]
    low = cards & -cards
    rest = cards ^ low
    if die & 4 and rest:
        return suit, TOP[cards] if die & 8 else rest & -rest
    return suit, low
