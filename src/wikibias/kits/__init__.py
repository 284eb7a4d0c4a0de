"""Mechanisms that the rest builds on, each of them once: files, tables, documents, commands."""
