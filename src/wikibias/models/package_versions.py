"""Versions of what a model was trained with."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

from wikibias.kits import markdown

OF_CLASSIFIERS = (
    *("scikit-learn", "numpy", "scipy", "skops", "fasttext-community"),
    *("torch", "transformers", "safetensors"),
)
"""The packages that the estimators of classifiers are made with."""


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python, of wikibias, and of packages; skips those not installed."""
    found = {"python": platform.python_version()}
    for package in ("wikibias", *packages):
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def section(found: Mapping[str, str]) -> list[str]:
    """Return the lines of a card that name these versions."""
    named = ", ".join(f"{name} {number}" for name, number in found.items())
    return ["## Versions", "", f"{markdown.text(named)}."]
