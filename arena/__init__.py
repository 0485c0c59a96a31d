"""The arena: measures how strong bots are and how often they blunder, without a server.

It plays hands and games in one process or several. A bot gets the view of its seat
and its own random stream, and nothing else.

    sampling, players, fast_view, play    one hand: random deal, bots by name, views, decisions
    stats, match, ladder, report          duplicate matches and their figures
    blunders                              decisions a good partner never makes
    regression, tune                      `make tune`: weights of the bots, fitted to self-play
    parallel                              work divided among processes
"""
