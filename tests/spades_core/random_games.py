"""Random games: legal bids, passes and cards, and between them people who sit down, leave and come back.

The rules are drawn too, every switch, unless they are given.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import get_args

from spades_core.cards import CARDS, Card
from spades_core.commands import (
    AskForNextHand,
    Command,
    CommandRefused,
    DealHand,
    LeaveSeat,
    LookAtHand,
    OpenTable,
    PassCards,
    PlaceBid,
    PlayCard,
    Redeal,
    RemoveBot,
    ReturnToSeat,
    SeatBot,
    StartGame,
    TakeOver,
    TakeSeat,
)
from spades_core.decide import decide
from spades_core.deck import DECKS, shuffled
from spades_core.events import LoggedEvent
from spades_core.evolve import evolve_all
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS, Level
from spades_core.state import Table
from spades_core.views import view_for
from tests.spades_core.rule_sets import draw_short

SHORT = RuleSet(target=100, hand_limit=4)
"""The classic rules for a game of a few hands."""
VOID_RATE = 0.005
"""The probability per move that the hand in play is voided instead: about one hand in four."""
LEVELS = get_args(Level)
BIDS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 13)


@dataclass(frozen=True, slots=True)
class Step:
    """An accepted command, its events, and the table before and after it."""

    before: Table
    command: Command
    events: tuple[LoggedEvent, ...]
    after: Table


def secret_of(number: int) -> str:
    """Return the identity of a person, which is sent to nobody."""
    return f"secret-{number}"


def play_game(
    rng: Random, rules: RuleSet | None = None, seat_changes: float = 0.05, void_rate: float = VOID_RATE
) -> Iterator[Step]:
    """Play one game to its end and yield every step.

    `seat_changes` is the probability of trying a seat change before a move, and
    `void_rate` that of voiding the hand in play instead of the move.
    """
    table = Table()
    opening = OpenTable("HRTJK", rules or draw_short(rng), secret_of(0), "Mara")
    while table.phase != "over":
        command: Command = opening
        if table.code:
            command = _seat_change(table, rng) if rng.random() < seat_changes else _next(table, rng, void_rate)
        try:
            events = decide(table, command)
        except CommandRefused:
            continue
        if not events:
            continue
        after = evolve_all(table, events)
        yield Step(table, command, events, after)
        table = after


def next_move(table: Table, rng: Random) -> Command:
    """Return a legal command of the seat whose turn it is."""
    assert table.turn is not None
    view = view_for(table.turn, table)
    if view.may_look:
        blind = view.may_bid_blind and rng.random() < 0.7
        return PlaceBid(table.turn, 0, blind=True) if blind else LookAtHand(table.turn)
    if view.legal_bids:
        likely = [bid for bid in BIDS if bid in view.legal_bids]
        return PlaceBid(table.turn, rng.choice(likely or view.legal_bids))
    if view.to_pass:
        return PassCards(table.turn, tuple(rng.sample(view.hand, view.to_pass)))
    return PlayCard(table.turn, rng.choice(view.legal_cards))


def _next(table: Table, rng: Random, void_rate: float) -> Command:
    """Return a command that advances the game."""
    if table.turn is not None:
        return _deal_again(table, rng) if rng.random() < void_rate else next_move(table, rng)
    if table.phase == "scored":
        return AskForNextHand(rng.choice(SEATS)) if rng.random() < 0.3 else _deal(table, rng)
    if table.host is None:
        return TakeSeat(secret_of(0), "Mara", rng.choice(SEATS))
    if rng.random() < 0.4:
        return StartGame(table.host, rng.choice(SEATS), rng.choice(LEVELS))
    return _seat_change(table, rng)


def _deal(table: Table, rng: Random) -> DealHand:
    return DealHand(_deck(table, rng))


def _deal_again(table: Table, rng: Random) -> Redeal:
    assert table.game is not None
    assert table.game.hand is not None
    return Redeal(table.game.hand.number, _deck(table, rng))


def _deck(table: Table, rng: Random) -> tuple[Card, ...]:
    return shuffled(rng, DECKS[table.rules.deck])


def _seat_change(table: Table, rng: Random) -> Command:
    seat, other, number = rng.choice(SEATS), rng.choice(SEATS), rng.randrange(6)
    host = seat if table.host is None or rng.random() < 0.1 else table.host
    return rng.choice(
        (
            TakeSeat(secret_of(number), f"Guest {number}", seat),
            TakeSeat(secret_of(number), f"Guest {number}", other),
            LeaveSeat(seat),
            TakeOver(seat),
            ReturnToSeat(seat),
            ReturnToSeat(other),
            SeatBot(host, seat, rng.choice(LEVELS)),
            RemoveBot(host, seat),
            AskForNextHand(seat),
            LookAtHand(other),
        )
    )


def any_command(table: Table, rng: Random) -> Command:
    """Return any command, legal or not, of any seat."""
    seat = rng.choice(SEATS)
    return rng.choice(
        (
            lambda: PlayCard(seat, rng.choice(CARDS)),
            lambda: PlaceBid(seat, rng.randrange(-3, 18), blind=rng.random() < 0.3),
            lambda: PassCards(seat, tuple(rng.choices(CARDS, k=rng.choice((1, 2, 2, 3))))),
            lambda: _deal(table, rng),
            lambda: Redeal(rng.randrange(1, 5), _deck(table, rng)),
            lambda: StartGame(seat, rng.choice(SEATS), rng.choice(LEVELS)),
            lambda: _seat_change(table, rng),
        )
    )()
