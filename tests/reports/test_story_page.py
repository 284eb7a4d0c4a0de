"""The page of a story: all of others stays text, and it loads nothing."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from exports import Page, Revision, export, wikibias
from wikibias.errors import UsageError
from wikibias.reports.inspection import inspect, recognised
from wikibias.reports.story_page import write_story

GROUND = "\n\n".join(
    f"The {name} of the small town stands beside the old mill pond since many years."
    for name in ("church", "school", "library", "station", "bakery", "market", "chapel")
)
BOMB = "<script>alert(1)</script>"
SHOWN = "&lt;script&gt;alert(1)&lt;/script&gt;"  # as wikitext, whose entities a reader sees


class Seen(HTMLParser):
    """Collects elements, and where links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def seen(folder: Path, words: str, path: Path) -> Seen:
    write_story(inspect(folder, recognised(words)), path)
    parser = Seen()
    parser.feed(path.read_text("utf-8"))
    return parser


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
    assert "del" in page.tags
    assert "ins" in page.tags
    assert all(link.startswith(("https://en.demo.example/", "#")) for link in page.links)
    assert str(tmp_path) not in (tmp_path / "a.html").read_text("utf-8")


def test_a_page_with_its_time_line(demo: Path, tmp_path: Path) -> None:
    page = seen(demo, "Varnholt Institute", tmp_path / "a.html")
    assert "svg" in page.tags
    assert "spelling" in page.text


def test_the_sentence_that_was_asked_for_is_marked_and_in_sight(demo: Path, tmp_path: Path) -> None:
    page = seen(demo, "demoenwiki-7-unchanged-4", tmp_path / "a.html")
    assert "(asked for)" in page.text
    assert "<details open>" in (tmp_path / "a.html").read_text("utf-8")


def test_markup_of_others_stays_text(tmp_path: Path) -> None:
    before, after = (
        f"{SHOWN} is the finest mill of all.",
        f"{SHOWN} has 4 floors \u202e and a wheel.",
    )
    texts = [GROUND, f"{{{{POV}}}}\n{GROUND}\n\n{before}", f"{GROUND}\n\n{after}"]
    page = Page(f"Mill {BOMB} \u202e", [Revision(text, comment=BOMB) for text in texts])
    (tmp_path / "a.xml").write_bytes(export([page]))
    out = tmp_path / "o"
    options = ("-q", "--lang", "en", "--workers", 1)
    assert wikibias("extract", *options, "-o", out, tmp_path / "a.xml").code == 0
    for words in ("3", f"Mill {BOMB} \u202e"):
        found = seen(out, words, tmp_path / "page.html")
        assert "script" not in found.tags
        assert BOMB in found.text
        assert "\u202e" not in found.text


def test_the_same_story_is_the_same_page_and_another_file_is_left_alone(
    demo: Path, tmp_path: Path
) -> None:
    story = inspect(demo, recognised("7"))
    write_story(story, tmp_path / "a.html")
    first = (tmp_path / "a.html").read_bytes()
    write_story(story, tmp_path / "a.html")
    assert (tmp_path / "a.html").read_bytes() == first
    (tmp_path / "b.html").write_text("<p>my own notes</p>")
    with pytest.raises(UsageError, match=r"b\.html is no page of wikibias"):
        write_story(story, tmp_path / "b.html")
    assert (tmp_path / "b.html").read_text() == "<p>my own notes</p>"
