"""Hearts and similar games: cards as text, what a player sees, and players that know them."""
