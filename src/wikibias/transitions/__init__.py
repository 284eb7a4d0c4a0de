"""Where tags come and go in the history of a page."""
