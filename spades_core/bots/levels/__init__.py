"""The levels: one module each, with the four functions of `spades_core.bots.Bot`, or a class that has them."""
