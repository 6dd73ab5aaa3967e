"""Players that know the auction of a game: they bid by rules of thumb, and play cards by search."""
