"""Renders HTML, figures and numbers from plain values."""
