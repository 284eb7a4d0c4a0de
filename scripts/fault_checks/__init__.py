"""The checks of `scripts/faults.py`: one module for each topic, and what they share."""
