"""Edits found by their summaries, through the commands: beside tags, resumed, from stub dumps."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from exports import Page, Revision, body, dumped, history, mended, rows, tagged, wikibias
from months import stub_of
from results import extract, manifest_of, told, transitions
from wikibias.kits.parquet import read_meta

BOTH = ("--signal", "tag", "--signal", "summary")
WNC = ("--signal", "summary", "--summary-rule", "wnc")
# The third revision takes a tag out and says why; the fifth undoes the fourth.
MILL = Page(
    "Mill",
    [
        Revision(body(1)),
        Revision(tagged(1, 1)),
        Revision(mended(1, 1), comment="more neutral: NPOV"),
        Revision(mended(1, 1) + "\n\nA weir lies below the mill.", comment="POV again"),
        Revision(mended(1, 1), comment="no"),
        Revision(mended(1, 1) + "\n\nThe pond is shallow.", comment="rv POV"),
    ],
)
BORN = Page("Pond", [Revision(body(2), comment="a neutral start")])
LOST = Page("Weir", [Revision(body(3), lost=True), Revision(body(3), comment="less bias, npov")])
TALK = Page("Mill", [Revision("a"), Revision("b", comment="a pov?")], namespace=1)
TEMPLATE = Page("POV", [Revision("a"), Revision("b", comment="a pov?")], namespace=10)
PAGES = [MILL, BORN, LOST, TALK, TEMPLATE]


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return dumped(tmp_path, PAGES, "dump.xml")


@pytest.mark.parametrize("reader", ["fast", "mwxml"])
def test_both_sources_in_one_reading(dump: Path, tmp_path: Path, reader: str) -> None:
    found = transitions(tmp_path / "o", *BOTH, "--reader", reader, dump)
    assert told(found) == [
        ("tag", "added", "addition-edit", "Mill", 1, 2, False),
        ("tag", "removed", "removal-edit", "Mill", 2, 3, False),
        ("summary", "removed", "summary-edit", "Mill", 2, 3, False),
        ("summary", "removed", "summary-edit", "Mill", 3, 4, False),
        ("summary", "removed", "summary-edit", "Pond", None, 7, False),
        ("summary", "removed", "summary-edit", "Weir", 8, 9, False),
    ]
    by_summary = [row for row in found if row["signal"] == "summary"]
    assert all(not (row["tags"] or row["aliases"] or row["scope"]) for row in by_summary)
    texts = [(row["before_text"], row["after_text"]) for row in by_summary]
    assert texts[0] == (tagged(1, 1), mended(1, 1))
    # The first revision of a page has none before it; a text that was lost is not known.
    assert texts[2:] == [("", body(2)), (None, body(3))]
    facts = manifest_of(tmp_path / "o")
    assert facts["counts"]["summary_edits"] == 4
    # The rows of tags are those without summaries.
    of_tags = [row for row in found if row["signal"] == "tag"]
    assert of_tags == transitions(tmp_path / "tags", "--reader", reader, dump)
    assert by_summary == transitions(
        tmp_path / "s", "--signal", "summary", "--reader", reader, dump
    )


def test_what_undoes_an_edit_and_what_it_restores(tmp_path: Path) -> None:
    """The revisions lie ten days apart, so the reverts reach farther than usual."""
    texts = ["a", "a b", "a", "a b", "c"]
    page = Page("Mill", [Revision(text, comment="npov") for text in texts])
    path = dumped(tmp_path, [page])
    config = tmp_path / "far.toml"
    config.write_text(f"[reverts]\nradius = 15\ndays = {timedelta(days=900).days}\n")
    found = transitions(tmp_path / "o", "--signal", "summary", "--config", config, path)
    assert [row["reverted"] for row in found] == [False, True, True, False, False]
    assert [row["restores_rev_id"] for row in found] == [None, None, 1, 2, None]
    assert found[1]["survived_days"] == 10
    stub = tmp_path / "stub.xml"
    stub.write_bytes(stub_of(path.read_bytes()))
    facts = ("reverted", "restores_rev_id", "survived_days", "before_rev_id", "after_rev_id")
    of_stub = transitions(tmp_path / "s", "--signal", "summary", "--config", config, stub)
    assert [[row[n] for n in facts] for row in of_stub] == [
        [row[n] for n in facts] for row in found
    ]
    assert all(row["before_text"] is None for row in of_stub[1:])


def test_the_published_rule_reads_all_namespaces_but_talk(dump: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub.xml"
    stub.write_bytes(stub_of(dump.read_bytes()))
    for each in (dump, stub):
        found = transitions(tmp_path / each.stem, *WNC, each)
        # It knows no `rv`.
        assert [row["after_rev_id"] for row in found] == [3, 6, 7, 9, 13]
    found = transitions(tmp_path / "a", *WNC, "--namespace", 0, dump)
    assert [row["after_rev_id"] for row in found] == [3, 6, 7, 9]
    both = transitions(tmp_path / "b", *BOTH, "--summary-rule", "wnc", dump)
    assert [row["after_rev_id"] for row in both if row["signal"] == "tag"] == [2, 3]


def test_edits_of_which_a_text_is_missing_have_a_verdict(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    extract(out, *BOTH, dump).well()
    verdicts = {row["after_rev_id"]: row["verdict"] for row in rows(out, "rejects")}
    assert verdicts[9] == "unknown_text"
    # Of a page's first revision there is nothing to compare.
    assert 7 not in {row["after_rev_id"] for row in rows(out, "diffs")}
    assert wikibias("report", out).code == 0
    shown = " ".join(wikibias("inspect", out, 9).out.split())
    assert "dropped: unknown_text: the text of a revision is not known; `wikibias fetch" in shown
    assert "DROPS IT" not in shown
    assert "summary edits" in wikibias("status", out).out


def test_an_edit_found_twice_gives_its_sentences_once(tmp_path: Path) -> None:
    """A removal of a tag whose summary names the policy: the row of the tag counts."""
    page = history("Village", 6)
    said = [
        replace(each, comment="copy-edit" if "{{POV" in each.text else "NPOV: mended")
        for each in page.revisions
    ]
    path = dumped(tmp_path, [Page("Village", said)], "dump.xml")
    out, alone = tmp_path / "both", tmp_path / "tags"
    assert extract(out, "--split", "sentence", *BOTH, path).code == 0
    assert extract(alone, "--split", "sentence", path).code == 0
    assert "summary" in {row["signal"] for row in rows(out, "edits")}
    ids = [row["sentence_id"] for row in rows(out, "corpus") if row["label"] == "biased"]
    assert len(set(ids)) == len(ids)
    assert set(ids) >= {
        row["sentence_id"] for row in rows(alone, "corpus") if row["label"] == "biased"
    }


def test_next_months_dump_takes_the_place_of_both(tmp_path: Path) -> None:
    """A row of the tag and one of the summary say different things of one revision."""
    old = dumped(tmp_path, [MILL], "w-20190101-x.xml")
    new = dumped(tmp_path, [MILL, BORN], "w-20200101-x.xml")
    out, once = tmp_path / "o", tmp_path / "once"
    transitions(out, *BOTH, old)
    transitions(out, *BOTH, new)
    again = transitions(once, *BOTH, new)
    assert told(rows(out, "transitions")) == told(again)
    repeated = manifest_of(out)["repeated"]
    assert repeated == {"removed": 1, "added": 1, "spans": 0, "summary_edits": 2}
    assert " and 2 summary edits stand in an earlier dump as well" in wikibias("status", out).out
    assert wikibias("pairs", out, "--out", tmp_path / "pairs").code == 0
    funnel = json.loads((tmp_path / "pairs" / "funnel.json").read_text())
    in_rows = [row for row in rows(out, "transitions") if row["signal"] == "summary"]
    assert funnel["kept"] - funnel["superseded"] == len(in_rows)


def test_a_language_without_a_tag_set_has_summaries(dump: Path, tmp_path: Path) -> None:
    command = ("detect", "--lang", "vi", "--lang-anyway")
    wikibias(*command, "--signal", "summary", "-o", tmp_path / "o", dump).well()
    assert rows(tmp_path / "o", "transitions")
    wikibias(*command, "-o", tmp_path / "t", dump).refused()


@pytest.mark.parametrize(
    ("name", "counts", "lost"),
    [
        ("enwiki-anarchism-full-history.xml.7z", [597, 75, 2, 520], (18, 17)),
        ("enwiki-anarchism-600-revisions-schema0.11.xml.7z", [23, 3, 0, 20], (0, 0)),
        ("chwiki-20180501-pages-meta-history.xml.7z", [2, 1, 0, 1], (0, 0)),
    ],
)
def test_the_measured_figures(
    name: str, counts: list[int], lost: tuple[int, int], shared: Path, tmp_path: Path
) -> None:
    """Those that the harvest of WNC gives on real histories.

    *Anarchism* was marked as featured for 63 seconds, at revision 83542567, and so never was it.
    """
    found = transitions(tmp_path / "o", *WNC, "--signal", "featured", shared / "dumps" / name)
    assert [row["signal"] for row in found] == ["summary"] * counts[-1]
    texts = [[row[side] for row in found].count(None) for side in ("before_text", "after_text")]
    assert tuple(texts) == lost
    (path,) = (tmp_path / "o/transitions").glob("*.parquet")
    expected = dict(zip(("matched", "reverts", "pover", "kept"), counts, strict=True))
    assert (read_meta(path) or {})["summaries"] == expected
