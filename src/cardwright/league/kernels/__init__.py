"""Kernels of the league: they advance its games and record what was played."""
