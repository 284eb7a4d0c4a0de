"""The checks of `scripts/faults.py`: one module for each topic, and what they share."""

import sys
from pathlib import Path

# What tests know of hostile input.
sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "kit"))
