"""Variation: small changes of a game's typed rules, each of which gives rules that pass a check."""
