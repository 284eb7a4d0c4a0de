"""A command without a folder takes a corpus under ./corpora, and says so; where reports go."""

import os
from pathlib import Path

import pytest

from exports import dumped, history, wikibias
from wikibias.errors import UsageError
from wikibias.kits.command import corpus_or_newest

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
    for words in (["--help"], ["--wrong"], ["corpora/en", "--model", "none"]):
        assert "Uses" not in wikibias("classify", *words).err


# `wikibias report`: where the page goes, and what it does not replace.
@pytest.fixture
def results() -> list[Path]:
    """Two results, in the folder where commands are typed."""
    for number, name in enumerate(("one", "two")):
        dump = dumped(Path(), [history(f"Village {number}", 2, topic=number)])
        wikibias("extract", "-q", "--lang", "en", "-o", f"corpora/{name}", dump).well()
    return [Path("corpora/one"), Path("corpora/two")]


def test_the_page_lies_in_the_folder(results: list[Path]) -> None:
    ended = wikibias("report", results[0]).silent()
    assert ended.out == "Wrote corpora/one/report.html. Open it in a browser.\n"
    first = (results[0] / "report.html").read_bytes()
    assert b"<h1" in first
    # The page of an earlier time is replaced, and is the same.
    wikibias("report", results[0]).well()
    assert (results[0] / "report.html").read_bytes() == first
    # The result goes on as if it were not there.
    wikibias("status", results[0]).well()


def test_the_page_of_several_lies_here(results: list[Path]) -> None:
    assert wikibias("report", *results).out.startswith("Wrote report.html.")
    text = Path("report.html").read_text("utf-8")
    assert "2 corpora side by side" in text
    wikibias("report", *results, "--out", "new/both.html").well()
    assert Path("new/both.html").read_text("utf-8") == text


def test_without_a_folder_it_takes_the_newest_and_says_so(results: list[Path]) -> None:
    assert "corpora/two" in wikibias("report").well().err
    assert (results[1] / "report.html").is_file()


def test_a_file_of_somebody_else_stays(results: list[Path]) -> None:
    Path("mine.html").write_text("<title>Mine</title>", "utf-8")
    wikibias("report", results[0], "--out", "mine.html").refused("mine.html", "--overwrite")
    assert Path("mine.html").read_text("utf-8") == "<title>Mine</title>"
    wikibias("report", results[0], "--out", "mine.html", "--overwrite").well()


def test_a_damaged_table_is_named(results: list[Path]) -> None:
    path = next((results[0] / "edits").glob("*.parquet"))
    path.write_bytes(b"PAR1 nothing")
    wikibias("report", results[0]).refused(path.name, code=1, alone=True)
