"""Transitions and edits of dumps, by the interface for Python."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import wikibias
from exports import wikibias as run
from paths import ROOT

DUMPS = {
    "en": "samples/demoenwiki-20260101-pages-meta-history.xml.7z",
    "fr": "samples/demofrwiki-20260101-pages-meta-history.xml.bz2",
}
_OF_ENRICHMENT = ("scope", "section", "pointed_at", "edited_text", "only_tags")
_OF_INTENTS = (
    *("line_before", "line_after", "line_section"),
    *("fact_element", "fact_action", "fact_number"),
)
DAMAGED = ROOT / "tests" / "fixtures" / "dumps" / "truncated.xml.bz2"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_they_are_those_of_extract(lang: str, workplace: Path) -> None:
    frame = wikibias.to_pandas(wikibias.find_transitions(DUMPS[lang], lang), texts=True)
    table = wikibias.load_table(f"corpora/{lang}", "transitions").to_pandas()
    only_in_tables = {*table.columns} - {*frame.columns}
    assert only_in_tables == {*_OF_ENRICHMENT, *_OF_INTENTS}
    pd.testing.assert_frame_equal(frame, table[frame.columns])


def test_edits_found_by_their_summary_are_those_of_detect(workplace: Path, tmp_path: Path) -> None:
    out = tmp_path / "both"
    both = ("--signal", "tag", "--signal", "summary")
    assert run("detect", "-q", "--lang", "en", *both, "-o", out, DUMPS["en"]).code == 0
    table = wikibias.load_table(out, "transitions").to_pandas()
    found = wikibias.find_transitions(DUMPS["en"], "en", signals=("tag", "summary"))
    frame = wikibias.to_pandas(found, texts=True)
    pd.testing.assert_frame_equal(frame, table[frame.columns])
    alone = wikibias.find_transitions(DUMPS["en"], "en", signals=["summary"])
    summaries = [found.provenance.after_rev_id for found in alone]
    assert summaries == table[table["signal"] == "summary"]["after_rev_id"].tolist() != []


@pytest.mark.parametrize("options", [{"signals": ()}, {"signals": "tag"}, {"summary_rule": "x"}])
def test_a_signal_that_is_none(options: dict[str, Any]) -> None:
    with pytest.raises(wikibias.UsageError, match="take"):
        wikibias.find_transitions(DUMPS["en"], "en", **options)


def test_a_tagset_of_ones_own(workplace: Path, tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_text('[[tag]]\nname = "Advert"\nfamily = "mine"\n')
    tagset = wikibias.read_tagset(tmp_path / "en.toml")
    by_file = wikibias.to_pandas(wikibias.find_transitions(DUMPS["en"], "en", tagset))
    assert set(by_file["tags"].map(tuple)) == {("Advert",)}
    npov = wikibias.load_tagset("npov", "en").only(["promotional"])
    by_family = wikibias.to_pandas(wikibias.find_transitions(DUMPS["en"], "en", npov))
    assert len(by_family) >= len(by_file) > 0


def test_no_transitions_make_an_empty_frame() -> None:
    frame = wikibias.to_pandas([])
    assert frame.empty
    assert {"page_title", "kind", "tags", "diff_url"} <= {*frame.columns}


def test_what_comes_before_the_damage_is_yielded() -> None:
    found = wikibias.find_transitions(DAMAGED, "fr")
    kinds = [next(found).provenance.kind for _ in range(2)]
    assert kinds == ["added", "removed"]
    with pytest.raises(wikibias.DumpError, match="cut off"):
        list(found)


def test_a_wrong_name_is_told_at_once() -> None:
    with pytest.raises(wikibias.UsageError, match="did you mean 'npov'"):
        wikibias.find_transitions(DUMPS["en"], "en", "npow")


def test_all_pages_of_a_folder_are_read(workplace: Path) -> None:
    titles = [page.title for page in wikibias.read_pages("samples")]
    one = [page.title for page in wikibias.read_pages(sorted(Path("samples").iterdir()))]
    assert titles == one
    assert {"Halvern Dairies", "Fondation Thélusson-Marre"} <= {*titles}


def test_namespaces_are_chosen(workplace: Path) -> None:
    found = {page.namespace for page in wikibias.read_pages("samples", namespaces=range(20))}
    assert found > {0}


def test_revisions_before_the_damage_are_yielded() -> None:
    seen = []
    pages = wikibias.read_pages(DAMAGED, "fr")
    with pytest.raises(wikibias.DumpError, match="cut off"):  # noqa: PT012 (from the loop)
        for page in pages:
            seen += [revision.id for revision in page.revisions]
    assert len(seen) > 10


def test_a_wrong_name_of_a_dump_is_told_at_once() -> None:
    with pytest.raises(wikibias.UsageError, match="unknown language 'english'; did you mean 'en'"):
        wikibias.read_pages(DAMAGED, "english")
    with pytest.raises(wikibias.UsageError, match="no dump was given"):
        wikibias.read_pages([])
    with pytest.raises(wikibias.DumpError, match=r"nowhere.*No such file"):
        next(wikibias.read_pages("nowhere.xml.bz2"))
