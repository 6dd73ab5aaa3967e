"""The version of the package and that of its results, in one place."""

__version__ = "0.1.0"

RESULTS_VERSION = 2
"""The version of results: it grows when a seed and the same choices play another game than before.

Version 1 had no locations without an order. Records, saved games and seasons say of which version
they are; what has none is of version 1.
"""
