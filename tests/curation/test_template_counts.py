"""`wikibias tags count`: the templates that a wikitext calls, how often, and redirects."""

import csv
import io
import json
import os
import shutil
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import Page, Revision, dumped, export, rows, wikibias
from hostile_texts import kinds, slow
from matchers import FRAGMENTS
from paths import cases
from template_counts import aliases, counted, redirect
from wikibias.curation import counts_tables, template_counts
from wikibias.dumps.parts import find_parts
from wikibias.dumps.xml import fast_reader
from wikibias.errors import DumpError, UsageError, WikibiasError
from wikibias.execution.pool import Trace, WorkerPool
from wikibias.execution.processes import no_progress
from wikibias.kits.folders import locked
from wikibias.mediawiki import TEMPLATE, Namespaces
from wikibias.tags.tagset import load_tagset


def test_a_call_counts_once_for_each_revision_and_page(tmp_path: Path) -> None:
    mill = Page("Mill", [Revision("{{POV}} {{pov}} {{stub}}"), Revision("{{POV}}")])
    farm = Page("Farm", [Revision("{{ Template:POV |date=x}}")])
    talk = Page("Mill", [Revision("{{POV}}{{talk}}")], 1)
    found = counted(tmp_path, mill, farm, talk)
    assert found["POV"] == (None, 2, 3, 2019, 2019)
    assert found["Pov"][:3] == (None, 1, 1)
    assert "Talk" not in found


def test_what_a_wrapper_carries_counts_as_it_does_in_extract(tmp_path: Path) -> None:
    first = "{{Articleissues|peacock=May 2010|orphan=1|weasel=}} {{Article issues|POV"
    second = "{{multiple issues\n|weasel = May\n|peacock=\n}}\n" + "A mill.\n" * 900
    pages = [Page("Mill", [Revision(first), Revision(second), Revision(second + "{{POV}}")])]
    found = counted(tmp_path, *pages)
    assert {name: row[1:3] for name, row in found.items() if "|" in name} == {
        "Articleissues|peacock": (1, 1),
        "Multiple issues|weasel": (1, 2),
    }
    out = tmp_path / "d"
    wikibias("detect", "--lang", "en", "--pairing", "addition-edit", "-o", out, tmp_path / "a.xml")
    aliases = [name for row in rows(out, "transitions") for name in row["aliases"]]
    assert {"Articleissues|peacock", "multiple issues|weasel"} < {*aliases}


def test_what_a_wrapper_carries_is_suggested_and_left_as_it_is(tmp_path: Path) -> None:
    counted(tmp_path, Page("Mill", [Revision("{{Article issues|peacock=May|x-peacock=May}}")]))
    wikibias("tags", "suggest", "--lang", "en", "--seed", "Peacock", tmp_path / "o").well()
    decided = tmp_path / "o/suggested-npov-en.tsv"
    (row,) = [line.split("\t") for line in decided.read_text().splitlines()[1:]]
    assert row[:4] == ["yes", "Peacock", "Article issues|peacock", "peacock"]
    assert "Nothing to change" in wikibias("tags", "apply", decided).well().out
    decided.write_text(decided.read_text().replace("yes", "no", 1))
    wikibias("tags", "apply", decided).refused("'Article issues|peacock'", "take it out by hand")


def test_each_period_of_a_redirect_is_kept(tmp_path: Path) -> None:
    counted(tmp_path, redirect("Bias", "POV", "POV", "Weasel", "", "Weasel"))
    assert aliases(tmp_path) == [
        ("Bias", "POV", "POV", False),
        ("Bias", "Weasel", "Weasel", False),
        ("Bias", "Weasel", "Weasel", True),
    ]
    lines = (tmp_path / "o/aliases.tsv").read_text().splitlines()
    assert lines[1].split("\t")[2:4] == ["2019-03-01T12:00:00Z", "2019-03-21T12:00:00Z"]


def test_where_a_redirect_leads(tmp_path: Path) -> None:
    texts = {
        "A": "#redirection [[Modèle:POV#top|x]] {{R}}",
        "B": "  #виж [[:Template:p_OV]]",
        "C": "#REDIRECT: [[Template:POV",
        "D": "#REDIRECT [[POV]]",
        "E": "#REDIRECT [[Wikipedia:POV]]",
        "F": "text #REDIRECT [[Template:POV]]",
    }
    pages = [Page(title, [Revision(text)], TEMPLATE) for title, text in texts.items()]
    wikibias("tags", "count", "-o", tmp_path / "o", dumped(tmp_path, pages, lang="fr")).well()
    assert [row[:2] for row in aliases(tmp_path)] == [("A", "POV"), ("B", "P OV"), ("C", "POV")]


def test_any_number_of_workers_gives_the_same_tables(tmp_path: Path) -> None:
    pages = [Page(f"Mill {n}", [Revision("{{POV}}"), Revision(f"{{{{t{n}}}}}")]) for n in range(6)]
    for number in range(3):
        part = export([*pages[2 * number : 2 * number + 2]], first_id=1 + 10 * number)
        (tmp_path / f"part{number}.xml").write_bytes(part)
    outputs = []
    for workers in (1, 2):
        out = tmp_path / f"o{workers}"
        parts = [tmp_path / f"part{n}.xml" for n in range(3)]
        wikibias("tags", "count", "--workers", workers, "-o", out, *parts).silent()
        seen = [path for path in out.glob("[!.]*") if path.is_file()]
        outputs.append({path.name: path.read_bytes() for path in seen})
    assert outputs[0] == outputs[1]
    assert b"POV\t\t6\t6\t" in outputs[0]["counts.tsv"]


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_is_reported_while_a_part_is_read(workers: int, tmp_path: Path) -> None:
    """A pipe delivers the rest of a part only after a progress report."""
    pages = [Page(f"Mill {n}", [Revision("{{POV}} " + "x" * 9999)]) for n in range(200)]
    whole = export(pages)
    (tmp_path / "a.xml").write_bytes(whole)
    os.mkfifo(tmp_path / "b.xml")
    reports: list[tuple[Any, ...]] = []
    begun, in_time = Event(), list[bool]()

    def collect(*report: Any) -> None:
        reports.append(report)
        if report[0] == "b.xml":
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
    with locked(tmp_path / "o"):
        counted = template_counts.count_parts(
            tmp_path / "o", parts, workers=workers, on_progress=collect
        )
    writer.join(60)
    assert in_time == [True]
    assert [done.pages for _, done in counted] == [200, 200]
    last = {report[0]: report for report in reports}
    assert last["a.xml"] == ("a.xml", "detect", len(whole), 200, 0)
    assert last["b.xml"][3] == 200


def test_only_a_changed_part_is_counted_again_but_all_are_reported(tmp_path: Path) -> None:
    counted(tmp_path, Page("Mill", [Revision("{{POV}}")]))
    made = (tmp_path / "o/parts/a.xml.sqlite").stat().st_mtime_ns
    parts, reports = find_parts([str(tmp_path / "a.xml")]), list[int]()
    template_counts.count_parts(tmp_path / "o", parts, on_progress=lambda *n: reports.append(n[3]))
    assert reports == [1]
    assert (tmp_path / "o/parts/a.xml.sqlite").stat().st_mtime_ns == made
    assert list(counted(tmp_path, Page("Mill", [Revision("{{stub}} {{x}}")]))) == ["Stub", "X"]


def test_a_damaged_part_is_an_error_and_its_start_is_counted(tmp_path: Path) -> None:
    whole = export([Page("Mill", [Revision("{{POV}}")]), Page("Farm", [Revision("{{stub}}")])])
    (tmp_path / "a.xml").write_bytes(whole[:-300])
    command = ("tags", "count", "-o", tmp_path / "o", tmp_path / "a.xml", tmp_path / "none.xml")
    ended = wikibias(*command)
    assert (ended.code, len(ended.errors)) == (1, 2)
    assert "a.xml is cut off" in ended.err
    assert "POV" in (tmp_path / "o/counts.tsv").read_text()
    census = json.loads((tmp_path / "o/census.json").read_text())
    assert list(census["errors"]) == ["a.xml", "none.xml"]


def test_a_file_that_cannot_be_read_does_not_change_earlier_counts(tmp_path: Path) -> None:
    dumped(tmp_path, [Page("Mill", [Revision("{{POV}}")])])
    (tmp_path / "b.xml").write_bytes(b"a letter")
    whole = wikibias("tags", "count", "-o", tmp_path / "o", tmp_path / "a.xml").silent()
    assert whole.out.startswith("1 page, 1 revision: 1 name; 0 templates, 0 redirects.\n")
    before = (tmp_path / "o/counts.tsv").read_bytes()
    ended = wikibias("tags", "count", "-o", tmp_path / "o", tmp_path / "b.xml")
    ended.refused("b.xml is no MediaWiki export", code=1)
    assert ended.out == ""
    assert (tmp_path / "o/counts.tsv").read_bytes() == before
    both = wikibias("tags", "count", "-o", tmp_path / "o", tmp_path / "a.xml", tmp_path / "b.xml")
    assert (both.code, len(both.errors)) == (1, 1)
    assert "1 page, 1 revision" in both.out
    assert "POV" in both.out


def test_redirects_of_real_dumps_are_those_that_last(shared: Path, tmp_path: Path) -> None:
    wikibias("tags", "count", "-o", tmp_path, *(shared / "dumps").glob("chwiki*")).well()
    rows = pq.read_table(tmp_path / "aliases.parquet").to_pylist()
    # As many pages of templates end as a redirect.
    assert len([row for row in rows if row["until"] is None]) == 8


def test_a_page_with_an_impossible_value_is_named_and_the_next_is_counted(tmp_path: Path) -> None:
    dump = tmp_path / "a.xml"
    xml = export([Page(name, [Revision("{{a}}")]) for name in ("Mill", "Farm", "Hill")])
    dump.write_bytes(xml.replace(b"<id>2</id>", b"<id>9223372036854775808</id>", 1))
    ended = wikibias("tags", "count", "-q", "-o", tmp_path / "o", dump)
    assert ended.code == 1
    assert "a.xml: Farm" in ended.err
    census = json.loads((tmp_path / "o/census.json").read_text())
    assert [page["page"] for page in census["unreadable"]] == ["Farm"]


def test_a_page_that_ended_its_process_twice_is_passed_over_and_named(tmp_path: Path) -> None:
    names = ("Mill", "Farm", "Hill")
    dump = dumped(tmp_path, [Page(name, [Revision(f"{{{{{name}}}}}")]) for name in names])
    path = tmp_path / ".a.xml.trace"
    path.write_bytes(b"page 2".ljust(64) * 2)
    (part,) = find_parts([str(dump)])
    with Trace(path) as trace, WorkerPool(1, trace) as pool:
        tagsets = template_counts.with_wrappers(part)
        found = template_counts.count_part(tmp_path, part, no_progress, pool, tagsets)
    assert (found.pages, found.unreadable, found.error) == (2, 1, None)
    (named,) = found.first_unreadable
    assert (named["page"], named["page_id"], named["revision"]) == ("Farm", 2, None)
    # It is remembered, and said again by every run.
    shutil.copytree(tmp_path / "parts", tmp_path / "o/parts")
    for _ in range(2):
        ended = wikibias("tags", "count", "-q", "-o", tmp_path / "o", dump)
        assert ended.code == 1
        assert "a.xml: Farm (page 2): ended the process" in ended.err
    assert json.loads((tmp_path / "o/census.json").read_text())["unreadable"][0]["page"] == "Farm"


YEARS = st.integers(2001, 2003)
COUNTS = st.tuples(st.integers(1, 9), YEARS, YEARS).map(lambda c: (c[0], min(c[1:]), max(c[1:])))
PAGES = st.lists(st.dictionaries(st.sampled_from("abc"), COUNTS, max_size=3), max_size=8)


@given(pages=PAGES, held=st.integers(1, 6), cut=st.integers(0, 8))
@settings(max_examples=30)
def test_counts_are_the_same_whenever_they_are_written(
    pages: list[dict[str, tuple[int, int, int]]],
    held: int,
    cut: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """However many counts are kept in memory, and however pages are divided into parts."""
    folder = tmp_path_factory.mktemp("store")
    merged = template_counts.CountsDatabase(folder / "merged", held)
    for number, part in enumerate((pages[:cut], pages[cut:])):
        store = template_counts.CountsDatabase(folder / str(number), held)
        for page in part:
            store.add(page)
        store.close()
        merged.merge(folder / str(number))
    of_name: dict[str, list[tuple[int, int, int]]] = {}
    for page in pages:
        for name, counts in page.items():
            of_name.setdefault(name, []).append(counts)
    expected = [
        (name, len(of), sum(c[0] for c in of), min(c[1] for c in of), max(c[2] for c in of))
        for name, of in of_name.items()
    ]
    assert sorted(merged.rows("SELECT * FROM names")) == sorted(expected)
    merged.close()


@pytest.mark.parametrize("content", [b"", bytes(4096), b"no database", b"SQLite format 3\0" * 99])
def test_a_damaged_file_is_named_where_it_is_needed(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "part").write_bytes(content)
    assert template_counts.read_about(tmp_path / "part") == {}
    store = template_counts.CountsDatabase(tmp_path / "merged")
    with pytest.raises(WikibiasError, match=r"part is damaged .*remove it"):
        store.merge(tmp_path / "part")
    store.close()


def test_the_description_of_counts_is_kept_but_with_more_than_our_tables_not_read(
    tmp_path: Path,
) -> None:
    """A view may be an endless query."""
    store = template_counts.CountsDatabase(tmp_path / "part")
    assert template_counts.read_about(tmp_path / "part") == {}
    store.remember({"wiki": "enwiki"})
    assert template_counts.read_about(tmp_path / "part") == {"wiki": "enwiki"}
    store.run("CREATE VIEW more AS SELECT 1")
    store.close()
    assert template_counts.read_about(tmp_path / "part") == {}
    merged = template_counts.CountsDatabase(tmp_path / "merged")
    with pytest.raises(WikibiasError, match="does not hold our tables"):
        merged.merge(tmp_path / "part")
    merged.close()


def test_chains_of_redirects_are_resolved_and_circles_are_not(tmp_path: Path) -> None:
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


def test_the_ratio_is_among_names_of_one_template_or_like_a_word(tmp_path: Path) -> None:
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


def test_no_cell_is_a_formula_for_a_spreadsheet(tmp_path: Path) -> None:
    names = ["=HYPERLINK(1)", "+1", "-", "@x", "＝1"]
    calls = " ".join(f"{{{{{name}}}}}" for name in names)
    counted(tmp_path, Page("Mill", [Revision(calls)]), redirect("=HYPERLINK(1)", "@x"))
    for table in ("counts", "aliases"):
        lines = (tmp_path / f"o/{table}.tsv").read_text("utf-8").splitlines()
        cells = [cell for line in lines for cell in line.split("\t")]
        assert "'=HYPERLINK(1)" in cells
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "＝"))]
    kept = pq.read_table(tmp_path / "o/counts.parquet").to_pylist()
    assert {row["name"] for row in kept} == set(names)


def test_a_folder_without_counts_is_refused_with_the_command_to_run(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=f"no template counts; run `wikibias tags count -o {tmp_path}"
    ):
        counts_tables.read_about(tmp_path)


def test_a_name_with_quotation_marks_swallows_no_line(tmp_path: Path) -> None:
    text = '{{"q}} {{"q"}} {{r "s}} {{t}}'
    counted(tmp_path, Page("Mill", [Revision(text)]))
    (table,) = tmp_path.rglob("counts.tsv")
    with table.open(encoding="utf-8", newline="") as file:
        names = {row["name"] for row in csv.DictReader(file, delimiter="\t")}
    assert names == {'"q', '"q"', 'R "s', "T"}


NAMES = template_counts.TemplateNames(
    Namespaces.of({TEMPLATE: "Modèle", 100: "Portail"}), [load_tagset("npov", "en")]
)


@pytest.mark.parametrize("case", cases("names"))
def test_names_that_a_wikitext_calls(case: dict[str, Any]) -> None:
    assert sorted(NAMES.of(case["text"])) == sorted(case["names"])


# What may stand in a name, or end it, or make another name of it.
SIGNS = "{{ { }} } [[ ]] [ ] | # : < > &#35; &lt a Template: safesubst: #if: DEFAULTSORT:".split()
WORDS = st.sampled_from([*FRAGMENTS, *SIGNS, *SIGNS, "\n", " ", "a" * 99, "\n" + " " * 198])
TEXTS = st.lists(WORDS, max_size=20).map("".join)


@given(TEXTS, TEXTS)
def test_a_text_calls_what_the_parser_finds_and_a_piece_that_can_tell_whatever_follows(
    piece: str, rest: str
) -> None:
    assert NAMES.of(piece) == NAMES.parsed(piece)
    assert NAMES.of_piece(piece, is_last=True) in (None, NAMES.parsed(piece))
    piece += "\n"
    told = NAMES.of_piece(piece, is_last=False)
    if told is not None:
        assert told == NAMES.parsed(piece)
        assert told | NAMES.parsed(rest) == NAMES.parsed(piece + rest)


@pytest.mark.parametrize(
    "text",
    [
        "{{POV}} {{cite|title=[[Mill]]}} {{{1|x}}} {{DEFAULTSORT:{{PAGENAME}}}} {{a[[b]]|c}}\n",
        "{{Infobox\n| name = Mill <ref>{{cite}}</ref>\n",
    ],
)
def test_usual_pieces_can_tell(text: str) -> None:
    assert NAMES.of_piece(text, is_last=False) == NAMES.parsed(text)


def test_names_are_told_where_a_namespace_has_an_impossible_name() -> None:
    names = template_counts.TemplateNames(Namespaces.of({TEMPLATE: "a[b", 100: "#if"}))
    for text in ("{{a[b:POV}}", "{{a[b:#x", "{{#if:POV|x}}"):
        assert names.of(text) == names.parsed(text)


LINES = ["A mill.\n", "{{Infobox mill\n", "|built=1850\n", "}}\n", "{{a|{{b}}}}\n", "<!-- {{c}}\n"]
CALLED_WORDS = st.sampled_from(
    [*FRAGMENTS, *LINES, "#", "{{#if:", "{{d#", "</nowiki>\n", "'", '"', "é"]
)
CALLED_TEXTS = st.lists(CALLED_WORDS, max_size=30)
# Where a text is changed, how much of it goes, and what comes.
EDITS = st.tuples(st.integers(0, 30), st.integers(0, 6), st.lists(CALLED_WORDS, max_size=4))


def told(texts: list[str], size: int) -> list[frozenset[str]]:
    """Return what each of the texts calls, which follow one another in a page."""
    dump = fast_reader.read(io.BytesIO(export([Page("Mill", [Revision(text) for text in texts])])))
    called = template_counts.CalledNames(NAMES, size)
    return [called.of(revision) for page in dump.pages for revision in page.revisions]


@given(CALLED_TEXTS, st.lists(EDITS, max_size=5), st.integers(1, 40))
def test_each_text_calls_what_the_parser_finds_in_it(
    words: list[str], edits: list[tuple[int, int, list[str]]], size: int
) -> None:
    texts = ["".join(words)]
    for at, gone, new in edits:
        words = [*words[:at], *new, *words[at + gone :]]
        texts.append("".join(words))
    texts += texts[::-2]
    assert told(texts, size) == [NAMES.parsed(text) for text in texts]


def test_a_revert_to_an_earlier_text_calls_what_that_did() -> None:
    page = "{{Infobox mill\n|built=1850\n}}\n" + "A mill on the river.\n" * 50 + "{{Stub}}"
    texts = list(islice(cycle([page, "", page + "{{POV}}", page.replace("river", "lake")]), 12))
    assert told(texts, 20) == [NAMES.parsed(text) for text in texts]


@pytest.mark.parametrize("damage", [b"\xff", b"\x01"])
def test_damage_in_what_changed_is_told_and_elsewhere_was_told_before(damage: bytes) -> None:
    texts = [f"{{{{Stub}}}}\nA mill.\n{'A farm. ' * n}\nA hill.\n" for n in range(4)]
    xml = export([Page("Mill", [Revision(text) for text in texts])])
    xml = xml.replace(b"A farm. A farm. A", b"A farm. A farm. %bA" % damage)
    called = template_counts.CalledNames(NAMES, 5)
    page = next(fast_reader.read(io.BytesIO(xml)).pages)
    assert [called.of(revision) for revision in islice(page.revisions, 3)] == [{"Stub"}] * 3
    with pytest.raises(DumpError, match="in page 'Mill' in revision 4"):
        called.of(next(page.revisions))


def test_no_text_takes_more_than_its_share_of_time() -> None:
    def count(text: str) -> None:
        with suppress(DumpError):  # characters that no export can hold
            told([text, text + "\nA mill.", "A farm.\n" + text], 400)

    assert slow(count, kinds(), 1_000) == {}
