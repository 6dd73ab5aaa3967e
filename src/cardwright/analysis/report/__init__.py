"""The report on some games: what is made of their records, in words, tables and pictures."""
