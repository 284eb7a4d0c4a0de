"""Packages of other people, installed for a test."""

import sys
from pathlib import Path

import pytest


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, entry_points: str) -> Path:
    """Install a package with the module `outside`, in a folder of its own that is returned.

    Args:
        folder: where to.
        monkeypatch: uninstalls it after the test.
        code: of the module.
        entry_points: in the form of the file `entry_points.txt`.
    """
    site = folder / "site"
    about = site / "outside-1.dist-info"
    about.mkdir(parents=True)
    (site / "outside.py").write_text(code)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1\n")
    (about / "entry_points.txt").write_text(entry_points)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(sys.modules, "outside", raising=False)
    return site
