"""Pictures of games, to print and for pages: each function returns a matplotlib figure."""
