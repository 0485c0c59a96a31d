"""How safe a lead is: written by `make tune` from 2000 games of self-play, not by hand."""

POINTS_A_HAND = 120
"""How fast the leader of a game comes nearer to its target."""
SWING = 65
"""By how many points a lead over one more hand is e times as likely to hold as not; with the root of the hands."""
