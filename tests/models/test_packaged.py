"""Tests of models that a Python package holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.kits.plugins import PACKAGE, package_folders


class TestPackageFolders:
    @pytest.mark.parametrize("name", ["made-up-model", "made_up_model", f"{PACKAGE}made-up-model"])
    def test_finds_a_package_as_pip_or_python_calls_it(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "made_up_model").mkdir()
        (tmp_path / "made_up_model" / "__init__.py").touch()
        monkeypatch.syspath_prepend(tmp_path)
        assert package_folders(name) == [tmp_path / "made_up_model"]

    def test_a_module_has_no_folder(self) -> None:
        assert package_folders("bisect") == []

    @pytest.mark.parametrize("name", ["no-such-package", "", "..", "no.such.package"])
    def test_what_is_not_installed_is_told_from_it(self, name: str) -> None:
        assert package_folders(name) is None
