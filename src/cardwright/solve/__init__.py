"""Games solved: trees of small games, equilibria, best responses and exploitability."""
