"""Hearts and the games like it: cards as text, what a player sees, players that know them."""
