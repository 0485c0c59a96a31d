"""Tuned parameters of `hard` and `expert`; docs/bots.md reports how they were found in self-play."""

# Bidding

BOLDNESS = 0.12
"""Tricks added to the expected tricks before they are rounded down to a bid."""
BAG_BOLDNESS = 0.02
"""Tricks added to the boldness for each point that a bag costs above the usual nine."""
AVERAGE_BID = 2.8
"""Average bid of a seat, in tricks."""
OTHERS_BIDS_WEIGHT = 0.1
"""Tricks taken off the expected tricks for each trick that the others have bid above the average."""
HIGH_TOTAL = 13
"""Total of the four bids, in tricks, from which the last bidder bids one less."""
LOW_TOTAL = 10
"""Total of the four bids, in tricks, up to which the last bidder rounds its half tricks up."""
NIL_PREMIUM = 7.0
"""Points that a nil has to promise on a hand without expected tricks."""
NIL_PREMIUM_PER_TRICK = 10.0
"""Points that a nil has to promise in addition for each expected trick."""
NIL_PREMIUM_SHIFT = 12.0
"""Points by which the premium falls when the side is far behind, and rises when it is far ahead."""
FAR_BEHIND = 150
"""Difference of the scores, in points, from which a side is far behind or far ahead."""
ASSUMED_PARTNER_BID = 3.2
"""Bid assumed of a partner who has not bid yet, in tricks."""
SUICIDE_NIL_PROBABILITY = 0.3
"""Probability of making nil from which the first of two partners bids it in the suicide variant."""
FORCED_NIL_PROBABILITY = 0.3
"""Probability of making nil from which it is bid when every contract loses the game."""

# Policy

SET_AGGRESSION = -1
"""Tricks in the rule for a side that has made its contract.

It tries to set the other side if one trick is enough, or if twice the tricks that it takes are
at most the tricks left plus this number.
"""
OPPONENT_SET_AGGRESSION = 26
"""The same for the opponents in the expert's rollouts: they always try, since an unexpected set costs more."""

# The last tricks and the end of the game

ENDGAME_TRICKS = 3
"""Tricks left from which `hard` evaluates its cards by rollouts in sampled worlds."""
ENDGAME_WORLDS = 10
"""Worlds that `hard` samples for an endgame, at most."""
GAME_END_RANGE = 160
"""Distance from an end of the game, in points, within which utility is the probability of winning it."""

# Search

ROLLOUT_NOISE = 32
"""Cards of a rollout that are drawn at random instead of chosen by the policy, in 256."""
BID_ROLLOUT_NOISE = 12
"""The same in rollouts that evaluate a bid, in 256."""
DOUBLE_DUMMY_TRICKS = 4
"""Tricks left from which the double-dummy value is half of a card's value; only half, since nobody sees all hands."""
BID_CHANGE_ERRORS = 1.5
"""Standard errors by which a bid must be better than the policy's to replace it."""
NIL_HANDICAP = 5.0
"""Points subtracted from the value of a nil, since the maximum of noisy values favours a large variance."""
INITIAL_WORLDS = 64
"""Worlds sampled to choose the starting points of the Metropolis chains from."""
CHAINS = 8
"""Metropolis chains, each started from one of the initial worlds in proportion to its likelihood."""
SWAPS = 24
"""Swaps of two unseen cards that a chain proposes between two worlds."""
BID_STD_DEV = 1.2
"""Standard deviation of a hand's expected tricks from its bid, in tricks."""
BID_BIAS = 0.45
"""Mean of a hand's expected tricks minus its bid, in tricks."""
DEVIATION_PROBABILITY = 0.2
"""Likelihood of a card that deviates from the policy."""
ELIMINATION_ERRORS = 2.0
"""Standard errors behind the leader at which a candidate card or bid is eliminated."""
CANDIDATE_NIL_PROBABILITY = 0.4
"""Probability of making nil from which the expert evaluates it by rollouts."""
SAFE_NIL_PROBABILITY = 0.72
"""Mean of that probability and the share made in rollouts from which nil is bid, unless the game is at stake."""

# Blind nil

BLIND_NIL_MADE, BLIND_NIL_MADE_AFTER_PASSING = 0.24, 0.75
"""Probabilities that a blind nil is made, as dealt and after passing two cards."""
NIL_BID_RATE, NIL_MADE_RATE = 0.11, 0.8
"""Rates at which a seat that has looked bids nil, and makes it."""
CONTRACT_MADE_RATE = 0.92
"""Rate at which a side makes its contract."""
