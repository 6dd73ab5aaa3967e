"""How far the games of a program can go: bounds of scores and of decisions, proved from its text.

The program is run on outlines of states: it is known how many cards lie where, but not which, and
of stored values only their bounds. Where a condition is not decided by that, both ways are gone.
"""
