"""The report of a search: a page with what was found, and the rules in files."""
