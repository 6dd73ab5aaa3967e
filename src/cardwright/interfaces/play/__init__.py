"""Play: a person at the table, in the terminal."""
