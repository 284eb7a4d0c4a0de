"""A corpus in the forms that other programs read."""
