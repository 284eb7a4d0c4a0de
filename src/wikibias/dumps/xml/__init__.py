"""Reads the XML of a dump: pages and revisions."""
