"""The numbers that decide how the bots play, in one place; found by self-play, as `docs/bots.md` tells."""

BOLDNESS = 0.1
"""Added to expected tricks before they are rounded down to a bid."""
OTHERS_BIDS = 0.1
"""How much of what others bid above or below the usual is taken off the own expectation, or added to it."""
USUAL_BID = 2.8
BAG_BOLDNESS = 0.02
"""Added to the boldness for each point that a bag costs more than the usual nine."""
NIL_PREMIUM = 10.0
"""Points by which a nil has to promise more than a bid, and further points for each trick the hand expects."""
NIL_PER_TRICK = 10.0
NIL_WHEN_BEHIND = 12.0
"""Points by which the premium falls when far behind, and rises when far ahead."""
FAR = 150
UNKNOWN_PARTNER = 3.2
"""What a partner who has not bid yet is taken to bid."""
SUICIDE_CHANCE = 0.3
"""In suicide the first of two partners bids nil from this chance on."""
FORCED_NIL_CHANCE = 0.3
"""When every contract loses the game, a nil is tried from this chance on."""
EAGER = 3
"""A side that has made its contract still takes tricks if so many set the other."""
