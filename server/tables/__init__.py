"""Games in progress. A table is handed whom to send to; it knows nothing of sockets."""
