"""Engines, worker pool and progress."""
