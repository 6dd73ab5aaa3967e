"""What authors of games work with: checks of the file beside a game, positions, and new games."""
