"""What the levels are built from: positions, observations, policies, hand evaluation and search. It knows no level."""
