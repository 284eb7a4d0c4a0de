"""Decompresses the files of a dump."""
