"""Published figures: the file of cells, what is met, and the command that shows it."""

import json
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from exports import wikibias
from paths import CASES, SAMPLES
from wikibias.cli import COMMANDS
from wikibias.research.reproduce import FUNCTIONS, Cell, Measurement, _judged, load_papers


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of data; the cells are those of a file of the user's own."""
    (tmp_path / "configs/published").mkdir(parents=True)
    copyfile(CASES / "published_figures.toml", tmp_path / "configs/published/figures.toml")
    folder = tmp_path / "published"
    folder.mkdir()
    rows = ["yes", "no"] * 20
    (folder / "rows.tsv").write_text("said\n" + "\n".join(rows) + "\n", encoding="utf-8")
    (folder / "tags.conll").write_text("fine B B\nmill O O\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def test_the_page_says_what_is_met_missed_and_not_there(data: Path) -> None:
    done = wikibias("reproduce", "--data", data, "-o", "page.md").well()
    assert done.out == "Wrote page.md.\n"
    page = Path("page.md").read_text(encoding="utf-8")
    assert "4 published cells: 2 met, 1 missed, 1 no data." in page
    assert "| said yes | 0.600 | 0.500 | 0.350 to 0.650 | same 0.150 | met |" in page
    assert "| gold | 1 | 1 | – | exact 0 | met |" in page
    assert "missing: lost.txt, Python's no_such_module. From: Ask the library." in page
    assert "| own | 4 | 2 | 1 | 1 | 0 | 7 |" in page
    assert "$ wikibias spans score $DATA/tags.conll -o s.json" in page
    again = wikibias("reproduce", "--data", data, "-o", "page.md")
    again.refused("page.md is there already")
    assert "A paper \\*of\\* &#60;ours&#62;" in page


def test_a_plan_does_nothing(data: Path) -> None:
    done = wikibias("reproduce", "--dry-run", "--data", data).silent()
    assert "Dry run: 4 cells, for 3 of which the data are there." in done.out
    assert "- lost.txt: missing" in done.out
    assert "- rows.tsv: there" in done.out
    assert "for 0 of which" in wikibias("reproduce", "--dry-run").silent().out


def test_a_command_that_fails_is_told_and_the_others_go_on(data: Path) -> None:
    (data / "tags.conll").write_text("fine B\n", encoding="utf-8")
    done = wikibias("reproduce", "--data", data)
    assert done.code == 1
    assert "2 met" not in done.out
    assert "ended with 2: Error:" in done.out
    assert "1 met, 1 missed, 1 no data, 1 failed" in done.out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--dry-run", "--paper", "wnx"), "--paper: no paper 'wnx'; did you mean 'wnc'?"),
        ((), "--data FOLDER, or set WIKIBIAS_DATA"),
        (("--data", ".", "-o", "a.txt"), "must end in .html or .md"),
    ],
)
def test_what_cannot_be_is_refused(
    asked: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WIKIBIAS_DATA", raising=False)
    wikibias("reproduce", *asked).refused(said)


def judged(found: object, **options: Any) -> tuple[str, float | None]:
    """Return the verdict on a figure of 0.5, and how far ours might be."""
    cell = Cell("row", "a/*", options.pop("published", 0.5), total=options.pop("total", False))
    whole = {"table": "t", "run": ("count x",), "cells": (cell,), **options}
    (result,) = _judged(Measurement(**whole), [found]).results
    return result.verdict, result.tolerance and round(result.tolerance, 6)


INTERVAL = {"a": {"x": {"value": 0.52, "low": 0.42, "high": 0.62}}}


@pytest.mark.parametrize(
    ("options", "verdict"),
    [
        ({"tolerance": "printed"}, ("missed", 0.001)),
        ({"tolerance": "printed", "published": 0.519}, ("met", 0.001)),
        ({"tolerance": "same"}, ("met", 0.1)),
        ({"tolerance": "same", "published": 0.4}, ("missed", 0.1)),
        ({"tolerance": "part", "rows": (3, 4)}, ("met", 0.05)),
        ({"tolerance": "part", "rows": (4, 4)}, ("missed", 0)),
        ({"tolerance": "other", "rows": (3, 1), "published": 0.7}, ("met", 0.2)),
    ],
)
def test_a_figure_may_be_as_far_as_rounding_or_sampling_allows(
    options: dict[str, Any], verdict: tuple[str, float]
) -> None:
    assert judged(INTERVAL, **options) == verdict


def test_counts_are_summed_and_what_is_not_there_is_no_zero() -> None:
    counts = {"a": {"train": 3, "test": 4}}
    exact: dict[str, Any] = {"tolerance": "exact", "total": True}
    assert judged(counts, published=7, **exact) == ("met", 0)
    assert judged({"b": 1}, published=0, **exact) == ("failed", None)
    assert judged(counts, published=7, tolerance="half", times=2.0) == ("met", 1)
    assert judged(counts, tolerance="same") == ("failed", None)
    apart = {"a": {"x": 0.5}, "intervals": {"a": {"x": [0.4, 0.6]}}}
    assert judged(apart, tolerance="same") == ("met", 0.1)


def test_every_cell_is_there_once_and_its_command_is_one() -> None:
    about = [(paper.name, each) for paper in load_papers(()) for each in paper.measurement]
    cells = [(name, m.table, c.row, c.column) for name, m in about for c in m.cells]
    assert len(cells) == len({*cells}) > 80
    first = {line.split()[0] for _, each in about for line in each.run}
    assert first <= {*COMMANDS, *FUNCTIONS}


def test_counts_of_the_published_data_come_out(shared: Path, tmp_path: Path) -> None:
    """Those that need no command; the others take minutes."""
    done = wikibias("reproduce", "--data", shared, "--paper", "ousidhoum-2020").well()
    assert "4 published cells: 1 met, 3 missed" in done.out
    assert "Indonesian, section 4.7        126   125" in done.out


def test_a_preset_gives_defaults_below_what_is_typed(tmp_path: Path) -> None:
    path = SAMPLES / "demofrwiki-20260101-pages-meta-history.xml.bz2"
    typed = ("--split", "page", "--segmenter", "rules", "--limit", 1, "-q", "-o", tmp_path / "fr")
    wikibias("extract", "--preset", "paper-2019", *typed, path).well()
    of = json.loads((tmp_path / "fr/manifest.json").read_text("utf-8"))["settings"]
    assert (of["detect"]["per"], of["filter"]["reverts"]) == ("any", "keep")
    assert (of["filter"]["filters"], of["build"]["split"]) == ("paper", "page")
    assert len(of["build"]["blocks"]) == 8
    said = "no preset 'paper-2091'; did you mean 'paper-2019'?"
    wikibias("extract", "--preset", "paper-2091", path).refused(said)
