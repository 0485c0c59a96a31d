"""The arena: bots measured against each other, and held to what a bot never does.

It plays hands and games in this process or in several, without a server: a bot
gets the view of its seat and a stream of chance of its own, and nothing else.
"""
