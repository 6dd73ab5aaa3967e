"""How many spades make the high ones safe, for players in Python and in machine code."""

SPADES_ENOUGH = 4
"""With this many spades the high ones are kept: others have to play theirs first."""
