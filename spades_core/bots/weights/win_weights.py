"""Weights of a lead, fitted to 2000 games of self-play by `make tune`; do not edit."""

POINTS_PER_HAND = 120
"""Points by which the leader of a game comes nearer to the target in a hand."""
LEAD_SCALE = 65
"""Lead in points worth one logit of winning with a hand to come; it grows with the square root of the hands."""
