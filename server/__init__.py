"""How Spades is played together: sockets, tables, and what is remembered of them."""

from importlib.metadata import version

__version__ = version("fourth-seat")
