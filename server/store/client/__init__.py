"""The client of the store: its address, the owner of each key, and requests to every server of the store."""
