"""Processes: how a server is configured, assembled, started, watched and stopped."""
