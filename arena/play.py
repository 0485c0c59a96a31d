"""One hand played by four bots, by the rules of a table and with little overhead.

`decide` checks bids, passes and the last card, which scores the hand. The other cards
are legal because the view lists them, so `evolve` applies them directly.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import perf_counter_ns
from typing import Any

from arena.fast_view import fast_view
from arena.players import Player
from arena.stats import DecisionKind, Fault, FaultKind, Stats
from spades_core.bots.decisions import Decision
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

Observer = Callable[[Table, SeatView, Decision], None]
"""Called with each decision, and the table and the view before it."""
MAX_FAULT_TEXT = 200


@dataclass(frozen=True, slots=True)
class Lineup:
    """The players of deal or game `number`, with a random stream for each seat and one that replaces their faults."""

    number: int
    swapped: bool
    players: BySeat[Player]
    rngs: BySeat[Random]
    fallback_rng: Random


def play_hand(table: Table, lineup: Lineup, stats: Stats, observer: Observer | None = None) -> Table:
    """Play the hand that was dealt to its end and return the table after it."""
    while (seat := table.turn) is not None:
        view = fast_view(seat, table)
        decision = choose(view, seat, lineup, stats)
        if observer is not None:
            observer(table, view, decision)
        table = apply_decision(table, seat, decision)
    return table


def apply_decision(table: Table, seat: Seat, decision: Decision) -> Table:
    """Return the table after a legal decision of the seat."""
    match decision:
        case bool():
            return _execute(table, PlaceBid(seat, 0, blind=True) if decision else LookAtHand(seat))
        case int():
            return _execute(table, PlaceBid(seat, decision))
        case tuple():
            return _execute(table, PassCards(seat, decision))
        case _:
            return _apply_card(table, seat, decision)


def _apply_card(table: Table, seat: Seat, card: Card) -> Table:
    hand = current_hand(table)
    if len(hand.trick) < 3:
        return evolve(table, CardPlayed(seat, card))
    if len(hand.tricks) == 12:
        return _execute(table, PlayCard(seat, card))
    winner = winning_seat(DECKS[table.rules.deck], hand.leader, (*hand.trick, card))
    return evolve(evolve(table, CardPlayed(seat, card)), TrickTaken(winner))


def _execute(table: Table, command: Command) -> Table:
    return evolve_all(table, decide(table, command))


def choose(view: SeatView, seat: Seat, lineup: Lineup, stats: Stats) -> Decision:
    """Ask the bot; if it raises or its answer is not legal, record a fault and return a random legal decision."""
    if view.may_look and not view.may_bid_blind:
        return False
    kind: DecisionKind = "blind" if view.may_look else "bid" if view.legal_bids else "pass" if view.to_pass else "card"
    player, rng = lineup.players[seat], lineup.rngs[seat]
    error: BaseException | None = None
    answer: Any = None
    started = perf_counter_ns()
    try:
        answer = getattr(player.bot, f"choose_{kind}")(view, rng)
    except (Exception, SystemExit) as raised:
        error = raised
    stats.record_latency(player.name, kind, perf_counter_ns() - started)
    decision = None if error else legal(view, answer)
    if decision is None:
        text = _describe_error(error) if error else _describe_answer(answer)
        what: FaultKind = "exception" if error else "illegal"
        stats.record_fault(Fault(lineup.number, lineup.swapped, view.hand_number, player.name, kind, seat, what, text))
        return random_decision(view, lineup.fallback_rng)
    return decision


def legal(view: SeatView, answer: object) -> Decision | None:
    """Return a bot's answer as a decision, or None if it is not a legal one."""
    if view.may_look:
        return answer if isinstance(answer, bool) else None
    if view.legal_bids:
        return answer if type(answer) is int and answer in view.legal_bids else None
    if view.to_pass:
        cards = tuple(answer) if isinstance(answer, tuple | list) else ()
        distinct = len(cards) == view.to_pass and all(cards.count(card) == 1 for card in cards)
        return cards if distinct and all(card in view.hand for card in cards) else None
    return Card(answer) if isinstance(answer, str) and answer in view.legal_cards else None


def random_decision(view: SeatView, rng: Random) -> Decision:
    """Return a random legal decision; a hand lying face down is looked at."""
    if view.may_look:
        return False
    if view.legal_bids:
        return rng.choice(view.legal_bids)
    return tuple(rng.sample(view.hand, view.to_pass)) if view.to_pass else rng.choice(view.legal_cards)


def _describe_answer(answer: object) -> str:
    try:
        return repr(answer)[:MAX_FAULT_TEXT]
    except Exception:
        return f"an object of type {type(answer).__name__}"


def _describe_error(error: BaseException) -> str:
    """Return the exception with the line that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    try:
        message = str(error)
    except Exception:
        message = "(no message)"
    return f"{type(error).__name__}: {message} ({last.filename.rpartition('/')[2]}:{last.lineno})"[:MAX_FAULT_TEXT]
