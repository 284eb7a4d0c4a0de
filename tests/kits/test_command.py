"""Tests of the options and checks that commands share."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import click
import pytest
from click.testing import CliRunner

from wikibias.errors import UsageError
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, MADE_BY, BriefHelp, check_out, takes


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


@click.command(cls=BriefHelp, common=["--model"])
@takes(Options)
def command(options: Options) -> None:
    """Show its options."""
    click.echo(repr(options))


class TestOptions:
    def test_a_command_gets_one_instance(self, tmp_path: Path) -> None:
        file = tmp_path / "a.csv"
        file.touch()
        words = [str(file), "--model", "lr", "--name", "a", "--name", "b", "--loud"]
        ended = CliRunner().invoke(command, words)
        assert ended.output.strip() == repr(Options((file,), "lr", 5, ("a", "b"), True))

    @pytest.mark.parametrize(
        "words",
        [["--model", "cnn"], ["--folds", "1"], ["--folds", "11"], ["nowhere.csv"]],
    )
    def test_what_is_not_allowed_is_refused(self, words: list[str], tmp_path: Path) -> None:
        file = tmp_path / "a.csv"
        file.touch()
        assert CliRunner().invoke(command, [str(file), *words]).exit_code == 2

    def test_brief_help_names_the_common_options_and_the_number_of_others(self) -> None:
        text = CliRunner().invoke(command, ["--help"]).output
        assert "--model" in text
        assert "--folds" not in text
        assert "4 more: command --help-all" in text

    def test_full_help_names_all(self) -> None:
        text = CliRunner().invoke(command, ["--help-all"]).output
        assert "--model" in text
        assert "--column NAME" in text
        assert "The same." not in text
        assert "more:" not in text


class TestOut:
    def test_a_new_file_may_be_written(self, tmp_path: Path) -> None:
        check_out(tmp_path / "new.json", overwrite=False)
        check_out(None, overwrite=False)

    def test_an_input_never(self, tmp_path: Path) -> None:
        file = tmp_path / "a.csv"
        file.write_text("a")
        with pytest.raises(UsageError, match="is what is read"):
            check_out(file, [file], overwrite=True)

    def test_the_file_of_another_only_when_asked(self, tmp_path: Path) -> None:
        file = tmp_path / "a.json"
        file.write_text(json.dumps({"a": 1}))
        with pytest.raises(UsageError, match="add --overwrite"):
            check_out(file, overwrite=False)
        check_out(file, overwrite=True)

    @pytest.mark.parametrize("text", ["", json.dumps({MADE_BY: "wikibias annotate vote"})])
    def test_an_empty_file_or_one_of_ours_is_replaced(self, text: str, tmp_path: Path) -> None:
        file = tmp_path / "a.json"
        file.write_text(text)
        check_out(file, overwrite=False)
