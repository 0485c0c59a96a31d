"""What is remembered: one append-only log per table, and the Redis server that keeps it."""
