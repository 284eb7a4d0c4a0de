"""What differs between two lists of words."""

import json
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from edited_span_scores import compared
from exports import wikibias
from paths import CASES
from wikibias.edits.word_diff import (
    EditCounts,
    adjacent_edits,
    bleu_of,
    changed_spans,
    edited_spans,
    gaps,
    ngrams,
    smoothed_bleu,
    spans_in_words,
    tokens,
    within,
    words,
)

WORDS = st.lists(st.sampled_from("the old mill by the water stood , .".split()), max_size=12)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("the old mill", "the mill", [("old", "")]),
        ("old mill", "mill by", [("old", ""), ("", "by")]),
        # The longest run is common, though another comes first.
        ("a b x c d e", "c d e a b", [("a b x", ""), ("", "a b")]),
        # Of two runs of the same length, the one that comes first in the second list.
        ("a x b", "b y a", [("a x", ""), ("", "y a")]),
        ("", "", []),
        ("", "new", [("", "new")]),
        ("mill", "dam", [("mill", "dam")]),
    ],
)
def test_the_longest_run_comes_first(a: str, b: str, expected: list[tuple[str, str]]) -> None:
    one, other = a.split(), b.split()
    found = [
        (" ".join(one[slice(*gap.source)]), " ".join(other[slice(*gap.target)]))
        for gap in gaps(one, other)
    ]
    assert found == expected


def rebuilt(a: list[str], b: list[str]) -> list[str]:
    """Return `b`, of what stands between the gaps of `a`, and of the gaps' other side."""
    words, at = [], 0
    for source, target in gaps(a, b):
        words += a[at : source[0]] + b[slice(*target)]
        at = source[1]
    return words + a[at:]


@given(WORDS, WORDS)
def test_one_list_can_be_made_of_the_other(a: list[str], b: list[str]) -> None:
    assert rebuilt(a, b) == b
    assert all(one.source[1] < other.source[0] for one, other in pairwise(gaps(a, b)))
    assert all(one.target[1] < other.target[0] for one, other in pairwise(gaps(a, b)))


def test_a_sentence_of_ten_thousand_words_is_compared_all_the_same() -> None:
    a = ["the", "old"] * 5000
    b = ["the", "new", "mill"] * 3000
    found = gaps(a, b)
    assert found[0].source[0] == 1
    assert found == sorted(found)
    assert rebuilt(a, b) == b


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('The "old" mill, 1,240 m.', ["The", '"', "old", '"', "mill", ",", "1,240", "m", "."]),
        ("a so-called mill\u2014it's old", ["a", "so-called", "mill", "\u2014", "it's", "old"]),
        ("the pre ##text , ##", ["the", "pre", "##text", ",", "#", "#"]),
        ("水車は古い。", ["水", "車", "は", "古", "い", "。"]),
        ("пре\u0301красный дом", ["пре\u0301красный", "дом"]),
        ("", []),
    ],
)
def test_words_and_marks(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in tokens(text)] == expected


@given(st.text())
def test_every_mark_is_in_a_word(text: str) -> None:
    found = tokens(text)
    assert "".join(text[a:b] for a, b in found) == "".join(text.split())


SENTENCE = st.lists(st.sampled_from("abcd"), min_size=4, max_size=12)


@given(SENTENCE, SENTENCE)
def test_it_is_that_of_sacrebleu_without_smoothing(one: list[str], other: list[str]) -> None:
    expected = sacrebleu.sentence_bleu(
        " ".join(one), [" ".join(other)], smooth_method="none", tokenize="none"
    ).score
    assert bleu_of(ngrams(one), ngrams(other)) == pytest.approx(expected)


def test_the_same_sentence_has_all_points_and_one_of_three_words_too_when_smoothed() -> None:
    long, short = "the bridge crosses the river".split(), "stone bridge here".split()
    assert bleu_of(ngrams(long), ngrams(long)) == pytest.approx(100)
    assert bleu_of(ngrams(short), ngrams(short)) == 0
    assert smoothed_bleu(short, short) == pytest.approx(100)
    # Nothing is like nothing.
    for one, other in (([], short), (short, []), ([], [])):
        assert smoothed_bleu(one, other) == bleu_of(ngrams(one), ngrams(other)) == 0


TEXTS = st.lists(st.sampled_from("the Old mill, stood - (by) 1,240 水車 za\u0301 …".split())).map(
    " ".join
)


@pytest.mark.parametrize(
    ("left", "right", "gone", "come"),
    [
        ("It is the finest mill.", "It is a mill.", ["the finest"], ["a"]),
        ("The mill, they say, burnt.", "the mill they say burnt", [], []),
        ("He had 1,240 sheep.", "He had 1240 sheep.", [], []),
        ("He had 1,240 sheep.", "He had 1,310 sheep.", ["1,240"], ["1,310"]),
        ("A well-known mill", "A known mill", ["well-known"], ["known"]),
        ("Red\u2014blue mill", "Red\u2014green mill", ["blue"], ["green"]),
        ("最も美しい水車", "古い水車", ["最も美し"], ["古"]),
        ("L'air est pur.", "L’air est doux.", ["pur"], ["doux"]),
        ("", "New.", [], ["New"]),
    ],
)
def test_what_changed(left: str, right: str, gone: list[str], come: list[str]) -> None:
    spans = changed_spans(left, right)
    assert [left[start:end] for start, end in spans[0]] == gone
    assert [right[start:end] for start, end in spans[1]] == come


@given(TEXTS, TEXTS)
def test_what_did_not_change_is_in_both(left: str, right: str) -> None:
    rest = []
    for text, spans in zip((left, right), changed_spans(left, right), strict=True):
        kept = [(a, b) for a, b in words(text) if not any(s <= a < e for s, e in spans)]
        rest.append([text[a:b].lower() for a, b in kept])
    assert rest[0] == rest[1]


@given(TEXTS)
def test_words_hold_all_letters(text: str) -> None:
    found = list(words(text))
    assert found == sorted(found)
    inside = "".join(text[start:end] for start, end in found)
    assert [c for c in inside if c.isalnum()] == [c for c in text if c.isalnum()]


def test_spans_of_a_part_are_counted_from_its_beginning() -> None:
    text = "A mill. (By it, a dam.)"
    assert within(text, [(2, 11), (16, 21)], 8, 23) == [(1, 3), (8, 13)]
    assert spans_in_words([(2, 6), (9, 12)]) == "2:6 9:12"


def cut(text: str, spans: str) -> list[str]:
    """Return the pieces of a text that spans name."""
    return [
        text[int(start) : int(end)] for start, end in (span.split(":") for span in spans.split())
    ]


def test_what_is_gone_and_what_has_come_at_one_place_are_one_edit() -> None:
    source = "the grand old mill sadly burnt in may".split()
    target = "the old dam burnt in early may".split()
    assert adjacent_edits(source, target) == [
        ("deletion", (1, 2), (1, 1)),
        ("substitution", (3, 5), (2, 3)),
        ("addition", (7, 7), (5, 6)),
    ]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("It is the finest mill.", "It is a mill.", [("substitution", ["the finest"], ["a"])]),
        ("The sadly lost mill.", "The lost mill.", [("deletion", ["sadly"], [])]),
        ("The lost mill.", "The reportedly lost mill.", [("addition", [], ["reportedly"])]),
        ("Sadly the mill burnt.", "The mill burnt.", [("deletion", ["Sadly"], [])]),
        ("The mill burnt.", "The mill burnt.", []),
        # Pieces of a phrase are joined over the article, where both are replaced.
        (
            "He fought, cheating the millers.",
            "He fought, by the council.",
            [("substitution", ["cheating the millers"], ["by the council"])],
        ),
        (
            "A grand mill of the famous town.",
            "A mill of the town.",
            [("deletion", ["grand"], []), ("deletion", ["famous"], [])],
        ),
        # What only moved is no edit; what changed in it is.
        ("In 1912 the grand mill burnt.", "The mill burnt in 1912.", [("deletion", ["grand"], [])]),
        (
            "The dam was tragically lost in a fire in may.",
            "In may, the dam was lost in a fire.",
            [("deletion", ["tragically"], [])],
        ),
        # Marks do not count, but around words, and where nothing else changed.
        ("The mill, a ruin, stands.", "The mill stands.", [("deletion", ["a ruin"], [])]),
        (
            'The "reform" of a mill!',
            "The reform of a mill.",
            [("substitution", ['"reform"'], ["reform"])],
        ),
        ("The mill burnt!", "The mill burnt.", [("substitution", ["!"], ["."])]),
        ("最も美しい水車", "美しい水車", [("deletion", ["最も"], [])]),
    ],
)
def test_spans_are_of_the_texts(
    source: str, target: str, expected: list[tuple[str, list[str], list[str]]]
) -> None:
    found = edited_spans(source, target, ("the", "a"))
    assert [
        (edit.type, cut(source, edit.source), cut(target, edit.target)) for edit in found
    ] == expected


@given(TEXTS, TEXTS)
def test_each_side_of_an_edit_holds_what_its_type_says(source: str, target: str) -> None:
    for edit in edited_spans(source, target):
        assert bool(edit.source) == (edit.type != "addition")
        assert bool(edit.target) == (edit.type != "deletion")
        assert all([*cut(source, edit.source), *cut(target, edit.target)])


def test_the_rule_does_not_fall_behind_on_the_gold() -> None:
    pairs = tomllib.loads((CASES / "edited_spans.toml").read_text(encoding="utf-8"))["pair"]
    counts = [compared(pair)["source spans"] for pair in pairs]
    right, found, gold = map(sum, zip(*counts, strict=True))
    assert len(pairs) == 104
    assert right / found > 0.84
    assert right / gold > 0.83


def test_an_endless_sentence_is_soon_done() -> None:
    source = " ".join(f"word{number % 700} the mill" for number in range(4000))
    target = " ".join(f"the mill thing{number % 900}" for number in range(4000))
    assert edited_spans(source, target, ("the",))


def test_edits_of_many_pairs_are_counted() -> None:
    counts = EditCounts()
    for pair in (("a grand mill", "a mill"), ("a grand mill", "an old mill"), ("a mill", "a mill")):
        counts.add(*pair)
    found = counts.as_dict()
    assert found["adjacency"] == {"substitution": 1, "deletion": 1, "addition": 0}
    assert found["adjacency_per_pair"] == {"0": 1, "1": 2}
    assert found["rule"] == found["adjacency"]


@pytest.mark.parametrize(
    ("name", "counts", "per_pair"),
    [
        ("word", (206, 210, 0), {"1": 416}),
        ("multi", (450, 333, 128), {"1": 254, "2": 142, "3": 59, "4": 32, "5": 13}),
    ],
)
def test_published_pairs_have_the_edits_that_were_counted(
    name: str, counts: tuple[int, ...], per_pair: dict[str, int], shared: Path, tmp_path: Path
) -> None:
    file = shared / "pairs" / f"wnc_{name}_test.even.tsv"
    columns = ("--source", "src_tok", "--target", "tgt_tok")
    wikibias("pairs", file, "--rules", "wnc", *columns, "--out", tmp_path / "out").well()
    found = json.loads((tmp_path / "out" / "funnel.json").read_text(encoding="utf-8"))["edits"]
    assert tuple(found["adjacency"].values()) == counts
    assert found["adjacency_per_pair"] == per_pair
