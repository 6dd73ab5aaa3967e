"""The face of the package: games, states, views, options and what they are made of."""
