"""Intervals, tests and resampling: what numbers of games are worth. It knows nothing of games."""
