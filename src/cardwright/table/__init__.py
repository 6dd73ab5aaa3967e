"""Tables: one game between people and computer players, told to each seat as it sees it."""
