"""Making tables and finding them by their five-letter code."""

import itertools
import re
from hashlib import sha256

import structlog

from server.store.log import NewerVersionError, StoreError, StoreUnavailable
from server.tables.registry import Tables
from server.tables.table import LiveTable
from spades_core.commands import CommandRefused, OpenTable
from spades_core.ruleset import RuleSetError, parse_rules

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""No I and no O: a code is read aloud and typed from a screen across the room."""
CODE_LENGTH = 5

log = structlog.get_logger()

_CODE = re.compile(f"[{LETTERS}]{{{CODE_LENGTH}}}")


class Lobby:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def make(self, player: str, name: str, rules: str, request: str) -> LiveTable:
        """A new table whose host is `player`; the same one when the request is made again.

        Raises CommandRefused, naming what is wrong.
        """
        try:
            chosen = parse_rules(rules)
        except RuleSetError as bad:
            sentence = f"These rules cannot be played: {bad.problem}."
            raise CommandRefused("bad_rules", sentence, bad.switch) from None
        for attempt in itertools.count():
            opening = OpenTable(_code(player, request, attempt), chosen, player, name)
            try:
                table = await self._tables.open(opening, request)
            except StoreError as problem:
                raise _paused(problem) from problem
            if table is not None:
                return table
        raise AssertionError("counting never ends")

    async def find(self, code: str) -> LiveTable:
        """Raises CommandRefused when there is no such table."""
        tidy = code.strip().upper()
        try:
            table = await self._tables.find(tidy) if _CODE.fullmatch(tidy) else None
        except StoreError as problem:
            raise _paused(problem) from problem
        if table is None:
            raise CommandRefused("no_table", f"There is no table {code[:12]!r}. A code has five letters, as in KQXZP.")
        return table


def _code(player: str, request: str, attempt: int) -> str:
    """The code of the table that a request makes.

    A hash, so that a request whose answer was lost finds the table it has made
    already. Nobody else can guess it: a player's identity is known to the
    server only.
    """
    number = int.from_bytes(sha256(f"table {player} {request} {attempt}".encode()).digest())
    code = ""
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(LETTERS))
        code += LETTERS[letter]
    return code


def _paused(problem: StoreError) -> CommandRefused:
    """The operator reads what is wrong with the store, the player only that it is not the player's fault."""
    log.error("store failed", problem=str(problem))
    if isinstance(problem, StoreUnavailable):
        return CommandRefused("saving_paused", "The tables cannot be reached for a moment. Please try again.")
    if isinstance(problem, NewerVersionError):
        return CommandRefused(
            "newer", "This table is played on a newer version of the server. Please try again in a moment."
        )
    return CommandRefused(
        "no_table", "This table cannot be read any more; who runs the server finds the reason in its log."
    )
