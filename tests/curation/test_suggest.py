"""Suggestions: look-alikes. tests/cli/test_tags.py checks names, reasons and seeds."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paths import cases
from wikibias.curation import suggest
from wikibias.errors import UsageError, WikibiasError
from wikibias.tags.tagset import load_tagset


@pytest.mark.parametrize("case", cases("look_alikes"))
def test_a_name_about_another_topic_is_a_look_alike(case: dict[str, Any]) -> None:
    assert (suggest.look_alike(case["name"], case["seed"]) != "") is case["strange"]


def test_words_of_other_names_in_the_set_are_no_other_topic() -> None:
    assert suggest.look_alike("POV map", "POV") == "also says 'map'"
    assert suggest.look_alike("POV map", "POV", frozenset({"map"})) == ""


SETS = [load_tagset("peacock", "en"), load_tagset("npov", "en")]


def test_names_of_one_tag_belong_to_a_seed_that_is_one_of_them() -> None:
    known = suggest.KnownElsewhere(SETS)
    assert known.seed("NPOV", ["Weasel", "POV"]) == ("POV", "a name of POV in npov")
    assert known.seed("POV", ["NPOV"]) == ("NPOV", "a name of NPOV in npov")
    assert known.seed("NPOV", ["Weasel"]) is None
    assert known.seed("Stub", ["Stub"]) is None


def test_a_tag_is_that_of_the_first_set_that_has_it() -> None:
    tag = suggest.KnownElsewhere(SETS).tag("peacock")
    assert tag is not None
    assert (tag.name, tag.family) == ("Peacock", "peacock")
    assert suggest.KnownElsewhere([]).tag("POV") is None


SUGGESTION = suggest.Suggestion(
    keep=suggest.OPEN,
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
    proposed=suggest.OPEN,
    source="enwiki",
    tagset="npov/en",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with one suggestion."""
    suggest.write_suggestions(tmp_path / "s.tsv", [SUGGESTION])
    return tmp_path / "s.tsv"


def test_suggestions_are_read_as_written(path: Path) -> None:
    assert suggest.read_suggestions(path) == [SUGGESTION]


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "-", "@x", "'=x", "'tis", '"q"', "＝1"])
def test_a_name_is_no_formula_and_itself_again_when_read(name: str, tmp_path: Path) -> None:
    formula = replace(SUGGESTION, name=name, tag=name, reason="+1")
    suggest.write_suggestions(tmp_path / "s.tsv", [formula])
    written = (tmp_path / "s.tsv").read_text("utf-8").splitlines()[1]
    assert not [cell for cell in written.split("\t") if cell.startswith(("=", "+", "-", "@", "＝"))]
    assert suggest.read_suggestions(tmp_path / "s.tsv") == [formula]


def test_columns_may_be_in_any_order_but_need_tabs_between_them(path: Path) -> None:
    head, row = (line.split("\t") for line in path.read_text().splitlines())
    path.write_text("\n".join("\t".join(reversed(cells)) for cells in (head, row)))
    assert suggest.read_suggestions(path) == [SUGGESTION]
    for mark in ",;":
        path.write_text("\n".join(mark.join(cells) for cells in (head, row)))
        with pytest.raises(WikibiasError, match="no column 'keep'"):
            suggest.read_suggestions(path)


@pytest.mark.parametrize(("typed", "keep"), [("Y", "yes"), ("no", "no"), ("", "?"), ("?", "?")])
def test_short_answers_are_understood(typed: str, keep: str, path: Path) -> None:
    path.write_text(path.read_text().replace("\n?", f"\n{typed}", 1))
    assert suggest.read_suggestions(path)[0].keep == keep


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("\t2005\t", "\tfive\t"), ":2: first_year must be a number, not 'five'"),
        (("\tnpov/en", ""), ":2: 13 columns where the first line has 14"),
        (("\ttagset", "\ttagsets"), ": no column 'tagset'; did you mean 'tagsets'"),
    ],
)
def test_a_mistake_is_named_with_its_place(change: tuple[str, str], said: str, path: Path) -> None:
    path.write_text(path.read_text().replace(*change, 1))
    with pytest.raises(WikibiasError) as caught:
        suggest.read_suggestions(path)
    assert str(caught.value).startswith(f"{path}{said}")


def test_new_suggestions_must_not_overwrite_a_decision(path: Path) -> None:
    suggest.check_no_decision_is_lost(path, [])
    suggest.write_suggestions(path, [replace(SUGGESTION, keep=suggest.YES)])
    suggest.check_no_decision_is_lost(path, [replace(SUGGESTION, keep=suggest.YES)])
    with pytest.raises(UsageError, match="would lose your decisions"):
        suggest.check_no_decision_is_lost(path, [SUGGESTION])


@pytest.mark.parametrize("number", ["2²", "9" * 5000])
def test_what_only_looks_like_a_number(number: str, tmp_path: Path) -> None:
    row = ["yes", "POV", "POV", "pov", "article", number, "1", "2004", "2005", "", "", "", "", ""]
    lines = "\t".join(suggest.COLUMNS) + "\n" + "\t".join(row) + "\n"
    (tmp_path / "s.tsv").write_text(lines, encoding="utf-8")
    with pytest.raises(UsageError, match="pages must be a number"):
        suggest.read_suggestions(tmp_path / "s.tsv")
