"""What an editor did to a sentence."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edited_span_scores import compared
from exports import wikibias
from paths import CASES
from wikibias.edits.word_diff import EditCounts, adjacent_edits, edited_spans

TEXTS = st.lists(st.sampled_from("the Old mill, of stood by (a) 水車 za\u0301 …".split())).map(
    " ".join
)


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
            [
                ("deletion", ["grand"], []),
                ("deletion", ["famous"], []),
            ],
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
    done = wikibias("pairs", file, "--rules", "wnc", *columns, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "out" / "funnel.json").read_text(encoding="utf-8"))["edits"]
    assert tuple(found["adjacency"].values()) == counts
    assert found["adjacency_per_pair"] == per_pair
