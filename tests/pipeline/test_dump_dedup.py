"""What stands in two monthly dumps counts once, whatever the order in which they come."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exports import Page, Revision, export, files, history, rows
from months import moments, sample, until, without_page
from results import detect, extract, manifest_of, times, transitions, without_splits
from wikibias.dumps.parts import Part
from wikibias.pipeline.dump_dedup import supersede

MONTHS = ("demoenwiki-20251001-history.xml", "demoenwiki-20251101-history.xml")
THIS = "demoenwiki-20260101-history.xml"
ENGLISH = sample("en")
MOMENTS = moments(ENGLISH)
TABLES = ("transitions", "diffs", "edits", "rejects")


def write(folder: Path, months: dict[str, bytes]) -> list[Path]:
    """Write dumps; return their paths."""
    for name, content in months.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in months]


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sample as this month's dump, and cut at two moments as earlier ones."""
    earlier = [until(ENGLISH, MOMENTS[len(MOMENTS) * share // 10]) for share in (5, 8)]
    contents = dict(zip((*MONTHS, THIS), (*earlier, ENGLISH), strict=True))
    return write(tmp_path_factory.mktemp("months"), contents)


@pytest.fixture(scope="module")
def fresh(months: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result of all three at once."""
    out = tmp_path_factory.mktemp("fresh") / "out"
    assert extract(out, *months).code == 0
    return out


@pytest.fixture
def out(fresh: Path, tmp_path: Path) -> Path:
    """The same, to be changed at will."""
    return Path(shutil.copytree(fresh, tmp_path / "out"))


def test_each_removal_counts_once(months: list[Path], fresh: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    assert extract(alone, months[-1]).code == 0
    facts = ("page_id", "kind", "after_rev_id", "reverted", "survived_days", "verdict")
    for kind in TABLES:
        some = [{name: row.get(name) for name in facts} for row in rows(alone, kind)]
        assert [{name: row.get(name) for name in facts} for row in rows(fresh, kind)] == some
    one, all_of_them = manifest_of(alone), manifest_of(fresh)
    assert one["repeated"] == {"removed": 0, "added": 0, "spans": 0}
    assert all_of_them["verdicts"] == one["verdicts"]
    for kind in ("removed", "added"):
        assert all_of_them["counts"][kind] == one["counts"][kind]
        assert all_of_them["repeated"][kind] > 0
    # The rows that stay are those of the newest dump, and so its corpus is the same.
    ids = [sorted(row["sentence_id"] for row in rows(each, "corpus")) for each in (alone, fresh)]
    assert ids[0] == ids[1]


def test_counts_agree_with_the_rows_that_are_left(fresh: Path) -> None:
    for entry in manifest_of(fresh)["inputs"]:
        table = f"{entry['part']}.parquet"
        of_kind = pq.read_table(fresh / "transitions" / table, columns=["kind"]).to_pydict()["kind"]
        assert entry["counts"]["removed"] == of_kind.count("removed")
        assert entry["counts"]["added"] == of_kind.count("added")
        left = [pq.read_metadata(fresh / kind / table).num_rows for kind in ("edits", "rejects")]
        assert sum(entry["verdicts"].values()) == sum(left)
        assert entry["verdicts"]["kept"] == left[0]


def test_adding_one_by_one_gives_the_tables_of_a_fresh_run(
    months: list[Path], fresh: Path, tmp_path: Path
) -> None:
    """A later month and an earlier one."""
    out = tmp_path / "out"
    for place, number in enumerate((1, 2, 0)):
        ended = extract(out, months[number]).well()
        assert ended.err == (f"Adds 1 part to the {place} of {out}.\n" if place else "")
    assert files(out, *TABLES) == files(fresh, *TABLES)
    assert without_splits(out) == without_splits(fresh)
    before = times(out)
    assert extract(out, months[0]).code == 0
    assert times(out) == before


def test_a_kill_in_the_middle_is_mended(months: list[Path], out: Path, tmp_path: Path) -> None:
    """Whichever tables have been rewritten, and whichever not."""
    whole = files(out, *TABLES)
    assert extract(tmp_path / "first", months[0]).code == 0
    full = files(tmp_path / "first")
    for table in TABLES:
        for name, content in full.items():
            if name.startswith(table):
                (out / name).write_bytes(content)
        assert extract(out, *months).code == 0
        assert files(out, *TABLES) == whole


def test_no_corpus_of_repeated_rows_stays(months: list[Path], fresh: Path, out: Path) -> None:
    """An earlier version counted rows twice; the run that mended its tables was killed."""
    recorded = manifest_of(fresh)
    for entry in recorded["inputs"]:
        del entry["superseded"]
    del recorded["repeated"]
    recorded["corpus"]["pages"] += 1
    (out / "manifest.json").write_text(json.dumps(recorded))
    assert extract(out, *months).code == 0
    assert manifest_of(out)["corpus"] == manifest_of(fresh)["corpus"]


def test_pages_that_are_gone_or_renamed_are_told(tmp_path: Path) -> None:
    topics = [history(f"Village {topic}", 2, topic=topic) for topic in range(3)]
    last = export(topics)
    this = without_page(last, "Village 1").replace(b"<title>Village 2<", b"<title>Town 2<")
    names = ("inventedenwiki-20261001-x.xml", "inventedenwiki-20261101-x.xml")
    paths = write(tmp_path, dict(zip(names, (last, this), strict=True)))
    ended = extract(tmp_path / "o", *paths)
    made = manifest_of(tmp_path / "o")
    page = {"wiki": "inventedenwiki", "page_id": 2, "page_title": "Village 1"}
    assert made["gone_pages"] == [page]
    renamed = {"wiki": "inventedenwiki", "page_id": 3, "page_title": "Town 2", "was": "Village 2"}
    assert made["renamed_pages"] == [renamed]
    # What is gone stays in the corpus, once.
    assert (made["repeated"]["removed"], made["counts"]["removed"]) == (4, 6)
    assert (
        "4 removals and 4 additions stand in an earlier dump as well and count once; " in ended.out
    )
    assert "Village 1" in ended.out
    assert "Town 2 (was Village 2)" in ended.out
    # Again, and one by one: the same.
    assert extract(tmp_path / "o", *paths).code == 0
    assert manifest_of(tmp_path / "o")["renamed_pages"] == [renamed]
    for path in paths:
        assert detect(tmp_path / "other", path).code == 0
    assert manifest_of(tmp_path / "other")["gone_pages"] == [page]
    assert manifest_of(tmp_path / "other")["renamed_pages"] == [renamed]


def test_exports_of_single_pages_whose_ids_overlap_are_left_alone(tmp_path: Path) -> None:
    """Without a date or a common revision nothing says that one follows the other."""
    one = export([history("One", 1), history("Three", 1, topic=1)], first_id=100)
    other = export([history("Two", 1, topic=2)], first_id=900).replace(b"<id>900<", b"<id>101<", 1)
    paths = write(tmp_path, {"a.xml": one, "b.xml": other})
    assert detect(tmp_path / "o", *paths).code == 0
    made = manifest_of(tmp_path / "o")
    assert made["repeated"] == {"removed": 0, "added": 0, "spans": 0}
    assert (made["gone_pages"], made["renamed_pages"]) == ([], [])


def test_a_damaged_newer_dump_takes_nothing_away(months: list[Path], tmp_path: Path) -> None:
    """What is whole counts, until the newer one is mended."""
    this = tmp_path / THIS
    this.write_bytes(ENGLISH[: len(ENGLISH) * 3 // 4])
    out, whole = tmp_path / "out", tmp_path / "whole"
    assert extract(out, months[1], this).code == 1
    old, new = manifest_of(out)["inputs"]
    assert sum(old["superseded"].values()) == 0
    assert sum(new["superseded"].values()) > 0
    this.write_bytes(ENGLISH)
    assert extract(out, months[1], this).code == 0
    assert extract(whole, months[1], this).code == 0
    assert files(out) == files(whole)


@pytest.mark.parametrize("pairing", ["tagged-span", "addition-edit"])
def test_in_every_pairing(pairing: str, months: list[Path], tmp_path: Path) -> None:
    """A span that the newer dump knows to be undone does not stand either."""
    alone, both = (
        transitions(tmp_path / str(len(dumps)), "--pairing", pairing, *dumps)
        for dumps in (months[-1:], months[1:])
    )
    assert [row["after_rev_id"] for row in alone] == [row["after_rev_id"] for row in both]


def test_rows_are_written_again_as_they_were(months: list[Path], tmp_path: Path) -> None:
    """All columns outlast the rewriting, those on request too."""
    out = tmp_path / "out"
    found = transitions(out, "--with-editors", months[1])
    assert all(row["editor"] is not None or row["editor_kind"] for row in found)
    before = {row["after_rev_id"]: row for row in found}
    (tmp_path / THIS).write_bytes(without_page(ENGLISH, found[0]["page_title"]))
    both = transitions(out, "--with-editors", tmp_path / THIS)
    left = [row for row in both if THIS not in row["part"]]
    assert 0 < len(left) < len(found)
    assert all(row == before[row["after_rev_id"]] for row in left)


def test_one_dump_alone_is_not_read_again(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(export([Page("Mill", [Revision("a")])]))
    assert extract(tmp_path / "o", tmp_path / "a.xml").code == 0
    (tmp_path / "o/edits/a.xml.parquet").unlink()
    parts = [Part("a.xml", ("a.xml",)), Part("gone.xml", ("gone.xml",))]
    assert supersede(tmp_path / "o", parts).rewritten == []


def test_what_lacks_a_column_is_made_again(months: list[Path], fresh: Path, out: Path) -> None:
    path = out / "transitions" / f"{THIS}.parquet"
    table = pq.read_table(path)
    pq.write_table(
        table.drop_columns(["reverted"]).replace_schema_metadata(table.schema.metadata), path
    )
    assert extract(out, *months).code == 0
    assert "reverted" in pq.read_schema(path).names
    for kind in ("transitions", "corpus"):
        assert rows(out, kind) == rows(fresh, kind)
