"""The ways in: the command line, and whatever else people and programs use Cardwright through."""
