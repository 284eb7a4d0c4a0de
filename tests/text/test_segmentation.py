"""Text to sentences."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from casefiles import cases
from outside import install
from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.records import Paragraph, Sentence
from wikibias.text.segmentation import SEGMENTERS, Segmenter, paragraphs_of
from wikis import segmenter


@pytest.mark.parametrize("case", cases("sentences"))
def test_sentences(case: dict[str, Any]) -> None:
    found = [s.text for s in segmenter(case["lang"]).split(paragraphs_of(case["text"]))]
    assert found == case["sentences"]


def test_a_sentence_may_be_of_any_length_but_has_a_word() -> None:
    def split(text: str) -> list[Sentence]:
        return segmenter("en").split(paragraphs_of(text))

    assert len(split("Gone.")) == 1
    assert len(split(" ".join(["word"] * 1000) + ".")) == 1
    assert split("...\n*** !!!\n\u2014") == []


def test_sentences_lose_no_text() -> None:
    text = 'He left. "I go," she said (ca. 1990). Then... nothing. what? Ah! «So» it is.'
    found = [s.text for s in segmenter("en").split(paragraphs_of(text))]
    assert "".join("".join(found).split()) == "".join(text.split())


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package that adds a segmenter, which cuts at semicolons."""
    code = (
        "def semicolons(language):\n"
        "    return lambda paragraph: [s.strip() for s in paragraph.split(';')]\n"
    )
    install(tmp_path, monkeypatch, code, "[wikibias.segmenters]\nsemicolons = outside:semicolons\n")


def test_a_language_may_name_the_segmenter_of_another_package(outside: None) -> None:
    language = replace(load_language("en"), segmenter="semicolons")
    found = Segmenter(language).split(paragraphs_of("One. Two; THREE!\nFour"))
    assert found == [
        Sentence("One. Two", "one two"),
        Sentence("THREE!", "three"),
        Sentence("Four", "four"),
    ]


def test_an_unknown_segmenter_is_refused_with_the_nearest_name() -> None:
    language = replace(load_language("en"), segmenter="spacey")
    with pytest.raises(UsageError, match="unknown segmenter 'spacey'; did you mean 'spacy'"):
        Segmenter(language)


@pytest.mark.parametrize(
    ("text", "gaps", "damaged"),
    [
        ("It is high. It stands.", (6,), [True, False]),
        # At the begin it may have been the subject, behind the final stop it is in no sentence.
        ("It is high. It stands.", (12,), [False, True]),
        ("It is high. It stands.", (11, 22), [False, False]),
        ("It is", (5,), [True]),
        ("It is high. It stands.", (), [False, False]),
    ],
)
def test_sentences_carry_the_kind_and_the_gaps_of_their_paragraph(
    text: str, gaps: tuple[int, ...], damaged: list[bool]
) -> None:
    found = segmenter("en").split([Paragraph(text, "list", gaps)])
    assert [s.has_gap for s in found] == damaged
    assert {s.block for s in found} == {"list"}


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown segmenter 'rule'; did you mean 'rules'"):
        SEGMENTERS.check("rule")


def test_a_name_gives_what_splits_a_paragraph() -> None:
    split = SEGMENTERS["rules"](load_language("en"))
    assert list(split("He left. It rains.")) == ["He left.", "It rains."]
