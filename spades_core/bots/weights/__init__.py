"""Numbers only: `parameters` are set by hand, `trick_weights` and `win_weights` are written by `make tune`."""
