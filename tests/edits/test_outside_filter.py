"""A filter of another package works by its name, on the command line and in Table 2."""

import json
from pathlib import Path

import pytest

from exports import export, history, rows, wikibias
from outside import install

CODE = """
from wikibias.edits.filters import EditFilter

def long(edit, limits):
    return "long" if len(edit.removed) > 1 else None

def odd(edit, limits):
    if edit.provenance.after_rev_id == 2:
        raise ValueError("odd")

FILTER = EditFilter("long [bold]edits", long)
ODD = EditFilter("odd edits", odd)
"""


@pytest.fixture
def dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the filter, and return a dump with edits that it drops."""
    install(
        tmp_path,
        monkeypatch,
        CODE,
        "[wikibias.filters]\nlong = outside:FILTER\nodd = outside:ODD\n",
    )
    path = tmp_path / "wiki.xml"
    path.write_bytes(export([history("Village", 2)]))
    return path


def extract(dump: Path, out: Path, *options: str) -> tuple[int, str, str]:
    done = wikibias("extract", "--workers", 1, "--lang", "en", "-o", out, *options, dump)
    return done.code, done.out, done.err


def test_it_drops_what_the_others_keep(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    code, shown, _ = extract(dump, out, "--filters", "paper,long")
    assert code == 0
    assert "│ long [bold]edits" in shown
    assert {row["verdict"] for row in rows(out, "rejects")} == {"long"}
    verdicts = json.loads((out / "manifest.json").read_text())["verdicts"]
    assert list(verdicts)[-2:] == ["long", "kept"]
    assert verdicts["long"] == len(rows(out, "rejects")) > 0


def test_it_is_left_out_where_nobody_asks_for_it(dump: Path, tmp_path: Path) -> None:
    _, shown, _ = extract(dump, tmp_path / "o")
    assert "long" not in shown
    assert not rows(tmp_path / "o", "rejects")


def test_other_filters_are_other_settings(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    assert extract(dump, out)[0] == 0
    code, _, said = extract(dump, out, "--filters", "long")
    assert code == 2
    assert "filter.filters: default -> long" in said
    assert f"wikibias filter --restart {out}" in said


def test_an_unknown_one_is_refused_with_the_nearest(dump: Path, tmp_path: Path) -> None:
    code, _, said = extract(dump, tmp_path / "o", "--filters", "paper,lng")
    assert code == 2
    assert "unknown filter 'lng'; did you mean 'long'" in said


def test_an_edit_that_it_cannot_take_is_named_and_the_rest_goes_on(
    dump: Path, tmp_path: Path
) -> None:
    out = tmp_path / "o"
    code, _, said = extract(dump, out, "--filters", "paper,odd")
    assert code == 1
    assert "wiki.xml: Village (page 1, revision 2): ValueError: odd" in said
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["verdicts"]["unreadable"], manifest["verdicts"]["kept"]) == (1, 1)
    assert manifest["counts"]["unreadable"] == 1
