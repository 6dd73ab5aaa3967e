"""Players: the protocol, and the players that come with Cardwright."""
