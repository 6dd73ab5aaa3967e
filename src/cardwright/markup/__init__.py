"""HTML for notebooks: elements, tables, cards and intervals, with every text escaped."""
