"""The Python client of Fourth Seat: make or join a table, bid and play, and keep the seat across lost connections.

async with Client("ws://localhost:8080/ws", name="Mara") as mara:
    await mara.make_table()
    await mara.start()
    await mara.wait_for(lambda view: bool(view.legal_bids))
    await mara.bid(3)
"""

from spades_client.client import Client
from spades_client.connection import ClientClosed
from spades_core.commands import CommandRefused
from spades_core.seats import Level
from spades_core.views import SeatView

__all__ = ["Client", "ClientClosed", "CommandRefused", "Level", "SeatView"]
