"""Games played by players: the referee, contests, and their statistics."""
