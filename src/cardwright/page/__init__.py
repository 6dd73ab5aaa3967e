"""Cardwright in a web page that needs no server: what it is made of, and how it is published."""
