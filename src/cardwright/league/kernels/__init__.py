"""Kernels of the league: they run its games on, and write down what was played."""
