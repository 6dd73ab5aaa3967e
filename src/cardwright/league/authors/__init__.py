"""What authors of bots are given: a module of cards, worked bots, and the files of a new season."""
