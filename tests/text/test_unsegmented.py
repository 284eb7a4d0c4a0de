"""Scripts without spaces: lengths and ends of sentences, and corpora of Japanese and Chinese."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casefiles import cases
from exports import Page, Revision, export, rows, wikibias
from wikibias.text import segmentation
from wikibias.text.segmentation import normalise
from wikis import segmenter

# Whatever a text is made of: letters of many scripts, stops, brackets, spaces.
MIXED = st.text("水車カのーโีរ서aB1é\u0301\u3099 .!?…。．！？「」（）“”、'", max_size=40)
SPACED = st.text().filter(
    lambda t: not segmentation.is_unspaced(t) and not {*t} & {*segmentation.STOPS}
)


@pytest.mark.parametrize("case", cases("lengths"))
def test_words(case: dict[str, Any]) -> None:
    assert segmentation.words(case["norm"] * case.get("times", 1)) == case["words"]


@given(SPACED)
def test_for_text_written_with_spaces_nothing_changes(text: Any) -> None:
    norm = " ".join(text.split())
    assert segmentation.words(norm) == norm.count(" ") + 1
    assert segmentation.closed_up(norm) == norm
    assert list(segmentation.pieces(text)) == ([text] if text else [])


@given(MIXED)
def test_norm_is_stable_and_runs_of_letters_are_words(text: Any) -> None:
    norm = normalise(text)
    assert normalise(norm) == norm
    for word in norm.split(" "):
        letters = [segmentation.is_unspaced(c) for c in word if c.isalnum()]
        assert len(set(letters)) <= 1


@given(MIXED)
def test_commas_and_spaces_make_no_other_sentence(text: Any) -> None:
    letters = re.sub(r"[^水車カのー]", "", text)
    assert normalise("、 ".join(letters)) == normalise(letters)


@given(MIXED, st.sampled_from(["ja", "en"]))
def test_sentences_lose_no_text(text: Any, lang: Any) -> None:
    found = segmenter(lang).sentences(text)
    assert "".join("".join(found).split()) == "".join(text.split())


@pytest.mark.parametrize("lang", ["ja", "zh"])
def test_two_letters_are_a_word(lang: str) -> None:
    def words(text: str) -> int:
        return segmentation.words(segmenter(lang).normalise(text))

    assert words("水車小屋が建つ村") == 4
    assert words("水車小屋が建つ村の橋") == 5
    assert words("水車小屋が建つ村の橋だ") == 6
    assert words("水車" * 299 + "。") == 299
    assert words("水車" * 299 + "村。") == 300


def test_hostile_paragraphs_end() -> None:
    """Brackets that are never closed, and stops without end."""
    for piece in ("「", "「（『", "。", "「。」", "“。", "水。車」"):
        text = piece * 100_000
        assert "".join(segmentation.pieces(text)) == text


def dump_of(case: dict[str, str], folder: Path, *endings: str) -> Path:
    """Write a dump of one page: the case's body with each ending, the first one tagged."""
    body = case["body"] * 3  # the newer text must be longer than 400 characters
    texts = [f"{body}{ending}\n" for ending in endings]
    texts[0] = f"{{{{{case['tag']}|date=2019年}}}}\n{texts[0]}"
    path = folder / "a.xml"
    page = Page(case["title"], [Revision(text) for text in texts])
    path.write_bytes(export([page], lang=case["lang"]))
    return path


@pytest.mark.parametrize("case", cases("unspaced_articles"))
def test_a_corpus_from_a_dump(case: dict[str, Any], tmp_path: Path) -> None:
    dump = dump_of(case, tmp_path, "".join(case["praise"]), "".join(case["report"]))
    out = tmp_path / "o"
    ended = wikibias("extract", "--lang", case["lang"], "-q", "-o", out, dump)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    (edit,) = rows(out, "diffs")
    assert len(rows(out, "edits")) == 1
    assert edit["tags"] == [case["tag"]]
    assert edit["removed"] == case["praise"]
    assert edit["added"] == case["report"]
    assert edit["unchanged"] == case["unchanged"] * 3
    corpus = rows(out, "corpus")
    assert {row["label"] for row in corpus} == {"biased", "neutral"}
    assert not any(" " in str(row["norm"]) for row in corpus)


@pytest.mark.parametrize("case", cases("unspaced_articles"))
def test_a_change_of_commas_alone_is_dropped(case: dict[str, Any], tmp_path: Path) -> None:
    first, *rest = case["praise"]
    dump = dump_of(case, tmp_path, "".join(case["praise"]), "".join([f"、{first}", *rest]))
    assert wikibias("extract", "--lang", case["lang"], "-q", "-o", tmp_path / "o", dump).code == 0
    assert [row["verdict"] for row in rows(tmp_path / "o", "rejects")] == ["punctuation_case"]
