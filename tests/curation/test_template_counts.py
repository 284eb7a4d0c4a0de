"""`wikibias tags count`: how often templates occur, and which names lead to which."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from threading import Event, Thread

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casefiles import cases
from exports import Page, Revision, export, run_process, wikibias
from wikibias.curation.counts_db import CountsDatabase
from wikibias.curation.template_counts import Wanted, count_parts
from wikibias.curation.template_names import TemplateNames
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.parts import find_parts
from wikibias.dumps.xml.mwxml_reader import read
from wikibias.mediawiki.namespaces import TEMPLATE, Namespaces, template_name
from wikibias.mediawiki.titles import key
from wikibias.tags.template_parser import active, calls

NAMES = TemplateNames(Namespaces.of({TEMPLATE: "Modèle", 100: "Portail"}))


def redirect(alias: str, *targets: str) -> Page:
    """Return the page of a template that led to each target in turn; "" is no redirect."""
    texts = [f"#REDIRECT [[Template:{t}]]" if t else "a box" for t in targets]
    return Page(alias, [Revision(text) for text in texts], TEMPLATE)


def counted(tmp_path: Path, *pages: Page, options: tuple[str, ...] = ()) -> dict[str, tuple]:
    """Count a dump of the pages; return name -> (target, pages, revisions, first, last)."""
    dump = tmp_path / "a.xml"
    dump.write_bytes(export(pages))
    ended = wikibias("tags", "count", "-q", *options, "-o", tmp_path / "o", dump)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    table = pq.read_table(tmp_path / "o/counts.parquet").to_pylist()
    columns = ("target", "pages", "revisions", "first_year", "last_year")
    return {row["name"]: tuple(row[c] for c in columns) for row in table}


def aliases(tmp_path: Path) -> list[tuple]:
    rows = pq.read_table(tmp_path / "o/aliases.parquet").to_pylist()
    return [(r["alias"], r["target"], r["resolved"], r["until"] is None) for r in rows]


@pytest.mark.parametrize("case", cases("names"))
def test_names_that_a_wikitext_calls(case):
    assert sorted(NAMES.of(case["text"])) == sorted(case["names"])


def test_a_call_counts_once_for_each_revision_and_page(tmp_path):
    mill = Page("Mill", [Revision("{{POV}} {{pov}} {{stub}}"), Revision("{{POV}}")])
    farm = Page("Farm", [Revision("{{ Template:POV |date=x}}")])
    talk = Page("Mill", [Revision("{{POV}}{{talk}}")], 1)
    found = counted(tmp_path, mill, farm, talk)
    assert found["POV"] == (None, 2, 3, 2019, 2019)
    assert found["Pov"][:3] == (None, 1, 1)
    assert "Talk" not in found
    assert "Talk" in counted(tmp_path, mill, talk, options=("--namespace", "1"))


def test_only_the_latest_revision(tmp_path):
    mill = Page("Mill", [Revision("{{POV}}"), Revision("{{stub}}"), Revision("x", lost=True)])
    assert list(counted(tmp_path, mill, options=("--latest",))) == ["Stub"]


def test_redirects_of_redirects_and_circles(tmp_path):
    pages = [
        redirect("NPOV", "Neutral"),
        redirect("Neutral", "POV"),
        redirect("POV", ""),
        redirect("A", "B"),
        redirect("B", "A"),
        redirect("Self", "Self"),
        Page("Mill", [Revision("{{nPOV}} {{NPOV}} {{POV}} {{A}}")]),
    ]
    found = counted(tmp_path, *pages)
    assert found["NPOV"][0] == "POV"
    assert found["A"][0] is None
    assert aliases(tmp_path) == [
        ("A", "B", "B", True),
        ("B", "A", "A", True),
        ("NPOV", "Neutral", "POV", True),
        ("Neutral", "POV", "POV", True),
    ]


def test_a_redirect_that_was_led_elsewhere_keeps_its_period(tmp_path):
    counted(tmp_path, redirect("Bias", "POV", "POV", "Weasel", "", "Weasel"))
    assert aliases(tmp_path) == [
        ("Bias", "POV", "POV", False),
        ("Bias", "Weasel", "Weasel", False),
        ("Bias", "Weasel", "Weasel", True),
    ]
    lines = (tmp_path / "o/aliases.tsv").read_text().splitlines()
    assert lines[1].split("\t")[2:4] == ["2019-03-01T12:00:00Z", "2019-03-21T12:00:00Z"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("#redirection [[Modèle:POV#top|x]] {{R}}", "POV"),
        ("  #виж [[:Template:p_OV]]", "P OV"),
        ("#REDIRECT: [[Template:POV", "POV"),
        ("#REDIRECT [[POV]]", None),
        ("#REDIRECT [[Wikipedia:POV]]", None),
        ("text #REDIRECT [[Template:POV]]", None),
    ],
)
def test_where_a_redirect_leads(text, target, tmp_path):
    dump = tmp_path / "a.xml"
    dump.write_bytes(export([Page("Alias", [Revision(text)], TEMPLATE)], lang="fr"))
    assert wikibias("tags", "count", "-o", tmp_path / "o", dump).code == 0
    assert [row[1] for row in aliases(tmp_path)] == ([target] if target else [])


def test_ratio_in_the_family_and_among_the_names_that_are_like(tmp_path):
    texts = ["{{weasel}}"] * 6 + ["{{weasel-inline}}"] * 3 + ["{{Ben Weasel}}"]
    mill = Page("Mill", [Revision(text) for text in texts])
    counted(tmp_path, mill, redirect("Weasel-inline", "Weasel"))
    rows = pq.read_table(tmp_path / "o/counts.parquet").to_pylist()
    assert [(r["name"], round(r["ratio"], 3)) for r in rows] == [
        ("Weasel", 0.667),
        ("Weasel-inline", 0.333),
        ("Ben Weasel", 1.0),
    ]
    ended = wikibias("tags", "count", "--like", "WEASEL", "-o", tmp_path / "o", tmp_path / "a.xml")
    assert [f"{share:.4f}" in ended.out for share in (0.6, 0.3, 0.1)] == [True] * 3


def test_parts_and_workers_change_nothing(tmp_path):
    pages = [Page(f"Mill {n}", [Revision("{{POV}}"), Revision(f"{{{{t{n}}}}}")]) for n in range(6)]
    for number in range(3):
        part = export([*pages[2 * number : 2 * number + 2]], first_id=1 + 10 * number)
        (tmp_path / f"part{number}.xml").write_bytes(part)
    outputs = []
    for workers in (1, 2):
        out = tmp_path / f"o{workers}"
        parts = [tmp_path / f"part{n}.xml" for n in range(3)]
        ended = run_process("tags", "count", "--workers", workers, "-o", out, *parts)
        assert (ended.code, ended.err) == (0, "")
        outputs.append(
            {
                p.name: p.read_bytes()
                for p in sorted(out.iterdir())
                if p.is_file() and not p.name.startswith(".")
            }
        )
    assert outputs[0] == outputs[1]
    assert b"POV\t\t6\t6\t" in outputs[0]["counts.tsv"]


@pytest.mark.parametrize("workers", [1, 2])
def test_news_of_a_part_come_while_it_is_read(workers, tmp_path):
    """A pipe gives the rest of a part only when there are news of it."""
    pages = [Page(f"Mill {n}", [Revision("{{POV}} " + "x" * 9999)]) for n in range(200)]
    whole = export(pages)
    (tmp_path / "a.xml").write_bytes(whole)
    os.mkfifo(tmp_path / "b.xml")
    news: list[tuple[str, str, int, int, int]] = []
    begun, in_time = Event(), list[bool]()

    def hear(*told) -> None:
        news.append(told)
        if told[0] == "b.xml":
            begun.set()

    def write() -> None:
        with (tmp_path / "b.xml").open("wb") as pipe:
            pipe.write(whole[: len(whole) // 2])
            pipe.flush()
            in_time.append(begun.wait(60))
            pipe.write(whole[len(whole) // 2 :])

    writer = Thread(target=write, daemon=True)
    writer.start()
    parts = find_parts([str(tmp_path / name) for name in ("a.xml", "b.xml")])
    counted = count_parts(tmp_path / "o", parts, Wanted(), workers=workers, on_progress=hear)
    writer.join(60)
    assert in_time == [True]
    assert [done.pages for _, done in counted] == [200, 200]
    last = {told[0]: told for told in news}
    assert last["a.xml"] == ("a.xml", "detect", len(whole), 200, 0)
    assert last["b.xml"][3] == 200


def test_a_part_counted_before_is_news_too(tmp_path):
    (tmp_path / "a.xml").write_bytes(export([Page("Mill", [Revision("{{POV}}")])]))
    parts = find_parts([str(tmp_path / "a.xml")])
    count_parts(tmp_path / "o", parts, Wanted())
    news = []
    count_parts(tmp_path / "o", parts, Wanted(), on_progress=lambda *told: news.append(told[3]))
    assert news == [1]


def test_the_same_again_reads_nothing_and_a_changed_part_is_counted_anew(tmp_path):
    counted(tmp_path, Page("Mill", [Revision("{{POV}}")]))
    made = (tmp_path / "o/parts/a.xml.sqlite").stat().st_mtime_ns
    counted_again = wikibias("tags", "count", "-o", tmp_path / "o", tmp_path / "a.xml")
    assert counted_again.code == 0
    assert (tmp_path / "o/parts/a.xml.sqlite").stat().st_mtime_ns == made
    assert list(counted(tmp_path, Page("Mill", [Revision("{{stub}} {{x}}")]))) == ["Stub", "X"]


def test_a_damaged_part_is_said_and_the_rest_kept(tmp_path):
    whole = export([Page("Mill", [Revision("{{POV}}")]), Page("Farm", [Revision("{{stub}}")])])
    (tmp_path / "a.xml").write_bytes(whole[:-300])
    command = ("tags", "count", "-o", tmp_path / "o", tmp_path / "a.xml", tmp_path / "none.xml")
    ended = wikibias(*command)
    assert ended.code == 1
    assert len(ended.errors) == 2
    assert "a.xml is cut off" in ended.err
    assert "POV" in (tmp_path / "o/counts.tsv").read_text()
    assert list(json.loads((tmp_path / "o/census.json").read_text())["errors"]) == [
        "a.xml",
        "none.xml",
    ]


def test_of_what_cannot_be_read_only_the_error_is_said(tmp_path):
    """And what an earlier run has counted stays."""
    (tmp_path / "a.xml").write_bytes(export([Page("Mill", [Revision("{{POV}}")])]))
    (tmp_path / "b.xml").write_bytes(b"a letter")
    whole = wikibias("tags", "count", "-o", tmp_path / "o", tmp_path / "a.xml")
    assert (whole.code, whole.err) == (0, "")
    assert whole.out.startswith("1 page, 1 revision: 1 name; 0 templates, 0 redirects.\n")
    before = (tmp_path / "o/counts.tsv").read_bytes()
    ended = wikibias("tags", "count", "-o", tmp_path / "o", tmp_path / "b.xml")
    assert (ended.code, ended.out, len(ended.errors)) == (1, "", 1)
    assert "b.xml is no MediaWiki export" in ended.err
    assert (tmp_path / "o/counts.tsv").read_bytes() == before
    both = wikibias("tags", "count", "-o", tmp_path / "o", tmp_path / "a.xml", tmp_path / "b.xml")
    assert (both.code, len(both.errors)) == (1, 1)
    assert "1 page, 1 revision" in both.out
    assert "POV" in both.out


def test_an_unknown_command_names_the_nearest():
    ended = wikibias("tags", "cuont")
    assert ended.code == 2
    assert "did you mean 'count'" in ended.err


PAGES = st.lists(
    st.dictionaries(
        st.tuples(st.sampled_from("abc"), st.integers(2001, 2003)), st.integers(1, 9), max_size=5
    ),
    max_size=8,
)


@given(pages=PAGES, held=st.integers(1, 6), cut=st.integers(0, 8))
@settings(max_examples=30)
def test_the_store_agrees_with_a_plain_count(pages, held, cut, tmp_path_factory):
    """Whenever it writes what it holds, and however the pages lie in parts."""
    folder = tmp_path_factory.mktemp("store")
    joined = CountsDatabase(folder / "merged", held)
    for number, part in enumerate((pages[:cut], pages[cut:])):
        store = CountsDatabase(folder / str(number), held)
        for page in part:
            store.add(page)
        store.close()
        joined.merge(folder / str(number))
    in_pages = Counter(name for page in pages for name in {n for n, _ in page})
    revisions, years = Counter(), {}
    for page in pages:
        for (name, year), count in page.items():
            revisions[name] += count
            years.setdefault(name, []).append(year)
    assert sorted(joined.rows("SELECT * FROM names")) == sorted(
        (n, in_pages[n], revisions[n], min(years[n]), max(years[n])) for n in in_pages
    )
    joined.close()


def test_real_dumps_agree_with_a_plain_count(shared, tmp_path):
    """Every call of two whole wikis, counted without the store, and their redirects."""
    expected, redirects = Counter(), 0
    dumps = sorted((shared / "dumps").glob("aawiki*")) + sorted((shared / "dumps").glob("chwiki*"))
    for dump in dumps:
        with open_part(str(dump)) as (stream, _):
            found = read(stream)
            namespaces = Namespaces.of(found.site.namespaces)
            names = TemplateNames(namespaces)
            for page in found.pages:
                last = None
                for revision in page.revisions:
                    last = revision.text
                    if page.namespace == 0 and last:
                        named = {template_name(c.name, namespaces) for c in calls(active(last))}
                        kept = {key(n, ignore_case=False) for n in named if n}
                        expected.update(kept & names.of(last))
                redirects += page.namespace == TEMPLATE and (last or "").startswith("#REDIRECT")
    ended = wikibias("tags", "count", "-o", tmp_path, *dumps)
    assert ended.code == 0
    rows = pq.read_table(tmp_path / "counts.parquet").to_pylist()
    assert {row["name"]: row["revisions"] for row in rows} == expected
    assert len(aliases_now(tmp_path)) == redirects == 8


def aliases_now(folder: Path) -> list[dict]:
    rows = pq.read_table(folder / "aliases.parquet").to_pylist()
    return [row for row in rows if row["until"] is None]
