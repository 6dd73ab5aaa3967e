"""Season sites: static pages with standings, duels, every bot's habits and all games."""
