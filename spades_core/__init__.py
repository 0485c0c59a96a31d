"""What the game is: the rules of Spades, pure.

Nothing here reads a clock, a socket or a file, and chance is passed in, so a
game is the same wherever it runs: in the server, in a test, in a browser.
Start with `decide` (what a command does) and `evolve` (what an event changes).
"""
