"""Kernels for Hearts: playouts of searches, and whole games."""

SPADES_ENOUGH = 4
"""With this many spades the high ones are kept: others have to play theirs first."""
