"""Grid search over parameter combinations."""
