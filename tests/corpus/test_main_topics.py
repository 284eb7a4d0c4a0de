"""The main topic of each sentence, and classes that are equal within each topic."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from made_edits import CHOICE, chosen_of, edit, forms
from wikibias.config.choices import Negatives, SplitBy
from wikibias.config.thresholds import Build
from wikibias.corpus import main_topics as module
from wikibias.corpus.balance import pools
from wikibias.corpus.candidates import read
from wikibias.corpus.composition import Composition
from wikibias.corpus.main_topics import MainTopics, main_topics
from wikibias.corpus.sampling import Corpus, _norms, build_corpus
from wikibias.errors import UsageError
from wikibias.records import Edit

STOP_WORDS = frozenset({"the", "of", "a"})
MILLS = ("mill", "river", "wheel", "dam", "grain", "flour", "miller", "sluice")
CHOIRS = ("choir", "organ", "hymn", "bell", "chapel", "psalm", "singer", "nave")


def sentences(subject: Sequence[str], number: int, seed: int) -> list[str]:
    """Return sentences about a subject, no two of which are near-duplicates."""
    rng = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    own = ("".join(rng.choices(letters, k=25)) for _ in range(number))
    return [f"the {' '.join(rng.sample(subject, 3))} of a {word}" for word in own]


def lopsided(pages: int = 24) -> list[Edit]:
    """Return edits that mostly removed sentences on mills, and added ones on choirs."""
    found = []
    for page in range(1, pages + 1):
        many, few = (MILLS, CHOIRS) if page % 2 else (CHOIRS, MILLS)
        removed = sentences(many, 8 if page % 2 else 2, page)
        added = sentences(many, 2 if page % 2 else 8, page + 1000)
        found.append(edit(page, removed, [*added, *sentences(few, 1, page + 2000)], number=page))
    return found


def shares(corpus: Corpus, split: str | None = None) -> Counter[tuple[bool, str]]:
    """Return how many sentences of each subject each class has."""
    return Counter(
        (any(word in MILLS for word in row.norm.split()), row.label)
        for row in corpus.sentences()
        if split in (None, row.split)
    )


def topics_of(edits: Sequence[Edit], seed: int = 0) -> MainTopics:
    candidates = read(edits, CHOICE)
    there = pools(candidates, CHOICE, Composition())
    return main_topics(
        lambda members: _norms(map(forms, edits), members), there, candidates, STOP_WORDS, seed
    )


def test_sentences_of_a_subject_have_a_topic() -> None:
    edits = lopsided()
    found = topics_of(edits)
    norms = [norm for each in map(forms, edits) for norm in (*each.removed_norm, *each.added_norm)]
    subjects: dict[int, Counter[bool]] = {}
    for topic, norm in zip(found.of.tolist(), norms, strict=True):
        subjects.setdefault(topic, Counter())[any(word in MILLS for word in norm.split())] += 1
    # A sentence of the other subject of its page may go with the page.
    right = sum(max(counts.values()) for counts in subjects.values())
    assert right > 0.85 * len(norms)
    assert found.words[-1] == []
    assert all(words and not STOP_WORDS & set(words) for words in found.words[:-1])


def test_topics_tell_the_label_before_and_hardly_after() -> None:
    edits = lopsided()
    before, after = (shares(chosen_of(edits, stop_words=words)) for words in (None, STOP_WORDS))
    assert before[True, "biased"] > 2 * before[True, "neutral"]
    assert after[True, "biased"] < 1.4 * after[True, "neutral"]
    assert after.total() >= 60


@pytest.mark.parametrize("split_by", ["page", "sentence"])
@pytest.mark.parametrize("negatives", [None, "edited", "mixed", "unchanged"])
def test_each_topic_has_as_many_of_either_class(
    split_by: SplitBy, negatives: Negatives | None
) -> None:
    edits = [
        edit(
            page,
            sentences(MILLS if page % 3 else CHOIRS, 6, page),
            sentences(MILLS if page % 2 else CHOIRS, 5, page + 1000),
            sentences(MILLS if page % 5 else CHOIRS, 9, page + 2000),
            number=page,
        )
        for page in range(1, 25)
    ]
    corpus = chosen_of(edits, split_by, stop_words=STOP_WORDS, negatives=negatives)
    rows, made = list(corpus.sentences()), corpus.composition
    assert len(made.topics) > 2
    for topic in made.topics:
        assert topic["biased"] == topic["neutral"]
    labels = Counter(row.label for row in rows)
    assert labels["biased"] == labels["neutral"] == made.removed > 40
    of_topics = sum(sum(topic["biased"].values()) for topic in made.topics)
    assert of_topics == made.removed
    lost = sum(topic["left_out"] for topic in made.topics)
    assert lost == made.left_out.get("topic", {}).get("removed", 0)
    notes = " ".join(made.notes)
    assert (f"left out: {lost:,} biased" in notes) == (lost > 0)
    assert ("in the same split" in notes) == ("left out: " in notes and split_by == "page")
    # There are no near-duplicates among these.
    added = sum(len(each.added) for each in edits) - made.added
    assert (f"{added:,} of {24 * 5} added sentences without" in notes) == (negatives is None)


def test_pages_are_in_the_split_that_they_have_without_balance() -> None:
    edits = lopsided(40)
    before, after = (chosen_of(edits, stop_words=words) for words in (None, STOP_WORDS))
    first, second = (
        {row.provenance.page_id: row.split for row in corpus.sentences()}
        for corpus in (before, after)
    )
    assert len(second) > 20
    assert all(first.get(page, split) == split for page, split in second.items())


def test_every_biased_sentence_is_chosen_or_counted_as_left_out() -> None:
    edits = lopsided()
    made = chosen_of(edits, stop_words=STOP_WORDS, max_per_edit=7, max_share=0.2).composition
    biased = sum(len(each.removed) for each in edits)
    reasons = ("topic", "max_per_edit", "max_share", "near_duplicate")
    left_out = sum(made.left_out.get(name, {}).get("removed", 0) for name in reasons)
    assert made.removed + left_out == biased
    assert made.largest_share <= 0.2


def test_near_duplicates_that_fall_out_do_not_upset_the_balance() -> None:
    same = "the mill river wheel dam grain flour of a mill beside the old sluice in"
    edits = [
        edit(
            page,
            [*sentences(MILLS, 4, page), f"{same} {'abcdefghijklmnopqrstuvwxyz'[page]}"],
            sentences(MILLS, 3, page + 1000),
            sentences(CHOIRS if page % 2 else MILLS, 6, page + 2000),
            number=page,
        )
        for page in range(1, 25)
    ]
    made = chosen_of(edits, stop_words=STOP_WORDS).composition
    assert made.left_out["near_duplicate"]["removed"] > 0
    assert all(topic["biased"] == topic["neutral"] for topic in made.topics)


def test_the_same_edits_have_the_same_topics() -> None:
    edits = lopsided()
    assert topics_of(edits).of.tobytes() == topics_of(edits).of.tobytes()


def test_a_small_sample_of_many_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 60)
    monkeypatch.setattr(module, "_AT_ONCE", 7)
    made = chosen_of(lopsided(), stop_words=STOP_WORDS).composition
    assert made.removed > 0
    assert all(topic["biased"] == topic["neutral"] for topic in made.topics)


def test_one_subject_is_no_harm() -> None:
    edits = [
        edit(page, sentences(MILLS[:3], 5, page), sentences(MILLS[:3], 5, page + 100), number=page)
        for page in range(1, 21)
    ]
    made = chosen_of(edits, stop_words=STOP_WORDS).composition
    assert made.removed > 60


def test_too_few_sentences_are_refused() -> None:
    edits = [edit(removed=sentences(MILLS, 60, 1), added=sentences(MILLS, 3, 2))]
    with pytest.raises(UsageError, match=r"there are 60 and 3; .*build without --balance-topics"):
        chosen_of(edits, stop_words=STOP_WORDS)
    with pytest.raises(UsageError, match="there are 0 and 0; add dump parts"):
        chosen_of([], stop_words=STOP_WORDS)


def test_nothing_but_stop_words_is_refused() -> None:
    edits = [edit(1, sentences(MILLS, 60, 1), sentences(CHOIRS, 60, 2))]
    every = {
        word for each in edits for s in (*each.removed, *each.added) for word in s.norm.split()
    }
    with pytest.raises(UsageError, match="no words in common but stop words; add dump parts"):
        chosen_of(edits, stop_words=every)


def test_topics_are_of_all_that_may_be_chosen() -> None:
    edits = lopsided()
    candidates = read(edits, CHOICE)
    there = pools(candidates, CHOICE, Composition())
    known = np.flatnonzero(topics_of(edits).of >= 0)
    assert known.tolist() == np.sort(np.concatenate([there.biased, there.neutral])).tolist()


def test_pages_of_an_earlier_month_stay_in_their_split() -> None:
    edits = lopsided(40)
    earlier = chosen_of(edits[:24], stop_words=STOP_WORDS)
    later = build_corpus(
        lambda: edits,
        lambda: map(forms, edits),
        CHOICE,
        Build(),
        split_by="page",
        seed=0,
        known=earlier.splits,
        stop_words=STOP_WORDS,
    )
    before = {row.provenance.page_id: row.split for row in earlier.sentences()}
    after = {row.provenance.page_id: row.split for row in later.sentences()}
    assert len(after) > len(before)
    assert all(after.get(page, split) == split for page, split in before.items())
    assert all(topic["biased"] == topic["neutral"] for topic in later.composition.topics)
