"""The numbers by which `hard` and `expert` were tuned, in self-play, as `docs/bots.md` tells."""

BOLDNESS = 0.12
"""Added to expected tricks before they are rounded down to a bid."""
OTHERS_BIDS = 0.1
"""How much of what others bid above or below the usual is taken off the own expectation, or added to it."""
HIGH_TABLE, LOW_TABLE = 13, 10
"""With so many tricks bid, or more, the last bidder bids one less; with so few, or fewer, rather one more."""
USUAL_BID = 2.8
BAG_BOLDNESS = 0.02
"""Added to the boldness for each point that a bag costs more than the usual nine."""
NIL_PREMIUM = 7.0
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
EAGER = -1
"""A side that has made its contract still sets the other if one trick is enough, or if twice the tricks it takes are
no more than the tricks left and this number;"""
EAGER_OPPONENTS = 26
"""and so do the opponents in a rollout of the expert: whenever they can, since to be surprised by that costs more."""

LAST_TRICKS = 3
LAST_WORLDS = 10
"""With so many tricks left the hard bot plays its cards out, in so many worlds at most."""
REACH = 160
"""So near, in points, to an end of the game the expert plays for the game instead of for points."""

NOISE, BID_NOISE = 32, 12
"""Of 256: how often a rollout draws a card instead of choosing it; and how often before a bid."""
SEARCHED_TRICKS = 4
"""With so many tricks left, or fewer, half of a card's value is what the best play of all four seats brings, were
all hands open; not all of it, as nobody sees all hands."""
DOUBT = 1.5
"""By how many standard errors another bid must be better than the usual one."""
NIL_HANDICAP = 5.0
"""Points off for a nil, since what varies most looks best too often."""
DEALT = 64
"""How many worlds are dealt to begin with,"""
CHAINS = 8
"""how many of them, the likelier the sooner, are gone on with,"""
SWAPS = 24
"""and how often two unseen cards are drawn to be swapped, each time its turn comes."""
BID_SPREAD = 1.2
"""How far a hand's expected tricks lie from its bid, as a standard deviation,"""
BID_SHIFT = 0.45
"""and on average above it."""
SURPRISE = 0.2
"""What a play that the policy would not have made does to the likelihood of a world."""
DISTRUST = 2.0
"""By how many standard errors a card must be behind before it is played out no more."""
NIL_WORTH_A_THOUGHT = 0.4
"""From which chance on the expert plays a nil out before it decides,"""
SAFE_NIL = 0.72
"""and from which it bids one unless the game is at stake: the mean of the table's chance and of the share kept."""
BLIND_KEPT, BLIND_KEPT_SWAPPED = 0.24, 0.75
"""How often a blind nil is kept, as dealt and with two cards passed;"""
NILS_BID, NIL_KEPT = 0.11, 0.8
"""how often a seat that looks bids nil, and keeps it;"""
CONTRACT_MADE = 0.92
"""and how often a side makes its contract."""
