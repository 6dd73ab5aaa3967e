"""Studies: games are played, measured and drawn, and what is found is asked or written down."""
