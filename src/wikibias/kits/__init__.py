"""Kits: one mechanism each for what every command needs, and the limits that they share.

Nothing heavy is imported here, so that `--help` is quick.
"""

RESAMPLES = 1000
"""Bootstrap resamples for a confidence interval."""
MOST_SEED = 2**32 - 1
"""The largest seed that numpy and scikit-learn take."""
