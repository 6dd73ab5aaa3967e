"""Where games are played by players: the referee, and what is counted of many games."""
