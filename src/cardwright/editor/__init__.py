"""The language server: what editors show about game files, from what the checker knows."""
