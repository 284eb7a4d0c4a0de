"""Dumps from servers."""
