"""Where tags are added and removed in the history of a page."""
