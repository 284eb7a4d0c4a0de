"""Text to sentences, and how alike two texts are."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exports import Page, Revision, dumped, rows, wikibias
from outside import install
from paths import cases
from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.records import Paragraph, Sentence
from wikibias.text import segmentation
from wikibias.text.similarity import changed, edit_distance, similarity
from wikis import segmenter


@pytest.mark.parametrize("case", cases("sentences"))
def test_sentences(case: dict[str, Any]) -> None:
    found = [
        s.text for s in segmenter(case["lang"]).split(segmentation.paragraphs_of(case["text"]))
    ]
    assert found == case["sentences"]


def test_a_sentence_may_be_of_any_length_but_has_a_word() -> None:
    def split(text: str) -> list[Sentence]:
        return segmenter("en").split(segmentation.paragraphs_of(text))

    assert len(split("Gone.")) == 1
    assert len(split(" ".join(["word"] * 1000) + ".")) == 1
    assert split("...\n*** !!!\n\u2014") == []


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
    found = segmentation.Segmenter(language).split(
        segmentation.paragraphs_of("One. Two; THREE!\nFour")
    )
    assert found == [
        Sentence("One. Two", "one two"),
        Sentence("THREE!", "three"),
        Sentence("Four", "four"),
    ]


def test_an_unknown_segmenter_is_refused_with_the_nearest_name() -> None:
    language = replace(load_language("en"), segmenter="spacey")
    with pytest.raises(UsageError, match="unknown segmenter 'spacey'; did you mean 'spacy'"):
        segmentation.Segmenter(language)


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


# What is left out or put in without another sentence.
MARKS = "\u00ad\u200b\u200c\u200d\u200e\u2060\ufeff\ufe0f\u061c\u0301"
TEXTS = st.text() | st.text(st.sampled_from(f"abAБбйёИا۵نं'5, .{MARKS}\u0308\u0306\u030c"))


@pytest.mark.parametrize("case", cases("norm"))
def test_norm(case: dict[str, Any]) -> None:
    assert segmenter(case["lang"]).normalise(case["text"]) == case["norm"]


@given(st.text(st.characters(max_codepoint=127)) | st.text("aB1' ,.4"), st.booleans())
def test_a_text_in_ascii_is_read_as_any_other(text: str, keep: bool) -> None:
    """It is normalised in a way of its own, which the letter at the end keeps off."""
    norm = segmentation.normalise(text, keep_apostrophes=keep)
    assert segmentation.normalise(f"{text} é", keep_apostrophes=keep) == f"{norm} é".strip()


# Letters of many scripts, stops, brackets, spaces.
MIXED = st.text("水車カのーโีរ서aB1é\u0301\u3099 .!?…。．！？「」（）“”、'", max_size=40)


@given(TEXTS | MIXED, st.booleans())
def test_norm_is_stable(text: str, keep: bool) -> None:
    once = segmentation.normalise(text, keep_apostrophes=keep)
    assert segmentation.normalise(once, keep_apostrophes=keep) == once
    assert once == " ".join(once.split())


def key(text: str) -> str:
    return segmentation.comparison_key(Sentence(text, segmentation.normalise(text)))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("It had 1,240 mills.", "It had 1240 mills.", True),
        ("It had 1,240 mills.", "it had 1\u00a0240 mills", True),
        ("Sie hatte 1.240.000 Mark.", "Sie hatte 1 240 000 Mark.", True),
        ("Ils ont 2,5 ha.", "Ils ont 2.5 ha.", True),
        ("It had 12 mills.", "It had \uff11\uff12 mills.", True),
        ("It had 12 mills.", "It had \u0661\u0662 mills.", True),
        ("It had 1\u200b240 mills.", "It had 1240 mills.", True),
        ("Замок стои\u0301т.", "Замок стоит.", True),
        ("The mill\u00adpond.", "The millpond.", True),
        ("می\u200cخواهم", "میخواهم", True),
        ("It had 1,240 mills.", "It had 1,310 mills.", False),
        ("From 1950 to 1960.", "From 1960 to 1950.", False),
        ("It is 2.5 m high.", "It is 25 m high.", False),
        ("It had 12 mills.", "It had \u0661\u0663 mills.", False),
        ("Café Ge\u0301za", "Café Geza", False),
        ("Той и\u0300 каза", "Той и каза", False),
    ],
)
def test_which_sentences_are_the_same(left: str, right: str, same: bool) -> None:
    assert (key(left) == key(right)) is same


@given(st.integers(0, 10**12))
def test_grouping_is_no_change(number: int) -> None:
    assert key(f"It had {number:,} mills") == key(f"It had {number} mills")


@given(TEXTS)
def test_without_numbers_the_key_is_the_norm(text: str) -> None:
    norm = segmentation.normalise(text)
    found = segmentation.comparison_key(Sentence(text, norm))
    if "numtkn" not in norm:
        assert found == norm.translate({0x200C: None, 0x200D: None})
    else:
        assert "\n" in found


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
def test_runs_of_letters_are_words(text: Any) -> None:
    for word in segmentation.normalise(text).split(" "):
        letters = [segmentation.is_unspaced(c) for c in word if c.isalnum()]
        assert len(set(letters)) <= 1


@given(MIXED)
def test_commas_and_spaces_make_no_other_sentence(text: Any) -> None:
    letters = re.sub(r"[^水車カのー]", "", text)
    assert segmentation.normalise("、 ".join(letters)) == segmentation.normalise(letters)


def test_hostile_paragraphs_end() -> None:
    """Brackets that are never closed, and stops without end."""
    for piece in ("「", "「（『", "。", "「。」", "“。", "水。車」"):
        text = piece * 30_000
        assert "".join(segmentation.pieces(text)) == text


def dump_of(case: dict[str, str], folder: Path, *endings: str) -> Path:
    """Write a dump of one page: the case's body with each ending, the first one tagged."""
    body = case["body"] * 3  # the newer text must be longer than 400 characters
    texts = [f"{body}{ending}\n" for ending in endings]
    texts[0] = f"{{{{{case['tag']}|date=2019年}}}}\n{texts[0]}"
    page = Page(case["title"], [Revision(text) for text in texts])
    return dumped(folder, [page], lang=case["lang"])


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


@pytest.mark.parametrize(
    ("left", "right", "most", "distance"),
    [
        ("", "", 1, 0),
        ("honor", "honour", 1, 1),
        ("recieve", "receive", 3, 2),
        ("kitten", "sitting", 3, 3),
        ("kitten", "sitting", 1, 2),
        ("né", "ne", 1, 1),
    ],
)
def test_edit_distance_up_to_a_limit(left: str, right: str, most: int, distance: int) -> None:
    assert edit_distance(left, right, most) == distance
    assert edit_distance(right, left, most) == distance


def test_a_swap_of_neighbours_is_one_slip() -> None:
    assert similarity("peacock", "peacock") == 1
    assert similarity("peacock", "paecock") == pytest.approx(6 / 7)
    assert similarity("peacock", "weasel", least=0.8) == 0


ALIKE = st.text("ab", max_size=12)


@given(ALIKE, ALIKE)
@example("aa", "aaa")
@example("", "")
def test_what_is_outside_is_the_same_and_no_more_is(old: str, new: str) -> None:
    start, end = changed(old, new)
    rest = len(new) - end
    assert 0 <= start <= end <= len(new)
    assert start + rest <= len(old)
    assert old[:start] == new[:start]
    assert old[len(old) - rest :] == new[end:]
    if start < min(end, len(old) - rest):
        assert old[start] != new[start]
        assert old[len(old) - rest - 1] != new[end - 1]
    assert changed(old.encode(), new.encode()) == (start, end)
