"""The sentences of corpora, tables, texts and dumps, to train word vectors on."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from paths import SAMPLES
from wikibias.errors import DumpError, UsageError
from wikibias.research.selection_bias.similarity.training_texts import training_texts

ENGLISH = SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z"
_PAGE = "<page><title>{title}</title><ns>{ns}</ns><id>{id}</id>{revisions}</page>"
_REVISION = (
    "<revision><id>{id}</id><timestamp>2020-01-0{day}T00:00:00Z</timestamp>"
    "<contributor><ip>192.0.2.1</ip></contributor><text>{text}</text></revision>"
)


def dump(path: Path, pages: list[tuple[str, int, list[str]]], end: str = "</mediawiki>") -> Path:
    """Write a dump of pages: title, namespace, and the texts of the revisions."""
    written = []
    for number, (title, namespace, texts) in enumerate(pages, 1):
        revisions = "".join(
            _REVISION.format(id=number * 10 + at, day=at, text=text)
            for at, text in enumerate(texts, 1)
        )
        written.append(_PAGE.format(title=title, ns=namespace, id=number, revisions=revisions))
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">'
    site = "<siteinfo><dbname>enwiki</dbname></siteinfo>"
    path.write_text(head + site + "".join(written) + end, encoding="utf-8")
    return path


def test_of_a_dump_the_last_text_of_each_article_is_cleaned_and_split(tmp_path: Path) -> None:
    path = dump(
        tmp_path / "pages.xml",
        [
            ("Mill", 0, ["Old words.", "The '''mill''' has 3 [[wheel|wheels]]. It turns.{{POV}}"]),
            ("Talk:Mill", 1, ["A talk about it."]),
            ("Mills", 0, ["#REDIRECT [[Mill]]"]),
        ],
    )
    texts = training_texts(path, "en")
    assert list(texts()) == ["the mill has numtkn wheels", "it turns"]
    assert list(texts()) == list(texts())
    assert list(training_texts(tmp_path, "en")()) == list(texts())


def test_a_hostile_page_costs_itself_alone(tmp_path: Path) -> None:
    nested = "{{a|" * 100_000
    path = dump(
        tmp_path / "pages.xml",
        [("One", 0, ["It stands."]), ("Deep", 0, [nested]), ("Two", 0, ["It falls."])],
    )
    found = list(training_texts(path, "en")())
    assert (found[0], found[-1]) == ("it stands", "it falls")


def test_a_dump_that_is_cut_off_ends_in_one_line(tmp_path: Path) -> None:
    path = dump(tmp_path / "cut.xml", [("One", 0, ["It stands."])], end="<page><title>")
    with pytest.raises(DumpError, match=r"^cut"):
        list(training_texts(path, "en")())


def test_the_sample_is_read_page_by_page() -> None:
    found = list(training_texts(ENGLISH, "en")())
    assert len(found) > 100
    assert all(text == text.lower() and "[[" not in text for text in found)


def test_memory_does_not_grow_with_a_dump(tmp_path: Path) -> None:
    def peak(pages: int) -> int:
        text = "The mill of number {} turns slowly by the weir. " * 100
        path = dump(tmp_path / "many.xml", [(str(n), 0, [text]) for n in range(pages)])
        texts = training_texts(path, "en")
        tracemalloc.start()
        try:
            count = sum(1 for _ in texts())
            return tracemalloc.get_traced_memory()[1] if count == 100 * pages else 0
        finally:
            tracemalloc.stop()

    peak(10)  # what is loaded once
    few, many = peak(10), peak(200)
    assert 0 < many < few + 5_000_000


def test_of_a_corpus_its_sentences_are_taken(corpus: Path) -> None:
    assert len(list(training_texts(corpus, "")())) == 400


def test_of_a_table_and_a_text_the_sentences_are_brought_into_normal_form(tmp_path: Path) -> None:
    wanted = ["the mill turns", "numtkn wheels"]
    lines = {
        "a.txt": "The mill turns!\n\n3 wheels.\n",
        "a.tsv": "biased\tThe mill turns!\nneutral\t3 wheels.\n",
        "a.csv": 'label,text\nbiased,The mill turns!\nneutral,"3 wheels."\n',
        "a.jsonl": "".join(
            json.dumps({"text": text}) + "\n" for text in ("The mill turns!", "3 wheels.")
        ),
    }
    for name, content in lines.items():
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        assert list(training_texts(path, "en")()) == wanted, name


def test_what_is_missing_is_said_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: no such file or folder; give a corpus"):
        training_texts(tmp_path / "none", "en")
    with pytest.raises(UsageError, match="is a dump; say its language with --language"):
        training_texts(ENGLISH, "")
    with pytest.raises(UsageError, match="no sentences in it"):
        list(training_texts(tmp_path, "en")())


def test_what_holds_no_sentence_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("number,name\n1,mill\n", encoding="utf-8")
    dump(tmp_path / "talk.xml", [("Talk:Mill", 1, ["A talk about it."])])
    for name in ("a.csv", "talk.xml"):
        with pytest.raises(UsageError, match=f"{name}: no sentence in it; give a dump with texts"):
            list(training_texts(tmp_path / name, "en")())
