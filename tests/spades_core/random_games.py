"""Games played at random: legal bids, passes and cards, and between them people who sit down, leave and come back.

Unless told the rules, a game draws them: every switch, all together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import get_args

from spades_core.cards import CARDS, Card
from spades_core.commands import (
    AskForNextHand,
    Command,
    DealAgain,
    DealHand,
    LeaveSeat,
    LookAtHand,
    OpenTable,
    PassCards,
    PlaceBid,
    PlayCard,
    RemoveBot,
    ReturnToSeat,
    SeatBot,
    StartGame,
    TakeOver,
    TakeSeat,
)
from spades_core.deal import shuffled
from spades_core.decide import decide
from spades_core.deck import DECKS
from spades_core.events import LoggedEvent
from spades_core.evolve import evolve_all
from spades_core.levels import Level
from spades_core.refusal import Refused
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS
from spades_core.state import Table
from spades_core.views import view_for
from tests.spades_core.rule_sets import draw_short

SHORT = RuleSet(target=100, hand_limit=4)
"""Classic, but a game is over after a few hands."""
LOSSES = 0.005
"""So often the hand in play is dealt again instead of the next move: about one hand in four."""
LEVELS = get_args(Level)
BIDS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 13)


@dataclass(frozen=True, slots=True)
class Commit:
    """What one accepted command made happen."""

    before: Table
    command: Command
    events: tuple[LoggedEvent, ...]
    after: Table


def secret_of(number: int) -> str:
    """The identity of a person; nobody is ever sent it."""
    return f"secret-{number}"


def play_game(
    chance: Random, rules: RuleSet | None = None, comings: float = 0.05, losses: float = LOSSES
) -> Iterator[Commit]:
    """Every commit of one game to its end.

    `comings` is how often somebody's coming or going is tried first, `losses` how
    often the hand in play is dealt again instead of the next move.
    """
    table = Table()
    opening = OpenTable("HRTJK", rules or draw_short(chance), secret_of(0), "Mara")
    while table.phase != "over":
        command: Command = opening
        if table.code:
            command = _coming_or_going(table, chance) if chance.random() < comings else _next(table, chance, losses)
        try:
            events = decide(table, command)
        except Refused:
            continue
        if not events:
            continue
        after = evolve_all(table, events)
        yield Commit(table, command, events, after)
        table = after


def next_move(table: Table, chance: Random) -> Command:
    """Something that the seat on turn may do."""
    assert table.turn is not None
    view = view_for(table.turn, table)
    if view.may_look:
        blind = view.may_bid_blind and chance.random() < 0.7
        return PlaceBid(table.turn, 0, blind=True) if blind else LookAtHand(table.turn)
    if view.legal_bids:
        likely = [bid for bid in BIDS if bid in view.legal_bids]
        return PlaceBid(table.turn, chance.choice(likely or view.legal_bids))
    if view.to_pass:
        return PassCards(table.turn, tuple(chance.sample(view.hand, view.to_pass)))
    return PlayCard(table.turn, chance.choice(view.legal_cards))


def _next(table: Table, chance: Random, losses: float) -> Command:
    """What carries the game on."""
    if table.turn is not None:
        return _deal_again(table, chance) if chance.random() < losses else next_move(table, chance)
    if table.phase == "scored":
        return AskForNextHand(chance.choice(SEATS)) if chance.random() < 0.3 else _deal(table, chance)
    if table.host is None:
        return TakeSeat(secret_of(0), "Mara", chance.choice(SEATS))
    if chance.random() < 0.4:
        return StartGame(table.host, chance.choice(SEATS), chance.choice(LEVELS))
    return _coming_or_going(table, chance)


def _deal(table: Table, chance: Random) -> DealHand:
    return DealHand(_deck(table, chance))


def _deal_again(table: Table, chance: Random) -> DealAgain:
    assert table.game is not None
    assert table.game.hand is not None
    return DealAgain(table.game.hand.number, _deck(table, chance))


def _deck(table: Table, chance: Random) -> tuple[Card, ...]:
    return shuffled(chance, DECKS[table.rules.deck])


def _coming_or_going(table: Table, chance: Random) -> Command:
    seat, other, number = chance.choice(SEATS), chance.choice(SEATS), chance.randrange(6)
    host = seat if table.host is None or chance.random() < 0.1 else table.host
    return chance.choice(
        (
            TakeSeat(secret_of(number), f"Guest {number}", seat),
            TakeSeat(secret_of(number), f"Guest {number}", other),
            LeaveSeat(seat),
            TakeOver(seat),
            ReturnToSeat(seat),
            ReturnToSeat(other),
            SeatBot(host, seat, chance.choice(LEVELS)),
            RemoveBot(host, seat),
            AskForNextHand(seat),
            LookAtHand(other),
        )
    )


def any_command(table: Table, chance: Random) -> Command:
    """Anything, sensible or not, in anybody's name."""
    seat = chance.choice(SEATS)
    return chance.choice(
        (
            lambda: PlayCard(seat, chance.choice(CARDS)),
            lambda: PlaceBid(seat, chance.randrange(-3, 18), blind=chance.random() < 0.3),
            lambda: PassCards(seat, tuple(chance.choices(CARDS, k=chance.choice((1, 2, 2, 3))))),
            lambda: _deal(table, chance),
            lambda: DealAgain(chance.randrange(1, 5), _deck(table, chance)),
            lambda: StartGame(seat, chance.choice(SEATS), chance.choice(LEVELS)),
            lambda: _coming_or_going(table, chance),
        )
    )()
