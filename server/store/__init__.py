"""What is remembered: one append-only log per table, the archive of finished games, and the servers that keep both."""
