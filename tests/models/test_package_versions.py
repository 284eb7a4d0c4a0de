"""Versions of packages."""

from __future__ import annotations

from wikibias.models.package_versions import versions


def test_packages_that_are_not_installed_are_skipped() -> None:
    found = versions(["numpy", "no-package-has-this-name"])
    assert list(found) == ["python", "wikibias", "numpy"]
    assert all(number[0].isdigit() for number in found.values())
