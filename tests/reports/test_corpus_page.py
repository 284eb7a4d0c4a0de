from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from exports import Page, Revision, body, export, wikibias
from made_tables import write_rows
from page_checks import Structure, check
from wikibias.pipeline import manifest
from wikibias.reports.corpus_page import page

SAMPLES = Path(__file__).parents[2] / "samples"
BOMB = "&lt;script&gt;alert(1)&lt;/script&gt; =HYPERLINK(1) \u202egnihtemos " + "x" * 300


def shown(*folders: Path, seed: int = 0) -> str:
    return page({folder: manifest.load_recorded(folder) for folder in folders}, seed)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The results of both samples."""
    folder = tmp_path_factory.mktemp("results")
    for lang in ("en", "fr"):
        dump = next(SAMPLES.glob(f"demo{lang}wiki-*"))
        made = wikibias("extract", "-q", "--workers", 1, "--lang", lang, "-o", folder / lang, dump)
        assert made.code == 0
    return {lang: folder / lang for lang in ("en", "fr")}


def test_the_page_of_a_corpus(results: dict[str, Path]) -> None:
    text = shown(results["en"])
    found = check(text)
    titles = [title for level, title in found.headings if level == 2]
    assert titles == [
        "What this is",
        "What the filters dropped",
        "What the corpus holds",
        "Tags put in and taken out",
        "How long tags stand",
        "Edits and sentences by size",
        "Words that tell the classes apart",
        "A sample of kept edits",
        "A sample of rejected edits, by reason",
        "Notes and limits",
        "Where it comes from",
    ]
    assert "of 28 pairs of revisions 13 were kept, which gave a corpus of 134 sentences" in text
    alts = [str(svg["aria-label"]) for svg in found.of("svg")]
    assert len(alts) == 7
    assert alts[0].startswith(
        "What the filters left: Of 28 pairs of revisions, filters drop earlier"
    )
    assert all(any(char.isdigit() for char in alt) for alt in alts)
    assert "<del>without question</del>" in text
    assert 'href="https://en.demo.example/w/index.php?diff=7&amp;oldid=6"' in text
    assert '<p dir="auto" lang="en">' in text


def test_the_same_folder_gives_the_same_bytes_and_another_seed_other_samples(
    results: dict[str, Path],
) -> None:
    assert shown(results["en"]) == shown(results["en"])
    assert shown(results["en"]) != shown(results["en"], seed=1)


def test_several_corpora_stand_side_by_side(results: dict[str, Path]) -> None:
    found = check(shown(*results.values()))
    assert [title for level, title in found.headings if level == 2] == ["Side by side", "en", "fr"]
    assert found.text.count("What the corpus holds (") == 2
    (numbers,) = [table for table in found.of("table") if table.get("class") == "stacks"][:1]
    assert numbers["role"] == "table"
    assert "13 (46%)" in found.text


def test_of_many_corpora_the_figures_show_some_and_say_so(
    results: dict[str, Path], tmp_path: Path
) -> None:
    folders = [tmp_path / str(year) for year in range(2019, 2025)]
    for folder in folders:
        folder.symlink_to(results["en"])
    found = check(shown(*folders))
    assert "The curves and years are those of the first 5." in found.text
    assert "13 (46%)" in found.text


def test_corpora_of_the_same_name_are_told_apart(results: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "en").symlink_to(results["en"])
    text = shown(results["en"], tmp_path / "en")
    assert str(tmp_path / "en") in text


def test_a_folder_that_has_come_as_far_as_detect(tmp_path: Path) -> None:
    dump = next(SAMPLES.glob("demoenwiki-*"))
    assert wikibias("detect", "-q", "--workers", 1, "--lang", "en", "-o", tmp_path, dump).code == 0
    found = check(shown(tmp_path))
    assert "No corpus is built here yet" in found.text
    assert "No table of kept edits is here" in found.text
    assert len(found.of("svg")) == 3


def test_a_wiki_without_tags(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_bytes(export([Page("Bare", [Revision(body(1))])]))
    out = tmp_path / "o"
    assert wikibias("extract", "-q", "--workers", 1, "--lang", "en", "-o", out, tmp_path / "x.xml")
    found = check(shown(out))
    assert "No tag of the tag set was put in or taken out." in found.text
    assert found.of("svg") == []


def test_what_others_wrote_stays_text(tmp_path: Path) -> None:
    """Titles, summaries and sentences with markup, formulas, marks of direction, long words."""
    revisions = [
        Revision(f"{{{{POV}}}}\n{body(1)}\nThe mill of {BOMB} is the finest of all mills."),
        Revision(f"{body(1)}\nThe mill of {BOMB} is one of nine mills.", comment=f"<b>{BOMB}"),
    ]
    pages = [Page(f"<script>alert(2)</script> {BOMB[:60]}", revisions)]
    (tmp_path / "<img src=x>.xml").write_bytes(export(pages))
    out = tmp_path / "<i>o"
    made = wikibias(
        "extract", "-q", "--workers", 1, "--lang", "en", "-o", out, tmp_path / "<img src=x>.xml"
    )
    assert made.code == 0
    text = shown(out)
    found = check(text)
    assert "<script>alert(1)</script>" in found.text
    assert "\\u202e" in found.text
    assert "\u202e" not in text


def test_a_manifest_of_somebody_else_is_text_too(results: dict[str, Path]) -> None:
    odd: dict[str, Any] = manifest.load_recorded(results["en"])
    odd["verdicts"] = {"<script>x</script>": 3, "\x1b[31m": 1, "kept": 2, "spelling": "many"}
    odd["lang"] = odd["settings"]["detect"]["lang"] = "<b>\x07"
    odd["versions"] = {"<b>": "\x1b]0;x\x07"}
    odd["counts"] = None
    text = page({results["en"]: odd}, 0)
    found = check(text)
    assert "\x1b" not in text
    assert "\\x1b[31m" in found.text


def test_a_result_of_an_earlier_version_with_fewer_columns(
    results: dict[str, Path], tmp_path: Path
) -> None:
    """Sections without their columns are shorter or say so; the others are as ever."""
    old = {
        "transitions": ["kind", "tags", "page_id", "after_timestamp", "after_rev_id", "wiki"],
        "edits": ["page_title", "removed", "added", "diff_url"],
        "rejects": ["page_title", "verdict"],
        "corpus": ["label", "norm"],
    }
    for table, columns in old.items():
        for path in (results["en"] / table).glob("*.parquet"):
            rows = parquet.read_table(path, columns=columns).to_pylist()
            write_rows(tmp_path, f"{table}/{path.stem}", rows)
    made = {"settings": {}, "inputs": [], "corpus": {"removed": 67, "added": 63, "unchanged": 4}}
    found = check(page({tmp_path: made}, 0))
    assert "Another version of wikibias wrote its manifest" in found.text
    assert "No edit has a verdict here" in found.text
    assert "Halvern Dairies" in found.text
    assert "removal reverted" in found.text
    assert any("POV: half are gone" in str(svg["aria-label"]) for svg in found.of("svg"))


def test_a_folder_of_intents_is_told_of_as_one(intents: Path) -> None:
    made = Structure(shown(intents))
    text = " ".join(made.text.split())
    assert "Sentences that editors changed with an intent: qualityenwiki." in text
    assert "3 featured articles, 8 citation edits" in text
    assert "40 sentences with labels or judged to lack them" in text
    assert "clarification: 16 of 60 positives right" in text
    assert "relation is same_text" in text
    assert "rules of intents" in text
    assert "en.quality.example. The licence" in text
    assert "featured for 925 days" in text
    titles = {said for _, said in made.headings}
    assert "Sentences with labels" in titles
    # What is true of tags and of two classes is not of this folder.
    for said in ("tags out", "npov", "removal-edit", "biased", "2019 study", "dumps name no",
                 "intent: featured", "tagged for", "No corpus is built", "around a tag",
                 "Words that tell the classes apart", "How long tags stand"):  # fmt: skip
        assert said not in made.text.partition("Settings")[0], said


def test_a_folder_of_intents_stands_beside_one_of_tags(intents: Path, demo: Path) -> None:
    text = " ".join(Structure(shown(demo, intents)).text.split())
    assert "sentences with labels" in text
    assert "Editors put neutrality tags on an article" in text
    assert "Editors changed these sentences, and rules" in text
