"""The study of games from their records: pure functions of numbers, without an engine."""
