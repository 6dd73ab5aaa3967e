"""The report on some games: their records in words, tables and pictures."""
