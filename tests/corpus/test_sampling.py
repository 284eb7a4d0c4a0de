"""Edits to a balanced, split corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from histories import history
from wikibias.config.choices import SPLITS, SplitBy
from wikibias.config.thresholds import Build
from wikibias.corpus.sampling import Composition, build_corpus
from wikibias.records import CorpusSentence, Edit, NormalForms, Sentence, TagContext
from wikibias.text.normalisation import normalise

PROVENANCE = history(["{{POV}} a", "a"])[1].provenance
CONTEXT = TagContext(("article",), ("",), ("",), edited_text=True, only_tags=False)


def word(*numbers: int) -> str:
    """Return a word for numbers; numbers themselves are all one `numtkn`."""
    return "".join(chr(ord("a") + n % 26) + chr(ord("a") + n // 26) for n in numbers)


def split(texts: Sequence[str]) -> tuple[Sentence, ...]:
    return tuple(Sentence(text, normalise(text)) for text in texts)


def edit(
    page: int = 1,
    removed: Sequence[str] = (),
    added: Sequence[str] = (),
    unchanged: Sequence[str] = (),
    number: int = 2,
) -> Edit:
    return Edit(
        provenance=replace(PROVENANCE, page_id=page, after_rev_id=number),
        context=CONTEXT,
        removed=split(removed),
        added=split(added),
        unchanged=split(unchanged),
        same_text=False,
        after_redirect=False,
        after_chars=1000,
        readable=True,
    )


def forms(found: Edit) -> NormalForms:
    source = found.provenance
    return NormalForms(
        source.wiki,
        source.page_id,
        *(
            tuple(sentence.norm for sentence in sentences)
            for sentences in (found.removed, found.added, found.unchanged)
        ),
    )


def build(
    edits: Sequence[Edit],
    split_by: SplitBy = "page",
    seed: int = 0,
    lengths: range = range(1, 300),
) -> tuple[Composition, list[CorpusSentence]]:
    composition, sentences = build_corpus(
        map(forms, edits), edits, Build(), lengths, split_by=split_by, seed=seed
    )
    return composition, list(sentences)


def test_labels_roles_and_balance() -> None:
    composition, sentences = build([edit(removed=["A b", "C d"], added=["E f"], unchanged=["G h"])])
    assert [(s.text, s.label, s.role) for s in sentences] == [
        ("A b", "biased", "removed"),
        ("C d", "biased", "removed"),
        ("E f", "neutral", "added"),
        ("G h", "neutral", "unchanged"),
    ]
    assert (composition.removed, composition.added, composition.unchanged) == (2, 1, 1)
    assert sentences[1].sentence_id == "enwiki-2-removed-1"
    assert sentences[0].norm == "a b"


def test_ends_and_says_so_when_neutral_sentences_are_too_few() -> None:
    composition, sentences = build([edit(removed=["A", "B", "C"], added=["D"], unchanged=["E"])])
    assert composition.total == len(sentences) == 5
    assert "only 2 neutral sentences for 3 biased" in composition.notes[0]


def test_more_added_than_removed_are_cut_to_equal_classes() -> None:
    composition, _ = build([edit(removed=["A"], added=["B", "C", "D"])])
    assert (composition.removed, composition.added) == (1, 1)
    assert "left out at random" in composition.notes[0]


def test_duplicates_stand_once_and_conflicts_in_neither_class() -> None:
    edits = [
        edit(removed=["Same", "Both"], added=["New", "both!"], unchanged=["Rest", "same", "More"]),
        edit(page=2, removed=["same."], added=["NEW"], unchanged=["rest"]),
    ]
    composition, sentences = build(edits)
    assert [s.norm for s in sentences] == ["same", "new"]
    assert composition.in_both_classes == 1
    assert composition.duplicates == 2


def test_unchanged_ones_come_first_from_the_page_that_lacks_neutral_ones() -> None:
    plenty = ["u" + word(n) for n in range(50)]
    rich = edit(page=1, removed=["A x"], added=["B x"], unchanged=plenty)
    poor = edit(page=2, removed=["A a", "A b", "A c"], added=[], unchanged=["V a", "V b", "V c"])
    _, sentences = build([rich, poor])
    chosen = [s.text for s in sentences if s.role == "unchanged"]
    assert chosen == ["V a", "V b", "V c"]


def test_sentences_too_short_or_too_long_are_left_out() -> None:
    edits = [edit(removed=["A", "B b", "C c c c"], added=["D", "E e e"], unchanged=["F f", "G"])]
    composition, sentences = build(edits, lengths=range(2, 4))
    assert [s.sentence_id for s in sentences] == ["enwiki-2-removed-1", "enwiki-2-added-1"]
    assert (composition.duplicates, composition.notes[1:]) == (0, [])


def test_nothing_kept_gives_an_empty_corpus() -> None:
    composition, sentences = build([])
    assert sentences == []
    assert composition.total == 0


@given(
    st.lists(
        st.tuples(st.integers(1, 6), *[st.lists(st.integers(0, 25).map(word), max_size=6)] * 3),
        max_size=12,
    ),
    st.integers(0, 5),
    st.sampled_from(["page", "sentence"]),
)
@settings(max_examples=150)
def test_what_every_corpus_keeps_to(
    drawn: list[tuple[int, list[str], list[str], list[str]]], seed: int, split_by: SplitBy
) -> None:
    edits = [
        edit(page, [f"r{t}" for t in r] + u[:1], [f"a{t}" for t in a] + u[1:2], u, number=number)
        for number, (page, r, a, u) in enumerate(drawn)
    ]
    composition, sentences = build(edits, split_by, seed)
    norms = [s.norm for s in sentences]
    assert len(norms) == len(set(norms))
    biased = sum(s.label == "biased" for s in sentences)
    neutral = len(sentences) - biased
    assert neutral == biased or (neutral < biased and composition.notes)
    assert composition.total == len(sentences) == sum(composition.splits.values())
    assert len({s.sentence_id for s in sentences}) == len(sentences)
    if split_by == "page":
        pages: dict[int, set[str]] = {s.provenance.page_id: set() for s in sentences}
        for s in sentences:
            pages[s.provenance.page_id].add(s.split)
        assert all(len(splits) == 1 for splits in pages.values())
    assert build(edits, split_by, seed)[1] == sentences


@pytest.mark.parametrize("split_by", ["page", "sentence"])
def test_split_follows_the_shares(split_by: SplitBy) -> None:
    edits = [
        edit(
            page=page,
            removed=["r" + word(page, n) for n in range(5)],
            added=["a" + word(page, n) for n in range(5)],
        )
        for page in range(100)
    ]
    composition, _ = build(edits, split_by)
    shares = [composition.splits[name] / composition.total for name in SPLITS]
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.02)


def test_seed_changes_the_choice() -> None:
    edits = [edit(removed=["A"], added=[], unchanged=["u" + c for c in "abcdefghij"])]
    chosen = {build(edits, seed=seed)[1][1].text for seed in range(20)}
    assert len(chosen) > 1
