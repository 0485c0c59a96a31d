"""How Spades is played together: sockets, tables, and what is remembered of them."""
