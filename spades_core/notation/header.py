"""The header of a game: its title, rules, players and first dealer."""

from dataclasses import dataclass

from spades_core.commands import CommandRefused, StartGame
from spades_core.decide import decide
from spades_core.events import BotSeated, BotTookOver, LoggedEvent, SeatTaken, TableOpened
from spades_core.evolve import evolve_all
from spades_core.notation import vocabulary
from spades_core.notation.lines import Lines
from spades_core.ruleset import RuleSet, RuleSetError, parse_rules
from spades_core.seats import SEATS, BySeat, Seat, clean_name, next_seat
from spades_core.state import Occupant, Table

TITLE_INDEX, RULES_INDEX, SEATS_INDEX, DEALER_INDEX = 0, 2, 3, 7


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a game. `events` seat its players and start it."""

    rules: RuleSet
    seats: BySeat[Occupant]
    events: tuple[LoggedEvent, ...]


def read_header(lines: Lines) -> Header:
    if lines[TITLE_INDEX] != vocabulary.TITLE:
        raise lines.error(TITLE_INDEX, f"a game begins with {vocabulary.TITLE!r}")
    rules = _read_rules(lines)
    north, east, south, west = (_read_occupant(lines, seat) for seat in SEATS)
    seats = (north, east, south, west)
    dealer = lines.seat(DEALER_INDEX, lines.after_label(DEALER_INDEX, "Dealer"))
    host = _host(lines, rules, seats, dealer)
    seating = (TableOpened("", rules), *_arrivals(seats, host))
    try:
        start = decide(evolve_all(Table(), seating), StartGame(host, dealer))
    except CommandRefused as refusal:
        raise lines.error(DEALER_INDEX, refusal.text) from None
    return Header(rules, seats, (*seating, *start))


def _read_rules(lines: Lines) -> RuleSet:
    try:
        return parse_rules(lines.after_label(RULES_INDEX, "Rules"))
    except RuleSetError as error:
        raise lines.error(RULES_INDEX, str(error)) from None


def _read_occupant(lines: Lines, seat: Seat) -> Occupant:
    kind, name = read_seat_line(lines, SEATS_INDEX + seat, seat)
    if kind in vocabulary.BOTS:
        return Occupant(name, None, level=vocabulary.BOTS[kind])
    return Occupant(name, vocabulary.SEAT_NAMES[seat].lower(), away=kind == vocabulary.AWAY)


def read_seat_line(lines: Lines, index: int, seat: Seat) -> tuple[str, str]:
    """Read the kind and the name of the player of `seat` from a line."""
    kind_and_name = vocabulary.split_kind_and_name(lines.after_label(index, vocabulary.SEAT_NAMES[seat]))
    if kind_and_name is None:
        raise lines.error(index, f"a seat is played by one of {', '.join(vocabulary.KINDS)}")
    kind, name = kind_and_name
    try:
        return kind, clean_name(name)
    except ValueError as problem:
        raise lines.error(index, str(problem)) from None


def _host(lines: Lines, rules: RuleSet, seats: BySeat[Occupant], dealer: Seat) -> Seat:
    """Return the host: the seat after the dealer if the rules say so, else the first person who is present."""
    people = [seat for seat in SEATS if seats[seat].player is not None]
    present = [seat for seat in people if not seats[seat].away] or people
    if not present:
        raise lines.error(SEATS_INDEX, "a game needs somebody who is no bot")
    if rules.first_dealer == "drawn":
        return present[0]
    host = next_seat(dealer)
    if host not in present:
        name = vocabulary.SEAT_NAMES[host]
        raise lines.error(DEALER_INDEX, f"by these rules {name} would be host, and nobody sits there")
    return host


def _arrivals(seats: BySeat[Occupant], host: Seat) -> tuple[LoggedEvent, ...]:
    """Return the events that seat everybody: the host arrives first, and of those who are away leaves last."""
    order = [next_seat(host, steps) for steps in range(4)]
    seated = [_arrival(seat, seats[seat]) for seat in order]
    return *seated, *(BotTookOver(seat) for seat in reversed(order) if seats[seat].away)


def _arrival(seat: Seat, occupant: Occupant) -> LoggedEvent:
    if occupant.level is not None:
        return BotSeated(seat, occupant.name, occupant.level)
    assert occupant.player is not None
    return SeatTaken(seat, occupant.name, occupant.player)
