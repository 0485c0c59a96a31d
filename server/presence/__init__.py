"""Who is connected where: which servers are alive, which players look at a table, and which server leads it."""
