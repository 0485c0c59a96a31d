"""One hand played by four bots, as exactly as at a table and with less around it.

`decide` judges bids, passes and the last card, which brings the score. Other
cards are legal because they are among the view's legal ones, so they go to
`evolve` at once.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import perf_counter_ns
from typing import Any

from arena.players import Player
from arena.tally import Fault, Kind, Tally, What
from arena.viewing import fast_view
from spades_core.cards import Card
from spades_core.commands import Command, LookAtHand, PassCards, PlaceBid, PlayCard
from spades_core.decide import decide
from spades_core.deck import DECKS
from spades_core.events import CardPlayed, TrickTaken
from spades_core.evolve import current_hand, evolve, evolve_all
from spades_core.legal import winning_seat
from spades_core.seats import BySeat, Seat
from spades_core.state import Table
from spades_core.views import SeatView

Choice = int | Card | tuple[Card, ...]
Watch = Callable[[Table, SeatView, Choice], None]
"""Told every choice before it is carried out."""
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Seated:
    """Who plays where in hand `number` of a family, each with a stream of chance; `spare` draws for who does wrong."""

    number: int
    swapped: bool
    players: BySeat[Player]
    streams: BySeat[Random]
    spare: Random


def play_hand(table: Table, seated: Seated, tally: Tally, watch: Watch | None = None) -> Table:
    """The table after the hand that was dealt there."""
    while (seat := table.turn) is not None:
        view = fast_view(seat, table)
        if view.may_look:
            blind = bids_blind(view, seat, seated, tally)
            table = _done(table, PlaceBid(seat, 0, blind=True) if blind else LookAtHand(seat))
            continue
        choice = chosen(view, seat, seated, tally)
        if watch is not None:
            watch(table, view, choice)
        table = after(table, seat, choice)
    return table


def after(table: Table, seat: Seat, choice: Choice) -> Table:
    """The table once `seat` has done this legal thing."""
    match choice:
        case int():
            return _done(table, PlaceBid(seat, choice))
        case tuple():
            return _done(table, PassCards(seat, choice))
        case _:
            return _after_card(table, seat, choice)


def _after_card(table: Table, seat: Seat, card: Card) -> Table:
    hand = current_hand(table)
    if len(hand.trick) < 3:
        return evolve(table, CardPlayed(seat, card))
    if len(hand.tricks) == 12:
        return _done(table, PlayCard(seat, card))
    winner = winning_seat(DECKS[table.rules.deck], hand.leader, (*hand.trick, card))
    return evolve(evolve(table, CardPlayed(seat, card)), TrickTaken(winner))


def _done(table: Table, command: Command) -> Table:
    return evolve_all(table, decide(table, command))


def chosen(view: SeatView, seat: Seat, seated: Seated, tally: Tally) -> Choice:
    """What the bot does; when that is nothing legal, something drawn by chance, and the fault is kept."""
    kind: Kind = "bid" if view.legal_bids else "pass" if view.to_pass else "card"
    wanted, problem = _asked(kind, view, seat, seated, tally)
    choice = None if problem else legal(view, wanted)
    if choice is not None:
        return choice
    tally.went_wrong(_fault(kind, view, seat, seated, wanted=wanted, problem=problem))
    return anything(view, seated.spare)


def bids_blind(view: SeatView, seat: Seat, seated: Seated, tally: Tally) -> bool:
    """Whether a bot that may bid blind nil does; else it looks at its hand."""
    if not view.may_bid_blind:
        return False
    wanted, problem = _asked("blind", view, seat, seated, tally)
    if isinstance(wanted, bool):
        return wanted
    tally.went_wrong(_fault("blind", view, seat, seated, wanted=wanted, problem=problem))
    return False


def _asked(kind: Kind, view: SeatView, seat: Seat, seated: Seated, tally: Tally) -> tuple[Any, BaseException | None]:
    """What the bot says, or what it raised; and it is kept how long that took."""
    player, rng = seated.players[seat], seated.streams[seat]
    problem: BaseException | None = None
    wanted: Any = None
    begun = perf_counter_ns()
    try:
        wanted = getattr(player.bot, f"choose_{kind}")(view, rng)
    except (Exception, SystemExit) as raised:
        problem = raised
    tally.decided(player.name, kind, perf_counter_ns() - begun)
    return wanted, problem


def _fault(
    kind: Kind, view: SeatView, seat: Seat, seated: Seated, *, wanted: object, problem: BaseException | None
) -> Fault:
    what: What = "exception" if problem else "illegal"
    text = _told(problem) if problem else _shown(wanted)
    bot = seated.players[seat].name
    return Fault(seated.number, seated.swapped, view.hand_number, bot, kind, seat, what, text)


def legal(view: SeatView, wanted: object) -> Choice | None:
    """What was wanted, if it may be done."""
    if view.legal_bids:
        return wanted if type(wanted) is int and wanted in view.legal_bids else None
    if view.to_pass:
        cards = tuple(wanted) if isinstance(wanted, tuple | list) else ()
        different = len(cards) == view.to_pass and all(cards.count(card) == 1 for card in cards)
        return cards if different and all(card in view.hand for card in cards) else None
    return Card(wanted) if isinstance(wanted, str) and wanted in view.legal_cards else None


def anything(view: SeatView, rng: Random) -> Choice:
    if view.legal_bids:
        return rng.choice(view.legal_bids)
    return tuple(rng.sample(view.hand, view.to_pass)) if view.to_pass else rng.choice(view.legal_cards)


def _shown(wanted: object) -> str:
    try:
        return repr(wanted)[:LONGEST]
    except Exception:
        return f"something of {type(wanted).__name__}"


def _told(problem: BaseException) -> str:
    """The exception, and the line it came from."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    try:
        said = str(problem)
    except Exception:
        said = "it cannot say what"
    return f"{type(problem).__name__}: {said} ({last.filename.rpartition('/')[2]}:{last.lineno})"[:LONGEST]
