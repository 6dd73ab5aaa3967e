"""Kernels for Hearts: playouts of searches, and whole games."""
