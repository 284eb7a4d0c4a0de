"""Test cases from tests/cases/<name>.toml: each [[case]] is one parameter of a test."""

import tomllib
from typing import Any

import pytest

from paths import CASES


def cases(name: str) -> list[Any]:
    """Return the cases of a file as pytest parameters, with their reason as the id."""
    table = tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))
    found = table["case"]
    return [
        pytest.param(case, id=f"{number}-{case.get('why', case.get('verdict', case.get('lang')))}")
        for number, case in enumerate(found)
    ]
