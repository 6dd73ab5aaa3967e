"""Kernels that know Hearts: how searches play deals out."""
