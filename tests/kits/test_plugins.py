"""What is found by name: ours first, then what other packages add."""

import sys
import tomllib
from pathlib import Path

import pytest

from outside import install
from paths import ROOT
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import Registry, check_arguments, how_to_install


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package that adds one thing that is there, and one that is not."""
    entry_points = "[wikibias.test_things]\nseven = outside:thing\nlost = outside:nothing\n"
    install(tmp_path, monkeypatch, "thing = 7\n", entry_points)


def test_our_own_in_their_order_then_others(outside: None) -> None:
    things: Registry[int] = Registry("thing", "wikibias.test_things", {"two": 2, "one": 1})
    assert things.names() == ("two", "one", "lost", "seven")
    assert (things["two"], things["seven"]) == (2, 7)
    assert "seven" in things
    assert "eight" not in things


def test_imported_only_when_asked_for() -> None:
    things: Registry[object] = Registry("thing", "wikibias.none", {"os": "no.such.module:x"})
    assert things.names() == ("os",)
    with pytest.raises(ModuleNotFoundError):
        things["os"]


def test_unknown_names_the_nearest() -> None:
    things: Registry[int] = Registry("thing", "wikibias.none", {"two": 2, "one": 1})
    with pytest.raises(UsageError, match="unknown thing 'tow'; did you mean 'two'"):
        things["tow"]


def test_a_package_that_is_broken_is_named(outside: None) -> None:
    things: Registry[int] = Registry("thing", "wikibias.test_things", {})
    with pytest.raises(WikibiasError, match="'lost' cannot be loaded from outside:nothing"):
        things["lost"]


def test_a_name_of_ours_is_not_taken_over(outside: None) -> None:
    things: Registry[int] = Registry("thing", "wikibias.test_things", {"seven": 1})
    with pytest.raises(WikibiasError, match="which wikibias has already"):
        things.names()


def test_settings_are_named_as_options() -> None:
    def make(*, seed: int, tagger: str, least: float = 0) -> tuple[object, ...]:
        return seed, tagger, least

    check_arguments("rewriter 'x'", make, {"seed", "tagger"})
    check_arguments("rewriter 'x'", lambda **_: None, {"anything"})
    with pytest.raises(UsageError, match="rewriter 'x' does not take --epochs"):
        check_arguments("rewriter 'x'", make, {"seed", "tagger", "epochs"})
    with pytest.raises(UsageError, match="rewriter 'x' needs --tagger"):
        check_arguments("rewriter 'x'", make, {"seed"})


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
    assert how_to_install("dask").startswith(command)
    assert "distributed" in how_to_install("dask")
