"""Reads dumps: from bytes to revisions."""
