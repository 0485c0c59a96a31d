"""The first lines of a game: its rules, who sits where and who deals first."""

from dataclasses import dataclass

from spades_core.commands import CommandRefused, StartGame
from spades_core.decide import decide
from spades_core.events import BotSeated, BotTookOver, LoggedEvent, SeatTaken, TableOpened
from spades_core.evolve import evolve_all
from spades_core.notation import words
from spades_core.notation.parts import Lines
from spades_core.notation.versions import AWAY, VERSIONS, Version
from spades_core.ruleset import RuleSet, RuleSetError, parse_rules
from spades_core.seats import SEATS, BySeat, Seat, clean_name, next_seat
from spades_core.state import Occupant, Table

TITLE_AT, BLANK_AT, RULES_AT, SEATS_AT, DEALER_AT = 0, 1, 2, 3, 7


@dataclass(frozen=True, slots=True)
class Opening:
    """A table whose game has just begun; `events` are what brought the players to it and began the game."""

    version: Version
    rules: RuleSet
    seats: BySeat[Occupant]
    events: tuple[LoggedEvent, ...]


def read_opening(lines: Lines) -> Opening:
    version = VERSIONS.get(lines[TITLE_AT])
    if version is None:
        raise lines.refused(TITLE_AT, f"a game begins with {' or '.join(map(repr, VERSIONS))}")
    rules = _rules(lines)
    north, east, south, west = (_occupant(lines, version, seat) for seat in SEATS)
    seats = (north, east, south, west)
    dealer = lines.seat(DEALER_AT, lines.after("Dealer", DEALER_AT))
    host = _host(lines, rules, seats, dealer)
    seating = (TableOpened("", rules), *_arrivals(seats, host))
    try:
        start = decide(evolve_all(Table(), seating), StartGame(host, dealer))
    except CommandRefused as refusal:
        raise lines.refused(DEALER_AT, refusal.text) from None
    return Opening(version, rules, seats, (*seating, *start))


def _rules(lines: Lines) -> RuleSet:
    try:
        return parse_rules(lines.after("Rules", RULES_AT))
    except RuleSetError as problem:
        raise lines.refused(RULES_AT, str(problem)) from None


def _occupant(lines: Lines, version: Version, seat: Seat) -> Occupant:
    kind, name = kind_and_name(lines, version, SEATS_AT + seat, seat)
    if kind in version.bots:
        return Occupant(name, None, level=version.bots[kind])
    return Occupant(name, words.SEAT_NAMES[seat].lower(), away=kind == AWAY)


def kind_and_name(lines: Lines, version: Version, index: int, seat: Seat) -> tuple[str, str]:
    """What a line says of who plays `seat`."""
    said = version.kind_and_name(lines.after(words.SEAT_NAMES[seat], index))
    if said is None:
        raise lines.refused(index, f"who plays a seat is one of {', '.join(version.kinds)}")
    kind, name = said
    try:
        return kind, clean_name(name)
    except ValueError as problem:
        raise lines.refused(index, str(problem)) from None


def _host(lines: Lines, rules: RuleSet, seats: BySeat[Occupant], dealer: Seat) -> Seat:
    """Who started the game; where the rules let the host lead first, the dealer tells."""
    people = [seat for seat in SEATS if seats[seat].player is not None]
    present = [seat for seat in people if not seats[seat].away] or people
    if not present:
        raise lines.refused(SEATS_AT, "a game needs somebody who is no bot")
    if rules.first_dealer == "drawn":
        return present[0]
    host = next_seat(dealer)
    if host not in present:
        raise lines.refused(DEALER_AT, f"by these rules {words.SEAT_NAMES[host]} would be host, and nobody sits there")
    return host


def _arrivals(seats: BySeat[Occupant], host: Seat) -> tuple[LoggedEvent, ...]:
    """The host comes first and goes last."""
    order = [next_seat(host, steps) for steps in range(4)]
    seated = [_arrival(seat, seats[seat]) for seat in order]
    return *seated, *(BotTookOver(seat) for seat in reversed(order) if seats[seat].away)


def _arrival(seat: Seat, occupant: Occupant) -> LoggedEvent:
    if occupant.level is not None:
        return BotSeated(seat, occupant.name, occupant.level)
    assert occupant.player is not None
    return SeatTaken(seat, occupant.name, occupant.player)
