"""`wikibias report`: where the page goes, and what it does not replace."""

from pathlib import Path

import pytest

from exports import export, history, wikibias


@pytest.fixture
def results(cwd: Path) -> list[Path]:
    """Two results, in the folder where commands are typed."""
    for number, name in enumerate(("one", "two")):
        page = history(f"Village {number}", 2, topic=number)
        Path(f"{name}.xml").write_bytes(export([page]))
        wikibias("extract", "-q", "--lang", "en", "-o", f"corpora/{name}", f"{name}.xml").well()
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


def test_a_folder_without_a_result(results: list[Path], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    wikibias("report", results[0], tmp_path / "empty").refused("holds no result")
    assert not Path("report.html").exists()


def test_a_damaged_table_is_named(results: list[Path]) -> None:
    path = next((results[0] / "edits").glob("*.parquet"))
    path.write_bytes(b"PAR1 nothing")
    wikibias("report", results[0]).refused(path.name, code=1, alone=True)
