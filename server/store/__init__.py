"""The store: one append-only log per table, the archive of finished games, and the client of the servers with both."""
