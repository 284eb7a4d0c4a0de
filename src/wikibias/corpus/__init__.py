"""Edits to a balanced, split corpus."""
