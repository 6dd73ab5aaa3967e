"""Pictures of games, for print and for pages: each function returns a matplotlib figure."""
