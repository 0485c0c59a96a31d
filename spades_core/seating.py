"""decide, for seats, bots and the start of a game (RULES.md: R1 to R9, R70 to R79, R125)."""

from spades_core.commands import CommandRefused, SeatBot, StartGame, TakeSeat
from spades_core.events import (
    BotLevelChanged,
    BotSeated,
    BotTookOver,
    GameStarted,
    LoggedEvent,
    SeatChanged,
    SeatLeft,
    SeatTaken,
)
from spades_core.seats import SEATS, Level, Seat, clean_name, next_seat
from spades_core.state import Table

BOT_NAMES = ("Otto", "Wilma", "Hugo", "Ada")


def start_game(table: Table, command: StartGame) -> tuple[LoggedEvent, ...]:
    _require_between_games(table, "start a game")
    _require_host(table, command.by, "start the game")
    names = _free_bot_names(table)
    bots = [BotSeated(seat, names.pop(0), command.level) for seat in SEATS if table.seats[seat] is None]
    dealer = command.dealer if table.rules.first_dealer == "drawn" else next_seat(command.by, 3)
    return *bots, GameStarted(dealer)


def take_seat(table: Table, command: TakeSeat) -> tuple[LoggedEvent, ...]:
    name = valid_name(command.name)
    seat, sitting = command.seat, table.seat_of(command.player)
    if sitting == seat:
        return ()
    occupant = table.seats[seat]
    if occupant is not None and occupant.player is not None:
        raise CommandRefused("seat_taken", f"{occupant.name} sits there.")
    if sitting is not None:
        _require_between_games(table, "change seats")
        return *((SeatLeft(seat),) if occupant else ()), SeatChanged(sitting, seat)
    return (SeatTaken(seat, name, command.player),)


def leave_seat(table: Table, seat: Seat) -> tuple[LoggedEvent, ...]:
    occupant = table.seats[seat]
    if occupant is None or occupant.player is None:
        return ()
    if table.between_games:
        return (SeatLeft(seat),)
    return take_over(table, seat)


def take_over(table: Table, seat: Seat) -> tuple[LoggedEvent, ...]:
    occupant = table.seats[seat]
    if occupant is None or occupant.player is None or occupant.away:
        return ()
    return (BotTookOver(seat),)


def seat_bot(table: Table, command: SeatBot) -> tuple[LoggedEvent, ...]:
    occupant = table.seats[command.seat]
    if occupant is not None and occupant.level is not None:
        return _change_level(table, command, occupant.level)
    _require_between_games(table, "add a bot")
    _require_host(table, command.by, "add bots")
    if occupant is not None:
        raise CommandRefused("seat_taken", f"{occupant.name} sits there.")
    return (BotSeated(command.seat, _free_bot_names(table)[0], command.level),)


def _change_level(table: Table, command: SeatBot, level: Level) -> tuple[LoggedEvent, ...]:
    """Change a bot's level between hands: a hand is played at the level at which it was bid."""
    if table.turn is not None:
        raise CommandRefused("wrong_phase", "You cannot change a bot's level during a hand, only between hands.")
    _require_host(table, command.by, "change a bot's level")
    return () if level == command.level else (BotLevelChanged(command.seat, command.level),)


def remove_bot(table: Table, by: Seat, seat: Seat) -> tuple[LoggedEvent, ...]:
    _require_between_games(table, "remove a bot")
    _require_host(table, by, "remove bots")
    occupant = table.seats[seat]
    if occupant is None or occupant.player is not None:
        raise CommandRefused("no_bot", "No bot sits there.")
    return (SeatLeft(seat),)


def _free_bot_names(table: Table) -> list[str]:
    used = {occupant.name for occupant in table.seats if occupant is not None}
    return [name for name in BOT_NAMES if name not in used] or list(BOT_NAMES)


def _require_between_games(table: Table, action: str) -> None:
    if not table.between_games:
        raise CommandRefused("wrong_phase", f"You cannot {action} in the middle of a game.")


def _require_host(table: Table, by: Seat, action: str) -> None:
    if table.host != by:
        host = table.seats[table.host] if table.host is not None else None
        raise CommandRefused("not_host", f"Only the host, {host.name if host else 'nobody yet'}, can {action}.")


def valid_name(text: str) -> str:
    try:
        return clean_name(text)
    except ValueError as problem:
        raise CommandRefused("bad_name", f"That name does not work: {problem}.") from None
