"""Methods of search: what to vary next, given what was measured so far."""
