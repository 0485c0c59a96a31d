"""Making tables and finding them by their five-letter code."""

import itertools
import re
from hashlib import sha256

import structlog

from server.store.log import NewerVersionError, StoreError, StoreUnavailable
from server.tables.registry import TableRegistry
from server.tables.table import LiveTable
from spades_core.commands import CommandRefused, OpenTable
from spades_core.ruleset import RuleSetError, parse_rules

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters of a table code, without I and O: codes are read aloud and typed from distant screens."""
CODE_LENGTH = 5

log = structlog.get_logger()

_CODE = re.compile(f"[{LETTERS}]{{{CODE_LENGTH}}}")


class Lobby:
    def __init__(self, tables: TableRegistry) -> None:
        self._tables = tables

    async def make(self, player: str, name: str, rules: str, request: str) -> LiveTable:
        """Make a table with `player` as host; a repeated request returns the same table.

        Raises CommandRefused if the rules are invalid or the store cannot be used.
        """
        try:
            chosen = parse_rules(rules)
        except RuleSetError as bad:
            sentence = f"These rules cannot be played: {bad.problem}."
            raise CommandRefused("bad_rules", sentence, bad.switch) from None
        for attempt in itertools.count():
            opening = OpenTable(_code(player, request, attempt), chosen, player, name)
            try:
                table = await self._tables.create(opening, request)
            except StoreError as problem:
                raise _refusal(problem) from problem
            if table is not None:
                return table
        raise AssertionError("unreachable")

    async def find(self, code: str) -> LiveTable:
        """Return the table of a code. Raises CommandRefused if there is none or the store cannot be used."""
        normalized = code.strip().upper()
        try:
            table = await self._tables.find(normalized) if _CODE.fullmatch(normalized) else None
        except StoreError as problem:
            raise _refusal(problem) from problem
        if table is None:
            raise CommandRefused("no_table", f"There is no table {code[:12]!r}. A code has five letters, as in KQXZP.")
        return table


def _code(player: str, request: str, attempt: int) -> str:
    """Return the code of the table that a request makes.

    It is a hash, so that a request repeated after a lost answer finds the table
    it has made. Nobody else can guess it: only the server knows the id of the
    player.
    """
    number = int.from_bytes(sha256(f"table {player} {request} {attempt}".encode()).digest())
    code = ""
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(LETTERS))
        code += LETTERS[letter]
    return code


def _refusal(problem: StoreError) -> CommandRefused:
    """Log a problem of the store for the operator, and return a refusal without details for the player."""
    log.error("store failed", problem=str(problem))
    if isinstance(problem, StoreUnavailable):
        return CommandRefused("saving_paused", "The tables cannot be reached for a moment. Please try again.")
    if isinstance(problem, NewerVersionError):
        return CommandRefused(
            "newer", "This table is played on a newer version of the server. Please try again in a moment."
        )
    return CommandRefused("no_table", "This table cannot be read any more; the log of the server gives the reason.")
