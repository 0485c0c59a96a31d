"""A store of one's own: a server process in a data folder."""
