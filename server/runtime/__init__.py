"""Processes: assemble a server, run it, and supervise its workers."""
