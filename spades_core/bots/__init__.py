"""Bots: who plays a seat when no person does.

A bot is a module or an object with three functions: `choose_bid(view, chance)`,
`choose_pass(view, chance)` and `choose_card(view, chance)`. It is given what a
player on its seat would know and a source of chance, and nothing else, so it
cannot cheat; the same view and the same stream of chance give the same choice.
It is asked only what `view` says is its turn to do, with its hand face up.
"""
