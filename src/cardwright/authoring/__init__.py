"""What authors of games work with: positions that test a game's rules, and starts of new games."""
