"""What to type for an extra: it names the libraries, and the program that installed wikibias."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from paths import ROOT
from wikibias.config.extras import how_to_install

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]


def test_the_libraries_are_those_of_the_extra() -> None:
    assert how_to_install("fast").startswith("pip install ")
    for requirement in EXTRAS["fast"]:
        assert requirement.partition(">")[0] in how_to_install("fast")
    assert "isal" not in how_to_install("dask")


def test_an_extra_that_the_installation_does_not_know() -> None:
    assert how_to_install("newer") == "pip install 'wikibias[newer]'"


@pytest.mark.parametrize(
    ("receipt", "command"),
    [("pipx_metadata.json", "pipx inject wikibias "), ("uv-receipt.toml", "uv pip install ")],
)
def test_programs_that_keep_an_environment_for_each_program(
    receipt: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / receipt).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert how_to_install("sentencex").startswith(command)
    assert "sentencex" in how_to_install("sentencex")
