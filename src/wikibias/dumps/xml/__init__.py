"""Export XML to revisions."""
