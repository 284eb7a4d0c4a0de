"""Bytes of a dump to revisions."""
