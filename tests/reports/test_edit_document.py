"""The report on an edit or a page, and samples of edits and pairs: what they say and show."""

import math
import re
from collections import Counter
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import pytest
from rich.cells import cell_len

from blocks import cells, changed, changes, of, quiet, sections, sides, words
from exports import Page, Revision, body, result_of
from made_edits import edit
from made_pairs import pair
from page_checks import Structure
from wikibias.edits.filters import kept, rejected
from wikibias.errors import UsageError
from wikibias.kits import console, document
from wikibias.kits.document import Quote, Section, Text
from wikibias.kits.parquet import writing
from wikibias.kits.schemas import EDITS_TABLE, REJECTS_TABLE, SENTENCE_PAIRS_TABLE, Table
from wikibias.records import EditedSpan, Link, Sentence, SentencePair
from wikibias.reports import edit_document, samples
from wikibias.reports.edit_document import write_report
from wikibias.reports.inspection import EditReport, Inspection, edit_reports_at, inspect, recognised
from wikibias.reports.result_folder import ResultTables
from wikibias.reports.samples import MOST_CHANGES, MOST_CHARACTERS, Place, Reservoir, in_days


@cache
def story(demo: Path, revision: int) -> EditReport:
    return next(edit_reports_at(ResultTables(demo), revision))


def told(found: EditReport) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else value.text
        for name, value in edit_document.facts(found)
    }


def addresses(found: EditReport) -> dict[str, str]:
    known = edit_document.facts(found)
    return {name: value.url for name, value in known if isinstance(value, document.Link)}


def test_the_revisions_of_an_edit_are_linked(demo: Path) -> None:
    """What the facts say stands in docs/how-to/look-at-a-corpus.md."""
    urls = addresses(story(demo, 50))
    assert urls["diff"] == "https://en.demo.example/w/index.php?diff=50&oldid=47"
    assert urls["before"] == "https://en.demo.example/w/index.php?oldid=47"


def test_an_addition_tells_how_it_ended(demo: Path) -> None:
    found = story(demo, 4)
    assert "taken out by revision 7 on 2007-01-09, after 283 days" in told(found)["tag"]
    assert edit_document.verdict(found).startswith("none: the run compares removal-edit only")


@pytest.mark.parametrize(
    ("scope", "section", "pointed_at", "said"),
    [
        ("article", "", "", "about the whole article"),
        ("article", "Past", "", "about the whole article, stands under the heading “Past”"),
        ("inline", "", "It is fine.", "inside the text, about “It is fine.”"),
        ("wrapping", "Past", "", "around a text under the heading “Past”, about what is not known"),
        ("inline", "", "x" * 999, "about “" + "x" * 300 + "…”"),
    ],
)
def test_where_a_tag_is(scope: str, section: str, pointed_at: str, said: str, demo: Path) -> None:
    found = story(demo, 7)
    context = replace(
        found.change.context, scope=(scope,), section=(section,), pointed_at=(pointed_at,)
    )
    assert said in told(replace(found, change=replace(found.change, context=context)))["tag"]


def altered(found: EditReport, **facts: Any) -> EditReport:
    """The report on an edit of which other things are known."""
    made = replace(found.provenance, **facts)
    return replace(found, change=replace(found.change, provenance=made))


def test_a_page_tagged_from_the_first_revision_on(demo: Path) -> None:
    found = altered(story(demo, 4), before_rev_id=None, before_timestamp=None, diff_url="")
    facts = told(found)
    assert facts["before"].startswith("none: ")
    assert facts["diff"] == "the dump gives no address"
    assert not addresses(replace(found, earlier=None, later=None))


def test_verdicts(demo: Path) -> None:
    assert edit_document.verdict(story(demo, 7)) == "kept"
    found = story(demo, 50)
    assert edit_document.verdict(found) == "dropped: spelling"
    titled = replace(found, verdict="tag_only")
    assert edit_document.verdict(titled).startswith("dropped: tag_only (only the tag removed), as")
    changed = replace(found, verdict="mine")
    assert edit_document.verdict(changed) == (
        "dropped: mine, as recorded; the filters of this version say dropped: spelling"
    )
    assert "none recorded yet" in edit_document.verdict(replace(found, verdict=None))


def section_of(found: EditReport) -> Section:
    (section,) = edit_document.document(Inspection("f", "a", edits=(found,))).sections
    assert isinstance(section, Section)
    return section


def test_answers_and_places(demo: Path) -> None:
    found = story(demo, 50)
    off = replace(found.answers[0], reason="not_parent", is_off=True)
    inner = sections(section_of(replace(found, answers=(off, *found.answers[1:]))))
    column = [row[1] for row in cells(inner["What each filter answers"])]
    assert column == ["counts only", *["passes"] * 9, "DROPS IT"]
    kept = story(demo, 7)
    place = edit_document.place(kept.sentences[0])
    outcome = r"train, confidence 0\.\d\d, tier high \(tagged, few_removed, rewritten\)"
    told = r"; raised by (.+ \+\d\.\d, ){2}.+; lowered by .+ -\d\.\d; all else [+-]\d\.\d"
    assert re.fullmatch(outcome + told, place)
    assert "strong praise taken out +" in place
    numbers = [abs(float(n)) for n in re.findall(r"[+-]\d\.\d", place.partition("lowered")[0])]
    assert numbers == sorted(numbers, reverse=True)
    sure = kept.sentences[0].confidence or 0
    odds = math.log(sure / (1 - sure))
    assert sum(map(float, re.findall(r"[+-]\d\.\d", place))) == pytest.approx(odds, abs=0.4)
    sentences = sections(section_of(kept))["Sentences"]
    assert changes(sentences)[0].note == "rewritten, similarity 52"
    sizes = [(len(each.before), len(each.after)) for each in changes(sentences)]
    assert sizes == [(1, 1), (1, 0), (1, 1), (1, 1), (1, 0), (0, 1), (0, 1)]
    (alone,) = sections(sentences)
    assert alone.startswith("9 unchanged: 6 ")


BOMB = "<script>alert(1)</script>"
SHOWN = "&lt;script&gt;alert(1)&lt;/script&gt;"  # as wikitext, whose entities a reader sees


def seen(folder: Path, words: str, path: Path) -> Structure:
    write_report(inspect(folder, recognised(words)), path)
    return Structure(path.read_text("utf-8"))


def test_an_edit(demo: Path, tmp_path: Path) -> None:
    page = seen(demo, "7", tmp_path / "a.html")
    for said in (
        "Halvern Dairies: revision 7 took out Advert",
        "From the result folder demo.",
        "redirect_or_blank",
        "few_removed",
        "demoenwiki-7-removed-0",
        "removed, rewritten, similarity 52",
    ):
        assert said in page.text
    assert page.of("del")
    assert page.of("ins")
    links = [str(link["href"]) for link in page.of("a")]
    assert all(link.startswith(("https://en.demo.example/", "#")) for link in links)
    assert str(tmp_path) not in (tmp_path / "a.html").read_text("utf-8")


def test_the_sentence_that_was_asked_for_is_marked_and_in_sight(demo: Path, tmp_path: Path) -> None:
    page = seen(demo, "demoenwiki-7-unchanged-4", tmp_path / "a.html")
    assert "(asked for)" in page.text
    assert "<details open>" in (tmp_path / "a.html").read_text("utf-8")


def test_markup_of_others_stays_text(tmp_path: Path) -> None:
    before = f"{SHOWN} is the finest mill of all."
    after = f"{SHOWN} has 4 floors \u202e and a wheel."
    texts = [body(1), f"{{{{POV}}}}\n{body(1)}\n\n{before}", f"{body(1)}\n\n{after}"]
    page = Page(f"Mill {BOMB} \u202e", [Revision(text, comment=BOMB) for text in texts])
    out = result_of(tmp_path, [page], "extract")
    for asked in ("3", f"Mill {BOMB} \u202e"):
        found = seen(out, asked, tmp_path / "page.html")
        assert not found.of("script")
        assert BOMB in found.text
        assert "\u202e" not in found.text


def test_a_story_is_one_page_and_other_files_are_left_alone(demo: Path, tmp_path: Path) -> None:
    story = inspect(demo, recognised("7"))
    write_report(story, tmp_path / "a.html")
    first = (tmp_path / "a.html").read_bytes()
    write_report(story, tmp_path / "a.html")
    assert (tmp_path / "a.html").read_bytes() == first
    (tmp_path / "b.html").write_text("<p>my own notes</p>")
    with pytest.raises(UsageError, match=r"b\.html is no page of wikibias"):
        write_report(story, tmp_path / "b.html")
    assert (tmp_path / "b.html").read_text() == "<p>my own notes</p>"


def shown(found: Inspection, monkeypatch: pytest.MonkeyPatch, width: int) -> str:
    monkeypatch.setenv("COLUMNS", f"{width}")
    with redirect_stdout(StringIO()) as out:
        console.show(*edit_document.document(found).sections)
    return out.getvalue()


@pytest.mark.parametrize("asked", ["7", "Varnholt Institute"])
def test_it_fits(asked: str, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (80, 200):
        out = shown(inspect(demo, recognised(asked)), monkeypatch, width)
        assert max(map(cell_len, out.splitlines())) <= width


def test_colour_where_there_is_a_terminal(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = inspect(demo, recognised("7"))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = shown(found, monkeypatch, 100)
    assert "\x1b[" in coloured
    assert "[-finest-]" not in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "[-finest-]" in shown(found, monkeypatch, 100)


def test_text_of_others_draws_nothing(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = inspect(demo, recognised("7"))
    (story,) = found.edits
    bad = "\x1b[31m\u202e[bold]\r\n"
    first = replace(story.sentences[0], sentence=Sentence(f"{bad}mill", "mill"))
    made = altered(story, page_title=bad, comment=bad, editor=bad)
    other = replace(made, sentences=(first, *story.sentences[1:]))
    out = shown(replace(found, edits=(other,)), monkeypatch, 100)
    assert not {"\x1b", "\u202e", "\r"} & set(out)
    assert "[bold]" in out


R = TypeVar("R")
BEFORE = Link("0", "A large mill.", "rewritten", 80.0, "2:8")
AFTER = Link("0", "A finest mill.", "rewritten", 80.0, "2:7")
GONE, CAME = Link("", "", "deleted", 0.0, ""), Link("", "", "inserted", 0.0, "")
ALIGNED: dict[str, Any] = {
    "removed": ["A finest mill.", "Gone for ever."],
    "added": ["A new one.", "A large mill."],
    "links": (BEFORE, GONE),
    "added_links": (CAME, AFTER),
}


def written(path: Path, table: Table[R], record: R) -> Place:
    with writing(path, table, dict) as rows:
        rows.write(record)
    return Place(path, 0)


def shown_edit(tmp_path: Path, provenance: dict[str, Any] | None = None, **facts: Any) -> Section:
    """A kept edit as the page shows it."""
    made = edit(**{**ALIGNED, **facts})
    made = replace(made, provenance=replace(made.provenance, **(provenance or {})))
    (found,) = samples.kept_edits([written(tmp_path / "e", EDITS_TABLE, kept(made, "kept"))])
    return found


def test_partners_stand_side_by_side_and_others_alone(tmp_path: Path) -> None:
    rewritten, gone, came = changes(shown_edit(tmp_path))
    assert (changed(rewritten.before), changed(rewritten.after)) == (["finest"], ["large"])
    assert (sides(gone), gone.note) == (("Gone for ever.", ""), "deleted")
    assert (sides(came), came.note) == (("", "A new one."), "inserted")


def test_a_partner_outside_of_the_tagged_part_is_shown(tmp_path: Path) -> None:
    _, partner = changes(shown_edit(tmp_path, removed=[], links=()))
    assert sides(partner) == ("A finest mill.", "A large mill.")


def test_the_facts_of_an_edit(tmp_path: Path) -> None:
    provenance = {
        "page_title": "Halvern", "lang": "simple", "tags": ("POV", "Weasel"), "days_tagged": 282.5,
        "comment": "reworded", "diff_url": "https://en.demo.example/?diff=7", "signal": "tag",
    }  # fmt: skip
    found = shown_edit(tmp_path, provenance)
    assert found.title == "Halvern"
    facts, summary = of(found, Text)
    day, *texts, link = facts.parts
    assert texts == ["POV, Weasel · ", "tagged for 282 days · ", "revision 2 · "]
    assert (len(day), link.url) == (13, "https://en.demo.example/?diff=7")
    assert words(summary) == "Summary: reworded"
    (quote,) = of(found, Quote)
    assert (quote.lang, quote.sides) == ("simple", ("removed", "added"))
    (quote,) = of(shown_edit(tmp_path, {"pairing": "addition-edit"}), Quote)
    assert quote.sides == ("tagged revision", "untagged revision")
    assert "found by its summary" in quiet(shown_edit(tmp_path, {"signal": "summary"}))[0]


def test_an_edit_of_many_long_sentences_is_cut(tmp_path: Path) -> None:
    links: dict[str, Any] = {"links": (GONE,) * 30, "added_links": ()}
    found = shown_edit(tmp_path, None, removed=["a" * 5000] * 30, added=[], **links)
    assert len(changes(found)) == MOST_CHANGES
    assert quiet(found)[-1] == f"And {30 - MOST_CHANGES} more: see the diff."
    assert len(sides(changes(found)[0])[0]) == MOST_CHARACTERS + 1


def test_a_rejected_edit_shows_its_first_sentences(tmp_path: Path) -> None:
    made = rejected(edit(page=3, removed=["a", "b"], added=["c"]), "outlier")
    made = replace(made, provenance=replace(made.provenance, page_title=""))
    (found,) = samples.rejected_edits([written(tmp_path / "r", REJECTS_TABLE, made)])
    assert found.title == "page 3"
    assert [sides(each) for each in changes(found)] == [("a", "c"), ("b", "")]


def of_pair(tmp_path: Path, made: SentencePair) -> Section:
    place = written(tmp_path / "p", SENTENCE_PAIRS_TABLE, made)
    (found,) = samples.sentence_pairs([place])
    return found


def test_both_sides_of_a_pair_are_marked(tmp_path: Path) -> None:
    spans = (EditedSpan("substitution", "26:32", "14:16"), EditedSpan("deletion", "4:12", ""))
    made = pair(
        source="The splendid mill of town stands here.", target="The mill of t is here.",
        edits=spans, tier="high", tier_reasons=("no_revert",), similarity=71.0, relation="merged",
    )  # fmt: skip
    found = of_pair(tmp_path, made)
    (change,) = changes(found)
    assert (changed(change.before), changed(change.after)) == (["splendid", "stands"], ["is"])
    assert change.note == "merged"
    assert "tier high (no revert) · 1 substitution, 1 deletion · 71 % alike" in quiet(found)[0]


def test_a_neutral_pair_has_one_side(tmp_path: Path) -> None:
    made = pair(label="neutral")
    (change,) = changes(of_pair(tmp_path, made))
    assert (sides(change), change.note) == ((made.source, ""), "left alone")


def test_the_corpus_is_read_split_by_split_without_its_pairs(demo: Path, tmp_path: Path) -> None:
    for name in ("test", "pairs", "train"):
        (tmp_path / "corpus").mkdir(exist_ok=True)
        (tmp_path / f"corpus/{name}.parquet").touch()
    assert [path.stem for path in samples.files(tmp_path, "corpus")] == ["train", "test"]
    assert samples.files(tmp_path, "edits") == []
    found = [place for place, _ in samples.rows(demo, "edits", ["removed"])]
    assert [place.row for place in found] == [*range(14)]
    assert len([*samples.records_at([found[7], found[2]], EDITS_TABLE)]) == 2


def drawn(size: int, of_all: int, seed: str) -> list[int]:
    reservoir = Reservoir(size, seed)
    for row in range(of_all):
        reservoir.add(Place(Path("x"), row))
    return [place.row for place in reservoir.places]


def test_a_sample_has_its_size_and_depends_on_the_seed_alone() -> None:
    assert drawn(5, 100, "1") == drawn(5, 100, "1") != drawn(5, 100, "2")
    assert len(set(drawn(5, 100, "1"))) == 5


def test_each_is_as_likely_to_be_drawn() -> None:
    counts = Counter(row for seed in range(2000) for row in drawn(2, 10, str(seed)))
    assert all(330 < counts[row] < 470 for row in range(10))


@pytest.mark.parametrize(
    ("days", "said"), [(0.2, "less than a day"), (1.2, "1 day"), (1234.0, "1,234 days")]
)
def test_days_in_words(days: float, said: str) -> None:
    assert in_days(days) == said
