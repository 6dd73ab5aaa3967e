"""Diagrams of games: how cards move, the stages of play, and the forms of the rules."""
