"""The study of games from what was noted of them: pure functions of numbers, never an engine."""
