"""The TSV file of suggestions, which users edit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from wikibias.curation.suggest import OPEN, YES, Suggestion
from wikibias.curation.suggestions_tsv import (
    COLUMNS,
    check_no_decision_is_lost,
    read_suggestions,
    write_suggestions,
)
from wikibias.errors import UsageError

SUGGESTION = Suggestion(
    keep=OPEN,
    tag="POV",
    name='POV "check"',
    family="pov",
    scope="article",
    pages=1,
    revisions=2,
    first_year=2005,
    last_year=2019,
    reason="contains POV",
    look_alike="",
    proposed=OPEN,
    source="enwiki",
    tagset="npov/en",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with one suggestion."""
    write_suggestions(tmp_path / "s.tsv", [SUGGESTION])
    return tmp_path / "s.tsv"


def test_suggestions_are_read_as_written(path: Path) -> None:
    assert read_suggestions(path) == [SUGGESTION]


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "-", "@x", "'=x", "'tis", '"q"', "＝1"])
def test_a_name_is_no_formula_in_the_file_and_itself_again_when_read(
    name: str, tmp_path: Path
) -> None:
    formula = replace(SUGGESTION, name=name, tag=name, reason="+1")
    write_suggestions(tmp_path / "s.tsv", [formula])
    written = (tmp_path / "s.tsv").read_text("utf-8").splitlines()[1]
    assert not [cell for cell in written.split("\t") if cell.startswith(("=", "+", "-", "@", "＝"))]
    assert read_suggestions(tmp_path / "s.tsv") == [formula]


def test_columns_may_be_in_any_order(path: Path) -> None:
    head, row = (line.split("\t") for line in path.read_text().splitlines())
    path.write_text("\n".join("\t".join(reversed(cells)) for cells in (head, row)))
    assert read_suggestions(path) == [SUGGESTION]


@pytest.mark.parametrize(("typed", "keep"), [("Y", "yes"), ("no", "no"), ("", "?"), ("?", "?")])
def test_short_answers_are_understood(typed: str, keep: str, path: Path) -> None:
    path.write_text(path.read_text().replace("\n?", f"\n{typed}", 1))
    assert read_suggestions(path)[0].keep == keep


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("\t2005\t", "\tfive\t"), ":2: first_year must be a number, not 'five'"),
        (("\tnpov/en", ""), ":2: column 'tagset' is missing"),
        (("\ttagset", "\ttagsets"), ":1: no column 'tagset'; did you mean 'tagsets'"),
    ],
)
def test_a_mistake_is_named_with_line_and_column(
    change: tuple[str, str], said: str, path: Path
) -> None:
    path.write_text(path.read_text().replace(*change, 1))
    with pytest.raises(UsageError) as caught:
        read_suggestions(path)
    assert str(caught.value).startswith(f"{path}{said}")


def test_new_suggestions_must_not_overwrite_a_decision(path: Path) -> None:
    check_no_decision_is_lost(path, [])
    write_suggestions(path, [replace(SUGGESTION, keep=YES)])
    check_no_decision_is_lost(path, [replace(SUGGESTION, keep=YES)])
    with pytest.raises(UsageError, match="would lose your decisions"):
        check_no_decision_is_lost(path, [SUGGESTION])


@pytest.mark.parametrize("number", ["2²", "9" * 5000])
def test_what_only_looks_like_a_number(number: str, tmp_path: Path) -> None:
    row = ["yes", "POV", "POV", "pov", "article", number, "1", "2004", "2005", "", "", "", "", ""]
    lines = "\t".join(COLUMNS) + "\n" + "\t".join(row) + "\n"
    (tmp_path / "s.tsv").write_text(lines, encoding="utf-8")
    with pytest.raises(UsageError, match="pages must be a number"):
        read_suggestions(tmp_path / "s.tsv")


@pytest.mark.parametrize("mark", [",", ";"])
def test_a_file_with_other_marks_between_the_columns_is_refused(mark: str, path: Path) -> None:
    path.write_text(path.read_text().replace("\t", mark))
    with pytest.raises(UsageError, match="save it with tabs between the columns"):
        read_suggestions(path)
