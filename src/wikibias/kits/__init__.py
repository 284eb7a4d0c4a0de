"""Kits: one mechanism each for what all packages do; none knows what the data mean."""
