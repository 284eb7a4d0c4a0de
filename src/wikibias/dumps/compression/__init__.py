"""Compressed files to blocks of bytes."""
