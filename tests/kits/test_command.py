"""The options and checks that commands share, and what other packages add by name."""

import json
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import click
import pytest
from click.testing import CliRunner

from outside import install
from paths import ROOT
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, MADE_BY, BriefHelp, check_out, takes
from wikibias.kits.plugins import Registry, check_arguments, how_to_install


@dataclass(frozen=True)
class Options:
    """Options of a command that exists for these tests.

    Attributes:
        files: What to read.
        model: Which model.
        folds: Folds.
        names: Names.
        loud: Say more.
        column: A column.
        col: The same.
    """

    files: Annotated[tuple[Path, ...], FILE, Setting(ARGUMENT, metavar="FILE...")]
    model: Annotated[Literal["sgd", "lr"], Setting("--model")] = "sgd"
    folds: Annotated[int, Meta(ge=2, le=10), Setting("--folds")] = 5
    names: Annotated[tuple[str, ...], Setting("--name")] = ()
    loud: Annotated[bool, Setting("--loud")] = False
    column: Annotated[str | None, Setting("--column", metavar="NAME")] = None
    col: Annotated[str | None, Setting("--col", hidden=True)] = None


@click.command(cls=BriefHelp, common=["--model"], panels={})
@takes(Options)
def command(options: Options) -> None:
    """Show its options."""
    click.echo(repr(options))


def test_a_command_gets_one_instance_and_what_is_not_allowed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.touch()
    words = [str(file), "--model", "lr", "--name", "a", "--name", "b", "--loud"]
    ended = CliRunner().invoke(command, words)
    assert ended.output.strip() == repr(Options((file,), "lr", 5, ("a", "b"), True))
    for wrong in (["--model", "cnn"], ["--folds", "1"], ["--folds", "11"], ["nowhere.csv"]):
        assert CliRunner().invoke(command, [str(file), *wrong]).exit_code == 2


def test_brief_help_names_the_common_options_and_full_help_all() -> None:
    brief = CliRunner().invoke(command, ["--help"]).output
    assert "--model" in brief
    assert "--folds" not in brief
    assert "4 more: command --help-all" in brief
    full = CliRunner().invoke(command, ["--help-all"]).output
    assert "--model" in full
    assert "--column NAME" in full
    assert "The same." not in full
    assert "more:" not in full


def test_a_new_file_may_be_written_and_an_input_never(tmp_path: Path) -> None:
    check_out(tmp_path / "new.json", overwrite=False)
    check_out(None, overwrite=False)
    file = tmp_path / "a.csv"
    file.write_text("a")
    with pytest.raises(UsageError, match="is what is read"):
        check_out(file, [file], overwrite=True)


def test_the_file_of_another_is_replaced_only_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"a": 1}))
    with pytest.raises(UsageError, match="add --overwrite"):
        check_out(file, overwrite=False)
    check_out(file, overwrite=True)
    for empty_or_ours in ("", json.dumps({MADE_BY: "wikibias annotate vote"})):
        file.write_text(empty_or_ours)
        check_out(file, overwrite=False)


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
    with pytest.raises(WikibiasError, match="'lost' of outside: outside:nothing cannot be"):
        things["lost"]


def test_a_name_of_ours_is_not_taken_over(outside: None) -> None:
    things: Registry[int] = Registry("thing", "wikibias.test_things", {"seven": 1})
    said = r"^outside adds a thing 'seven' \(outside:thing\), which wikibias has already; rename"
    for ask in (things.names, lambda: things["seven"]):
        with pytest.raises(WikibiasError, match=said):
            ask()
    things = Registry("thing", "wikibias.test_things", {"one": 1}, taken={"seven"})
    assert things["one"] == 1
    with pytest.raises(WikibiasError, match=said):
        things.check("seven")


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
    assert how_to_install("newer") == 'pip install "wikibias[newer]"'


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
