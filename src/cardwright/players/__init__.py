"""Who decides at the table: the protocol of a player, and the players that come with Cardwright."""
