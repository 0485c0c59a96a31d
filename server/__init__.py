"""A server for Spades: connections, tables, and their log."""

from importlib.metadata import version

__version__ = version("fourth-seat")
