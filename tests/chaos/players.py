"""Tables of recording players, who play random legal moves, game after game."""

import asyncio
from collections.abc import Callable, Sequence

from tests.history import summarize
from tests.players import RecordingPlayer

RULES = (
    "classic",
    "casual,target=150,hand_limit=4",
    "classic,target=200,blind_nil=swap,deck=jokers",
    "classic,min_bid=side_four,first_lead=lowest_clubs",
)


class PlayedTable:
    """One table and its players, the host first; bots take the other seats."""

    def __init__(self, players: Sequence[RecordingPlayer], rules: str) -> None:
        self.players = players
        self.code = ""
        self._rules = rules

    async def play(self, keep_playing: Callable[[], bool]) -> None:
        """Sit down, start, and play until cancelled, with a new game after each while `keep_playing()`."""
        host, *guests = self.players
        await host.retry(lambda: host.make_table(self._rules))
        self.code = host.code
        for seat, guest in enumerate(guests, start=1):
            await guest.retry(lambda guest=guest: guest.join(self.code))
            await guest.retry(lambda guest=guest, seat=seat: guest.sit(seat))
        for seat in range(len(self.players), 4):
            await host.retry(lambda seat=seat: host.add_bot(seat))
        await host.retry(host.start)
        async with asyncio.TaskGroup() as group:
            for player in self.players:
                group.create_task(player.play_games(keep_playing))

    async def game_over(self) -> None:
        """Wait until every player sees that the game is over."""
        for player in self.players:
            await player.wait_for(lambda view: view.phase == "over")

    def state(self) -> str:
        """Describe what each player sees."""
        last = {player.name: player.last_update for player in self.players}
        return "; ".join(
            f"{name} at {update.n}: {summarize(update.view)}" if update else f"{name} at no table"
            for name, update in last.items()
        )

    def __str__(self) -> str:
        return f"table {self.code or '(not yet made)'} of {', '.join(player.name for player in self.players)}"
