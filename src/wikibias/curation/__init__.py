"""Counts templates, and extends tag sets with names from the counts."""
