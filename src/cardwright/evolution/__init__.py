"""Design search: games near a given one, by variation of its rules and measures of their play."""
