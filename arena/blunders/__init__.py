"""Blunders: decisions that no good partner makes, provoked in staged scenarios and counted.

The modules:

    inference             what a player can know, from its view alone
    catalog               each blunder with its rule, its bound and the check that detects it
    scenarios             hands in which bots can blunder, and what is counted in them
    scripted_bots         bots that bid badly or answer twice, to stage such hands
    hidden_cards      whether decisions depend on cards that the bot cannot see
    blunder_report        rates against their bounds, as text and for JSON
"""
