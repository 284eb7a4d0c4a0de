"""Versions of what a model was trained with."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

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
