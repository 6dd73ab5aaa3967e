"""A league of Hearts: rosters, schedules, seasons of games between bots, and their tables."""
