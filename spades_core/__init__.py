"""The rules of Spades, without input or output.

Nothing here reads a clock, a socket or a file, and random numbers come from an
argument `rng`, so a game runs the same in a server, in a test and in a browser.
Start with `decide` (what a command does) and `evolve` (what an event changes).
"""
