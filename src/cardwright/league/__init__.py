"""The Hearts League: rosters, schedules, seasons of games between bots, and their tables."""
