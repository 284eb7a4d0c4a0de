"""`wikibias tags years`, `standing` and `timeline` on results that the command line made."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exports import Page, Revision, export, wikibias
from paths import SAMPLES

COMMANDS = ("years", "standing", "timeline")
# What a stranger may call a page: markup, a formula, and an escape sequence of a terminal.
HOSTILE = "=HYPERLINK(<script>alert(1)</script>)"


def texts(*tagged: str) -> list[Revision]:
    return [Revision(f"{tags} text {number}") for number, tags in enumerate(tagged)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result and counts; a revision every ten days from 2019-03-01 on, over all pages."""
    folder = tmp_path_factory.mktemp("made")
    pages = [
        Page("Mill", texts("", "{{NPOV}}", "{{POV}}", "", "{{POV}}")),
        Page(HOSTILE, texts("{{Weasel}}", "{{Weasel}}", "")),
        Page("Lock", [Revision("a"), Revision("{{Peacock}} a"), Revision("a"), Revision("b")]),
    ]
    (folder / "a.xml").write_bytes(export(pages))
    for line in (
        ("detect", "-q", "--lang", "en", "-o", folder / "en", folder / "a.xml"),
        ("tags", "count", "-q", "-o", folder / "counts", folder / "a.xml"),
    ):
        assert wikibias(*line).code == 0
    return folder


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, dialect="excel-tab"))


def test_years_of_calls_additions_removals_and_stock(made: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "years.tsv"
    ended = wikibias("tags", "years", made / "en", made / "counts", "-o", target)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith(f"Wrote {target}.\n")
    found = {row["tag"]: row for row in table(target)}
    assert list(found) == ["POV", "Peacock", "Weasel"]
    numbers = ["calls", "additions", "additions_reverted", "removals", "removals_reverted", "stock"]
    assert [found["POV"][name] for name in numbers] == ["3", "2", "0", "1", "0", "1"]
    assert [found["Weasel"][name] for name in numbers] == ["2", "1", "0", "1", "0", "0"]
    assert [found["Peacock"][name] for name in numbers] == ["1", "1", "0", "1", "0", "0"]
    assert {row["family"] for row in found.values()} == {"pov", "weasel", "peacock"}


def test_calls_are_left_out_without_counts(made: Path, tmp_path: Path) -> None:
    ended = wikibias("tags", "years", made / "en", "-o", tmp_path / "y.tsv")
    assert "Calls" not in ended.out
    assert {row["calls"] for row in table(tmp_path / "y.tsv")} == {""}


def test_standing_names_page_tag_days_and_link(made: Path) -> None:
    ended = wikibias("tags", "standing", made / "en")
    assert (ended.code, ended.err) == (0, "")
    first, link, *_ = ended.out.splitlines()
    assert re.fullmatch(r"  1\. 70\.0 days  POV  Mill  2019-04-10 to 2019-06-19, and stands", first)
    assert link.strip() == "https://en.invented.example/w/index.php?diff=5&oldid=4"


def test_what_reverts_undid_is_left_out_or_kept(tmp_path: Path) -> None:
    sample = SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z"
    assert wikibias("detect", "-q", "--lang", "en", "-o", tmp_path / "en", sample).code == 0
    found = {}
    for reverts in ("drop", "keep"):
        target = tmp_path / f"{reverts}.tsv"
        line = ("tags", "standing", "--top", "99", "--reverts", reverts, tmp_path / "en")
        assert wikibias(*line, "-o", target).code == 0
        found[reverts] = table(target)
    assert len(found["keep"]) - len(found["drop"]) == 4
    assert sum(row["reverted"] == "true" for row in found["keep"]) == 4
    assert all(row["reverted"] == "false" for row in found["drop"])


def test_only_tags_that_still_stand(made: Path) -> None:
    out = wikibias("tags", "standing", "--still", made / "en").out
    assert len(out.splitlines()) == 2
    none = wikibias("tags", "standing", "--still", "--tag", "Weasel", made / "en").out
    assert none == "No tag still stands.\n"


def test_timeline_counts_what_stands_up_to_the_end(made: Path, tmp_path: Path) -> None:
    target = tmp_path / "t.tsv"
    ended = wikibias("tags", "timeline", made / "en", "-o", target)
    assert re.search(r"│ all +│ +4 │ +3 │ 20\.0 ", ended.out)
    rows = [row for row in table(target) if row["group"] == "all"]
    assert [(r["days"], r["at_risk"], r["taken_out"], r["share"]) for r in rows] == [
        ("10", "4", "1", "0.75"),
        ("20", "3", "2", "0.25"),
    ]


@pytest.mark.parametrize("by", ["family", "namespace", "period"])
def test_timeline_by_other_groups(by: str, made: Path, tmp_path: Path) -> None:
    target = tmp_path / "t.parquet"
    assert wikibias("tags", "timeline", "--by", by, made / "en", "-o", target).code == 0
    assert set(pq.read_table(target)["by"].to_pylist()) == {by}


@pytest.mark.parametrize("command", COMMANDS)
def test_files_hold_the_same_in_each_form_and_twice_the_same_bytes(
    command: str, made: Path, tmp_path: Path
) -> None:
    names = [tmp_path / f"{command}{ending}" for ending in (".tsv", ".parquet", ".svg")]
    line = ("tags", command, made / "en", *(word for name in names for word in ("-o", name)))
    assert wikibias(*line).code == 0
    first = [name.read_bytes() for name in names]
    rows = table(names[0])
    stored = pq.read_table(names[1]).to_pylist()
    assert len(stored) == len(rows) > 0
    assert list(stored[0]) == list(rows[0])
    root = ET.parse(names[2]).getroot()
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text
    refused = wikibias(*line)
    assert refused.code == 2
    assert refused.err.splitlines() == [
        f"Error: {names[0]} is there already; give --overwrite to replace it"
    ]
    assert wikibias(*line, "--overwrite").code == 0
    assert [name.read_bytes() for name in names] == first


def test_what_a_stranger_wrote_is_shown_as_text(made: Path, tmp_path: Path) -> None:
    names = [tmp_path / "s.tsv", tmp_path / "s.svg"]
    assert wikibias("tags", "standing", made / "en", "-o", names[0], "-o", names[1]).code == 0
    assert f"\t'{HOSTILE}\t" in names[0].read_text("utf-8")
    drawn = names[1].read_text("utf-8")
    assert "<script" not in drawn
    assert "&lt;script&gt;" in drawn


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tag", "Weazel"], "no tag 'Weazel' in these results; did you mean 'Weasel'?"),
        (["--family", "pow"], "no tag is of the family 'pow'; did you mean 'pov'?"),
        (["-o", "x.xlsx"], "x.xlsx: the name must end with .tsv, .parquet or .svg"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_mistakes_are_named(command: str, words: list[str], said: str, made: Path) -> None:
    ended = wikibias("tags", command, *words, made / "en")
    assert ended.code == 2
    (line,) = ended.err.splitlines()
    assert line.startswith(f"Error: {said}")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_without_result_is_refused(command: str, tmp_path: Path) -> None:
    ended = wikibias("tags", command, tmp_path)
    assert ended.code == 2
    assert "holds no transitions" in ended.err


@pytest.fixture(scope="module")
def anarchism(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole history of an article of the English Wikipedia, up to February 2009."""
    dump = shared / "dumps/enwiki-anarchism-full-history.xml.7z"
    folder = tmp_path_factory.mktemp("anarchism")
    assert wikibias("detect", "-q", "--lang", "en", "-o", folder / "en", dump).code == 0
    assert wikibias("tags", "count", "-q", "-o", folder / "counts", dump).code == 0
    return folder


def test_stock_of_anarchism_is_consistent(anarchism: Path) -> None:
    target = anarchism / "years.tsv"
    line = ("tags", "years", anarchism / "en", anarchism / "counts", "-o", target, "--overwrite")
    assert wikibias(*line).code == 0
    rows = table(target)
    of_tag: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        of_tag.setdefault(row["tag"], []).append(row)
    numbers = ("stock", "additions", "removals", "unseen")
    for of in of_tag.values():
        told = [{name: int(row[name]) for name in numbers} for row in of]
        for before, now in pairwise([dict.fromkeys(numbers, 0), *told]):
            added = now["additions"] - now["removals"] + now["unseen"]
            assert now["stock"] == before["stock"] + added
    changes = pq.read_table(anarchism / "en" / "transitions", columns=["kind", "tags"]).to_pylist()
    for kind, column in (("added", "additions"), ("removed", "removals")):
        expected = sum(len(change["tags"]) for change in changes if change["kind"] == kind)
        assert sum(int(row[column]) for row in rows) == expected == 117
    assert sum(int(row["calls"]) for row in rows if row["tag"] == "POV") == 2712


def test_lives_of_anarchism(anarchism: Path) -> None:
    out = wikibias("tags", "timeline", anarchism / "en").out
    assert re.search(r"│ all +│ +59 │ +59 │ 0\.75 ", out)
    longest = wikibias("tags", "standing", "--top", 1, anarchism / "en").out
    assert "220.2 days  POV statement  Anarchism  2008-04-26 to 2008-12-02" in longest
