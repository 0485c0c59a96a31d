"""Making tables and finding them by their five-letter code."""

import re
from random import Random

import structlog

from server.store.log import StoreError
from server.tables.registry import Tables
from server.tables.table import LiveTable
from spades_core.commands import OpenTable
from spades_core.decide import Refused
from spades_core.ruleset import preset

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""No I and no O: a code is read aloud and typed from a screen across the room."""
CODE_LENGTH = 5

log = structlog.get_logger()

_CODE = re.compile(f"[{LETTERS}]{{{CODE_LENGTH}}}")


class Lobby:
    """`chance` draws the codes; whoever knows a code may come to the table, so it must not be guessable."""

    def __init__(self, tables: Tables, chance: Random) -> None:
        self._tables = tables
        self._chance = chance

    async def make(self, player: str, name: str, rules: str) -> LiveTable:
        """A new table whose host is `player`. Raises Refused, naming what is wrong."""
        try:
            chosen = preset(rules)
        except ValueError as problem:
            raise Refused("unknown_rules", f"{problem}.".capitalize()) from None
        while True:
            code = "".join(self._chance.choices(LETTERS, k=CODE_LENGTH))
            try:
                table = await self._tables.open(OpenTable(code, chosen, player, name))
            except StoreError as problem:
                raise _paused(problem) from problem
            if table is not None:
                return table

    async def find(self, code: str) -> LiveTable:
        """Raises Refused when there is no such table."""
        tidy = code.strip().upper()
        try:
            table = await self._tables.find(tidy) if _CODE.fullmatch(tidy) else None
        except StoreError as problem:
            raise _paused(problem) from problem
        if table is None:
            raise Refused("no_table", f"There is no table {code[:12]!r}. A code has five letters, as in KQXZP.")
        return table


def _paused(problem: StoreError) -> Refused:
    """The operator reads what is wrong with the store, the player only that it is not the player's fault."""
    log.error("store failed", problem=str(problem))
    return Refused("saving_paused", "The tables cannot be reached for a moment. Please try again.")
