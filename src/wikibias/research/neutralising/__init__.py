"""Rewrites sentences so that less of their bias is left, and judges rewrites."""
