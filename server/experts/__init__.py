"""Decisions of expert bots, made in worker processes."""
