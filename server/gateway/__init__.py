"""Sockets and the people behind them."""
