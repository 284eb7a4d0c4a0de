"""`wikibias tags stats` on results that the command line made."""

import csv
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exports import Page, Revision, export, wikibias
from paths import SAMPLES

# What a stranger may call a page: markup, a formula, and an escape sequence of a terminal.
HOSTILE = "=HYPERLINK(<script>alert(1)</script>)"


def texts(*tagged: str) -> list[Revision]:
    return [Revision(f"{tags} text {number}") for number, tags in enumerate(tagged)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result; a revision every ten days from 2019-03-01 on, over all pages."""
    folder = tmp_path_factory.mktemp("made")
    pages = [
        Page("Mill", texts("", "{{NPOV}}", "{{POV}}", "", "{{POV}}")),
        Page(HOSTILE, texts("{{Weasel}}", "{{Weasel}}", "")),
        Page("Lock", [Revision("a"), Revision("{{Peacock}} a"), Revision("a"), Revision("b")]),
    ]
    (folder / "a.xml").write_bytes(export(pages))
    wikibias("detect", "-q", "--lang", "en", "-o", folder / "en", folder / "a.xml").well()
    return folder / "en"


def row(out: str, name: str, table: int = 0) -> list[str]:
    """The cells of a row, of the first table that has it or a later one."""
    lines = [line.strip("│").split("│") for line in out.splitlines() if line.startswith("│")]
    found = [[cell.strip() for cell in line] for line in lines if line[0].strip() == name]
    return found[table][1:]


def test_additions_removals_and_what_stands(made: Path) -> None:
    ended = wikibias("tags", "stats", made).silent()
    assert row(ended.out, "2019") == ["4", "0", "3", "0", "1"]
    assert row(ended.out, "POV") == ["2", "0", "1", "0", "1"]
    assert row(ended.out, "all") == ["4", "0", "3", "0", "1"]


def test_what_stands_is_censored_at_the_end_of_the_dump(made: Path) -> None:
    out = wikibias("tags", "stats", made).out
    assert row(out, "all", 1)[:2] == ["4", "20.0"]
    (first, link) = out.splitlines()[-6:-4]
    assert re.fullmatch(r"  1\. 70\.0 days  POV  Mill  2019-04-10 to 2019-06-19, and stands", first)
    assert link.strip() == "https://en.invented.example/w/index.php?diff=5&oldid=4"


@pytest.mark.parametrize(("by", "name"), [("family", "weasel"), ("tag", "Weasel")])
def test_other_groups(by: str, name: str, made: Path) -> None:
    assert row(wikibias("tags", "stats", "--by", by, made).out, name)


def test_tags_of_some_families(made: Path) -> None:
    out = wikibias("tags", "stats", "--family", "pov", made).out
    assert row(out, "POV") == ["2", "0", "1", "0", "1"]
    assert "Weasel" not in out
    wikibias("tags", "stats", "--family", "resume", made).silent()


def test_what_reverts_undid_has_no_life(tmp_path: Path) -> None:
    sample = SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z"
    wikibias("detect", "-q", "--lang", "en", "-o", tmp_path / "en", sample).well()
    out = wikibias("tags", "stats", tmp_path / "en").out
    assert row(out, "all") == ["29", "4", "29", "3", "0"]
    assert row(out, "all", 1) == ["25", "84.0", "44.1-151.4", "72%", "8%"]


def test_the_file_holds_each_tag_once_and_strange_names_as_text(made: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "intervals.tsv"
    assert wikibias("tags", "stats", made, "-o", target).out.endswith(f"Wrote {target}.\n")
    first = target.read_bytes()
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, dialect="excel-tab"))
    assert [(r["tag"], r["family"], r["days"], r["stands"]) for r in rows] == [
        ("POV", "pov", "70", "True"),
        ("POV", "pov", "20", "False"),
        ("Weasel", "weasel", "20", "False"),
        ("Peacock", "peacock", "10", "False"),
    ]
    assert rows[2]["page_title"] == f"'{HOSTILE}"
    assert rows[0]["taken_out"] == ""
    wikibias("tags", "stats", made, "-o", target).refused(
        f"Error: {target} is there already; name another file, or add --overwrite", alone=True
    )
    wikibias("tags", "stats", made, "-o", target, "--overwrite").well()
    assert target.read_bytes() == first


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--family", "pow"], "no tag is of the family 'pow'; did you mean 'pov'?"),
        (["{made}"], r"{made} and {made} were both made of a.xml, whose tags would count twice"),
    ],
)
def test_mistakes_are_named(words: list[str], line: str, made: Path) -> None:
    ended = wikibias("tags", "stats", *(word.format(made=made) for word in words), made)
    ended.refused(f"Error: {line.format(made=made)}", alone=True)


def test_a_folder_without_result_is_refused(tmp_path: Path) -> None:
    wikibias("tags", "stats", tmp_path).refused("holds no transitions")


def test_a_result_without_manifest_has_no_families(made: Path, tmp_path: Path) -> None:
    (tmp_path / "transitions").symlink_to(made / "transitions")
    assert row(wikibias("tags", "stats", "--by", "family", tmp_path).out, "unknown")


def test_lives_of_anarchism(shared: Path, tmp_path: Path) -> None:
    """The whole history of an article of the English Wikipedia, up to February 2009."""
    dump = shared / "dumps/enwiki-anarchism-full-history.xml.7z"
    wikibias("detect", "-q", "--lang", "en", "-o", tmp_path, dump).well()
    out = wikibias("tags", "stats", tmp_path).out
    changes = pq.read_table(tmp_path / "transitions", columns=["kind", "tags"]).to_pylist()
    put_in, taken_out = (
        sum(len(change["tags"]) for change in changes if change["kind"] == kind)
        for kind in ("added", "removed")
    )
    cells = row(out, "all")
    assert (int(cells[0]), int(cells[2])) == (put_in, taken_out) == (117, 117)
    assert row(out, "all", 1)[:2] == ["59", "0.75"]
    assert "220.2 days  POV statement  Anarchism  2008-04-26 to 2008-12-02" in out
