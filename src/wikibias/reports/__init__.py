"""Writes the pages and figures that people read."""
