"""Sites of seasons: static pages with standings, duels, every bot's habits and all games."""
