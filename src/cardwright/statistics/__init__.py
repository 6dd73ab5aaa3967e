"""Intervals, tests and resampling: what samples can tell; and the table of measures."""
