"""The stage `build`, over all parts; pages stay in their splits when parts are added."""

import os
import shutil
from pathlib import Path

import pytest

from exports import (
    Page,
    Revision,
    dumped,
    export,
    files,
    history,
    mended,
    praise,
    result_of,
    rows,
    tagged,
    wikibias,
)
from results import extract, manifest_of, without_splits
from wikibias.config.thresholds import Build as Shares
from wikibias.config.thresholds import Config
from wikibias.corpus.splits import Dealt
from wikibias.pipeline import build
from wikibias.pipeline.build import read_splits, write_page_splits
from wikibias.pipeline.jobs import PAGE_SPLITS
from wikibias.pipeline.settings import Build, make_settings
from wikibias.pipeline.stages import named


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """The kept edits of four parts, without their corpus."""
    without = shutil.ignore_patterns("corpus", "text", "README.md")
    return Path(shutil.copytree(template / "out", tmp_path / "out", ignore=without))


def test_the_corpus_is_of_all_parts(folder: Path) -> None:
    assert wikibias("build", folder).code == 0
    assert all((folder / name).is_file() for name in named("build").files)
    kept = {row["after_rev_id"] for row in rows(folder, "edits")}
    biased = [row for row in rows(folder, "corpus") if row["label"] == "biased"]
    assert {row["after_rev_id"] for row in biased} == kept
    corpus = manifest_of(folder)["corpus"]
    assert sum(corpus["splits"].values()) == len(rows(folder, "corpus"))


def test_sentences_in_a_script_of_another_language_are_left_out(tmp_path: Path) -> None:
    said = "學而時習之，不亦說乎，有朋自遠方來，不亦樂乎？"
    removal = Page("Mill", [Revision(f"{tagged(1, 1)}\n{said}"), Revision(mended(1, 1))])
    out = result_of(tmp_path, [removal], "extract")
    assert rows(out, "edits")[0]["removed"] == [*praise(1), said]
    assert [row["text"] for row in rows(out, "corpus") if row["label"] == "biased"] == praise(1)
    left_out = manifest_of(out)["corpus"]["left_out"]
    assert left_out["other_script"] == {"removed": 1, "added": 0, "unchanged": 0}
    told = " ".join(wikibias("inspect", out, 2).out.split())
    assert "its letters are of a script that the language does not use" in told


def test_tables_that_do_not_belong_together(folder: Path) -> None:
    """As after copying a part of another result here."""
    for name in ("edits", "rejects"):
        (folder / name / "part2.xml.parquet").unlink()
        shutil.copy(folder / name / "part1.xml.parquet", folder / name / "part2.xml.parquet")
    said = ("part2.xml: `edits` holds an edit that `diffs` lacks", f"filter --restart {folder}")
    wikibias("build", folder).refused(*said, code=1)
    assert not list(folder.glob("corpus/*.parquet"))


def test_tiers_and_limits_are_settings_of_the_corpus(folder: Path) -> None:
    assert wikibias("build", "--max-per-edit", 1, "--restart", folder).code == 0
    biased = [row["after_rev_id"] for row in rows(folder, "corpus") if row["label"] == "biased"]
    assert len(biased) == len(set(biased)) == len(rows(folder, "edits"))
    corpus = manifest_of(folder)["corpus"]
    assert corpus["left_out"]["max_per_edit"]["removed"] == len(biased)
    wikibias("build", "--min-tier", "high", folder).refused("min_tier")
    assert wikibias("build", "--min-tier", "high", "--restart", folder).code == 0
    assert all(row["tier"] == "high" for row in rows(folder, "corpus"))
    assert wikibias("build", "--min-confidence", 0.9, "--restart", folder).code == 0
    assert all(row["confidence"] >= 0.9 for row in rows(folder, "corpus"))


def test_pairs_are_written_on_request_and_go_with_the_corpus(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same ones also where there is too much to be remembered, so that it is read again."""
    written = {"aligned/pairs.parquet", "aligned/pairs.tsv"}
    assert wikibias("build", "--pairs", "--restart", folder).code == 0
    files_of = manifest_of(folder)["corpus"]["files"]
    assert written <= files_of.keys()
    before = files(folder, "corpus", "aligned")
    (folder / "aligned/pairs.tsv").unlink()
    monkeypatch.setattr(build, "_MOST_REMEMBERED", 0)
    assert wikibias("build", "--pairs", "--restart", folder).code == 0
    assert files(folder, "corpus", "aligned") == before
    assert wikibias("build", "--restart", folder).code == 0
    assert not any((folder / name).exists() for name in written)


PAGES = 12


def part(number: int, pages: int = PAGES) -> bytes:
    """Return a part with pages of its own."""
    topics = range(number * pages, (number + 1) * pages)
    return export(
        [history(f"Village {topic}", 1, topic=topic) for topic in topics],
        first_id=1 + number * 10_000,
    )


def splits(out: Path) -> dict[int, str]:
    """Return the split of each page of a corpus."""
    return {row["page_id"]: row["split"] for row in rows(out, "corpus")}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two parts of many pages."""
    folder = tmp_path_factory.mktemp("two")
    for number in range(2):
        (folder / f"part{number}.xml").write_bytes(part(number))
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def second(two: list[Path]) -> Path:
    """The result of the second part."""
    out = two[0].parent.with_name("second")
    assert extract(out, two[1]).code == 0
    return out


@pytest.fixture
def begun(second: Path, tmp_path: Path) -> Path:
    """The same, to be changed at will."""
    return Path(shutil.copytree(second, tmp_path / "begun"))


@pytest.fixture(scope="module")
def added(two: list[Path], second: Path) -> Path:
    """The result of the second part, to which the first was added."""
    out = Path(shutil.copytree(second, second.with_name("added")))
    assert extract(out, two[0]).code == 0
    return out


@pytest.fixture
def out(added: Path, tmp_path: Path) -> Path:
    """The same, to be changed at will."""
    return Path(shutil.copytree(added, tmp_path / "out"))


def test_known_pages_stay_new_ones_are_dealt(
    two: list[Path], second: Path, added: Path, tmp_path: Path
) -> None:
    out, whole = added, tmp_path / "whole"
    before, after = splits(second), splits(out)
    assert set(before.values()) == {"train", "dev", "test"}
    assert len(after) == 2 * PAGES
    assert before.items() <= after.items()
    # About the shares of a fresh run; but for the splits, its rows.
    assert extract(whole, *two).code == 0
    assert after != splits(whole)
    made, fresh = (manifest_of(folder)["corpus"]["splits"] for folder in (out, whole))
    assert all(abs(made[name] - fresh[name]) <= 8 for name in fresh)
    tables = ("transitions", "diffs", "edits", "rejects")
    assert files(out, *tables) == files(whole, *tables)
    # The unchanged sentences of these villages are near-duplicates, of which splits decide.
    edited = [
        [row for row in without_splits(folder) if row["role"] != "unchanged"]
        for folder in (out, whole)
    ]
    assert edited[0] == edited[1]


def test_the_same_parts_again_give_the_same_bytes(two: list[Path], out: Path) -> None:
    """Also after a kill between the record of the splits and the corpus."""
    before, record = files(out), (out / PAGE_SPLITS).read_bytes()
    (out / "corpus/test.parquet").unlink()
    assert extract(out, two[0]).code == 0
    assert (files(out), (out / PAGE_SPLITS).read_bytes()) == (before, record)
    assert wikibias("build", "-q", "--restart", out).code == 0
    assert (files(out), (out / PAGE_SPLITS).read_bytes()) == (before, record)


def test_a_restart_or_another_seed_begins_anew(two: list[Path], out: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    assert extract(whole, "--seed", 4, "--restart", *two).code == 0
    assert wikibias("build", "-q", "--restart", "--seed", 4, out).code == 0
    assert splits(out) == splits(whole)
    assert extract(out, two[1], "--restart", "--seed", 4).code == 0
    assert not any("part0" in name for name in files(out))
    assert extract(out, "--seed", 4, *two, "--restart").code == 0
    assert files(out) == files(whole)


def test_a_damaged_part_binds_nothing(two: list[Path], tmp_path: Path) -> None:
    """When it is whole, the corpus is that of a fresh run."""
    here = Path(shutil.copytree(two[0].parent, tmp_path / "in"))
    sound = two[1].read_bytes()
    (here / "part1.xml").write_bytes(sound[: len(sound) // 2])
    assert extract(tmp_path / "out", here).code == 1
    (here / "part1.xml").write_bytes(sound)
    assert extract(tmp_path / "out", here).code == 0
    assert extract(tmp_path / "whole", here).code == 0
    assert files(tmp_path / "out") == files(tmp_path / "whole")


def test_a_near_duplicate_of_a_new_page_pushes_nothing_out(begun: Path, tmp_path: Path) -> None:
    """What was in a split stays there; the new page goes without the sentence."""
    out = begun
    before = {row["sentence_id"]: row["split"] for row in rows(out, "corpus")}
    # The pages of last month, copied several times under other names.
    copies = []
    for topic in range(PAGES, 2 * PAGES):
        page = history(f"Copy of village {topic}", 1, topic=topic)
        texts = [each.text.replace("the finest of", "the most fine of") for each in page.revisions]
        copies += [Page(f"{page.title} {copy}", [*map(Revision, texts)]) for copy in "ab"]
    new = dumped(tmp_path, copies, "part5.xml", first_id=500_000)
    assert extract(out, new).code == 0
    after = {row["sentence_id"]: row["split"] for row in rows(out, "corpus")}
    biased = {name: split for name, split in before.items() if "-removed-" in name}
    assert biased.items() <= after.items()


def test_by_sentence_no_page_is_recorded(begun: Path) -> None:
    assert (begun / PAGE_SPLITS).exists()
    assert wikibias("build", "-q", "--restart", "--split", "sentence", begun).code == 0
    assert not (begun / PAGE_SPLITS).exists()


def test_without_a_record_pages_of_the_corpus_keep_their_split(
    two: list[Path], begun: Path
) -> None:
    """As of an earlier version; or with a damaged one."""
    before = splits(begun)
    (begun / PAGE_SPLITS).write_bytes(b"\0" * 100)
    damaged = read_splits(begun, of_build(), [])
    (begun / PAGE_SPLITS).unlink()
    assert damaged == read_splits(begun, of_build(), []) != {}
    assert extract(begun, two[0]).code == 0
    assert before.items() <= splits(begun).items()


INPUTS = [{"part": "a.xml", "error": None}]
KNOWN = {("frwiki", 7): Dealt(2, 1), ("a\tb\nwiki", 3): Dealt(0, 2)}


def of_build(seed: int = 0, **shares: float) -> Build:
    """Return settings of a build."""
    config = Config(build=Shares(**shares)) if shares else Config()
    return make_settings("en", config, seed=seed).build


def test_what_was_recorded_is_read(tmp_path: Path) -> None:
    write_page_splits(tmp_path, KNOWN, of_build(), INPUTS)
    more = [*INPUTS, {"part": "b.xml", "error": None}]
    assert read_splits(tmp_path, of_build(), more) == KNOWN
    # The last deal is done over for the same parts.
    assert read_splits(tmp_path, of_build(), INPUTS) == {("frwiki", 7): Dealt(2, 1)}
    assert read_splits(tmp_path, of_build(seed=1), more) == {}
    assert read_splits(tmp_path, of_build(train=0.7, dev=0.2, test=0.1), more) == {}
    write_page_splits(tmp_path, {}, of_build(), INPUTS)
    assert read_splits(tmp_path, of_build(), more) == {}


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"\xff",
        b"[]\n",
        b"[" * 100_000,
        b'{"seed": 0}\n',
        b'["frwiki", 1, "best", 1]\n',
        b'["w", 1e400, "dev", 1]\n',
    ],
)
def test_a_spoilt_record_counts_for_none(spoilt: bytes, tmp_path: Path) -> None:
    write_page_splits(tmp_path, KNOWN, of_build(), INPUTS)
    head = (tmp_path / PAGE_SPLITS).read_bytes().splitlines(keepends=True)[0]
    for content in (spoilt, head + spoilt):
        (tmp_path / PAGE_SPLITS).write_bytes(content)
        assert read_splits(tmp_path, of_build(), []) == {}
    (tmp_path / PAGE_SPLITS).write_bytes(head + b'["frwiki", 1, "test", 99999999999]\n')
    assert read_splits(tmp_path, of_build(), []) == {}
    (tmp_path / PAGE_SPLITS).unlink()
    os.mkfifo(tmp_path / PAGE_SPLITS)
    assert read_splits(tmp_path, of_build(), []) == {}
