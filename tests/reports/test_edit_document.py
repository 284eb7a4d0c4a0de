"""The report on an edit or a page: what it says, as a page and on the terminal."""

from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from blocks import cells, changes, says, sections
from exports import Page, Revision, body, result_of
from page_checks import Structure
from wikibias.errors import UsageError
from wikibias.kits import console
from wikibias.kits.document import Link, Section
from wikibias.records import Sentence
from wikibias.reports import edit_document
from wikibias.reports.edit_document import write_report
from wikibias.reports.inspection import EditReport, Inspection, edit_reports_at, inspect, recognised
from wikibias.reports.result_folder import ResultTables


def story(demo: Path, revision: int) -> EditReport:
    return next(edit_reports_at(ResultTables(demo), revision))


def told(found: EditReport) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else value.text
        for name, value in edit_document.facts(found)
    }


def addresses(found: EditReport) -> dict[str, str]:
    known = edit_document.facts(found)
    return {name: value.url for name, value in known if isinstance(value, Link)}


def test_an_edit_in_facts(demo: Path) -> None:
    found = story(demo, 50)
    assert edit_document.headline(found) == "Varnholt Institute: revision 50 took out POV section"
    facts = told(found)
    assert facts["before"] == "revision 47, 2011-12-04 13:37 UTC"
    assert facts["after"] == "revision 50, 2012-05-05 16:00 UTC, editor: ip"
    assert facts["tag"] == (
        "POV section; about the section “Criticism”; put in by revision 47 on 2011-12-04, "
        "stood 153 days, 1 revision"
    )
    assert "the tag was back after 6.73 days" in facts["afterwards"]
    assert facts["change after"].startswith("revision 51, 2012-05-12")
    urls = addresses(found)
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
    assert column == ["counts only", *["passes"] * 14, "DROPS IT"]
    kept = story(demo, 7)
    assert edit_document.place(kept.sentences[0]) == "train, tier medium (few_removed)"
    sentences = sections(section_of(kept))["Sentences"]
    assert changes(sentences)[0].note == "rewritten, similarity 52"
    sizes = [(len(each.before), len(each.after)) for each in changes(sentences)]
    assert sizes == [(1, 1), (1, 0), (1, 1), (1, 1), (1, 0), (0, 1), (0, 1)]
    (alone,) = sections(sentences)
    assert alone.startswith("9 unchanged: 6 ")


def test_a_page_in_a_line(demo: Path) -> None:
    shown = edit_document.document(inspect(demo, recognised("Varnholt Institute")))
    (section,) = shown.sections
    assert isinstance(section, Section)
    assert says(section) == ["4 edits, 1 kept; none standing on 2025-11-20."]


BOMB = "<script>alert(1)</script>"
SHOWN = "&lt;script&gt;alert(1)&lt;/script&gt;"  # as wikitext, whose entities a reader sees


def seen(folder: Path, words: str, path: Path) -> Structure:
    write_report(inspect(folder, recognised(words)), path)
    return Structure(path.read_text("utf-8"))


def test_an_edit(demo: Path, tmp_path: Path) -> None:
    page = seen(demo, "7", tmp_path / "a.html")
    for words in (
        "Halvern Dairies: revision 7 took out Advert",
        "From the result folder demo.",
        "page_replaced",
        "49.0% in 5 sentences",
        "demoenwiki-7-removed-0",
        "removed, rewritten, similarity 52",
    ):
        assert words in page.text
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
    for words in ("3", f"Mill {BOMB} \u202e"):
        found = seen(out, words, tmp_path / "page.html")
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


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("words", ["7", "Varnholt Institute"])
def test_it_fits(words: str, width: int, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = shown(inspect(demo, recognised(words)), monkeypatch, width)
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
