"""Paths in a checkout, and the cases of its tests: each [[case]] of a file is one parameter."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
SAMPLES = ROOT / "samples"
SCRIPTS = ROOT / "scripts"


def cases(name: str) -> list[Any]:
    """Return the cases of a file as pytest parameters, with their reason as the id."""
    table = tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))
    found = table["case"]
    return [
        pytest.param(case, id=f"{number}-{case.get('why', case.get('verdict', case.get('lang')))}")
        for number, case in enumerate(found)
    ]
