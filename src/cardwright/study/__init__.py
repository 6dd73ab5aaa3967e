"""Studies: games are played, measured and drawn, and the findings queried or written."""
