"""The core of the package's interface: games, states, views, options and their parts."""
