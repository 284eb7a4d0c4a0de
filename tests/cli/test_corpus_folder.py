"""A command without a folder takes the one corpus under ./corpora, or the newest, and says so."""

import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from exports import dumped, history, wikibias
from wikibias.errors import UsageError
from wikibias.kits.command import corpus_argument, corpus_or_newest

pytestmark = pytest.mark.usefixtures("cwd")


def made(folder: Path, *, written: int = 1, built: bool = True) -> Path:
    """Make what the default looks for: a manifest of that age, and perhaps a corpus."""
    (folder / "corpus").mkdir(parents=True)
    (folder / "manifest.json").write_text("{}", encoding="utf-8")
    os.utime(folder / "manifest.json", ns=(written, written))
    if built:
        (folder / "corpus/train.parquet").touch()
    return folder


def test_what_is_given_is_taken_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    made(Path("corpora/fr"))
    assert corpus_or_newest(Path("else/where")) == Path("else/where")
    assert capsys.readouterr() == ("", "")


def test_the_only_one(capsys: pytest.CaptureFixture[str]) -> None:
    made(Path("corpora/fr"))
    made(Path("corpora/half"), written=9, built=False)
    Path("corpora/notes.txt").touch()
    assert corpus_or_newest(None) == Path("corpora/fr")
    assert capsys.readouterr() == ("", "Uses corpora/fr, the only corpus there.\n")
    assert corpus_or_newest(None, built=False) == Path("corpora/half")
    assert capsys.readouterr().err == "Uses corpora/half, the newest of 2 results.\n"


def test_the_newest_or_the_last_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    for name, written in (("de", 5), ("fr", 7), ("bg", 7), ("sv", 3)):
        made(Path("corpora") / name, written=written)
    assert corpus_or_newest(None) == Path("corpora/fr")
    assert capsys.readouterr().err == "Uses corpora/fr, the newest of 4 corpora.\n"


def test_corpora_itself_may_be_one() -> None:
    """As after `wikibias extract -o corpora`."""
    made(Path("corpora"))
    assert corpus_or_newest(None) == Path("corpora")


@pytest.mark.parametrize("there", ["nothing", "empty", "half"])
def test_without_one_the_line_says_what_to_type(there: str) -> None:
    if there == "empty":
        Path("corpora").mkdir()
    if there == "half":
        made(Path("corpora/fr"), built=False)
    with pytest.raises(UsageError, match=r"no corpus in \./corpora; make one with `wikibias extr"):
        corpus_or_newest(None)


def test_an_argument_of_a_command() -> None:
    made(Path("corpora/fr"))

    @click.command()
    @corpus_argument()
    def one(folder: Path) -> None:
        click.echo(f"{folder}")

    @click.command()
    @corpus_argument(several=True)
    def several(folders: tuple[Path, ...]) -> None:
        click.echo(" ".join(map(str, folders)))

    def shown(command: click.Command, *words: str) -> list[str]:
        done = CliRunner().invoke(command, words)
        return [done.stdout, done.stderr]

    said = "Uses corpora/fr, the only corpus there.\n"
    assert shown(one) == shown(several) == ["corpora/fr\n", said]
    assert shown(one, ".") == [".\n", ""]
    assert shown(several, ".", "corpora") == [". corpora\n", ""]
    assert "Uses" not in shown(one, "--help")[1]
    assert "Uses" not in shown(one, "--wrong")[1]


def test_a_name_draws_nothing_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    made(Path("corpora/\x1b[31mfr"))
    corpus_or_newest(None)
    assert capsys.readouterr().err.startswith("Uses corpora/\\x1b[31mfr,")


def test_classify_and_audit_right_after_extract(tmp_path: Path) -> None:
    """As a newcomer types them, one after the other."""
    dump = dumped(tmp_path, [history(f"Village {n}", 4, topic=n) for n in range(12)])
    wikibias("extract", "--lang", "en", dump).well()
    done = wikibias("classify", "--model", "majority").well()
    assert done.err.splitlines()[0] == "Uses corpora/en, the only corpus there."
    assert Path("corpora/en/models/majority/model.json").is_file()
    assert wikibias("audit-split").err.startswith("Uses corpora/en")
