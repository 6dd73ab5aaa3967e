"""Kernels that do not depend on a game: random streams, and the seeds of a job's games."""
