"""Where chance comes from: every deal and every seat has a stream of its own, named by a text.

A seed names a family of deals. What is drawn for deal 12 of family 7 comes from
the SHA-256 of "arena/7/deal/12/…", so two families share no deal, the order in
which deals are played is no matter, and neither is who plays them. Families
named by a whole number are for reporting; bots are tuned with others.
"""

from hashlib import sha256
from random import Random


def rng_for(family: str, *place: object) -> Random:
    """The stream of one place in a family."""
    text = "/".join(("arena", family, *map(str, place)))
    return Random(int.from_bytes(sha256(text.encode()).digest(), "big"))


def is_for_reporting(family: str) -> bool:
    return family.isascii() and family.isdecimal()
