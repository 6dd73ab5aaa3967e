"""Files for authors of bots: a module of cards, example bots, and the files of a new season."""
