"""Intervals, tests and resampling: what samples can tell. It knows nothing of games."""
