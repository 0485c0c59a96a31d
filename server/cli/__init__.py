"""The `spades` command."""
