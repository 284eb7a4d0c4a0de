"""Paths in a checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
SAMPLES = ROOT / "samples"
SCRIPTS = ROOT / "scripts"
