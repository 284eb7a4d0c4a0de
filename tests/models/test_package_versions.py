"""Versions of packages."""

from __future__ import annotations

from wikibias.models.model_folder import section, versions


def test_packages_that_are_not_installed_are_skipped() -> None:
    found = versions(["numpy", "no-package-has-this-name"])
    assert list(found) == ["python", "wikibias", "numpy"]
    assert all(number[0].isdigit() for number in found.values())


def test_a_card_names_the_versions_and_escapes_them() -> None:
    assert section({"python": "3.13", "a*b": "1"}) == ["## Versions", "", r"python 3.13, a\*b 1."]
