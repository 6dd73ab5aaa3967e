"""Measures of a game, from random games and from games of searching players, with intervals."""
