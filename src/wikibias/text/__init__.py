"""Wikitext to the sentences a reader sees, and how they compare."""
