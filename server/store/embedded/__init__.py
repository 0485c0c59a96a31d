"""The embedded store: a server process of our own in a data folder."""
