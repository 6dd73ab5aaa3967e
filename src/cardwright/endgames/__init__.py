"""Endgames solved exactly, with all hands open: trick games by their own search, others by all."""
