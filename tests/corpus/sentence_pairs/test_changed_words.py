"""The word most often changed, a baseline for taggers: `docs/experiments.md` has its figures."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from wikibias.corpus.sentence_pairs.reading import PairText, read_pairs
from wikibias.edits.word_diff import adjacent_edits, tokens

SMOOTHING = 2.0


def changed(pair: PairText) -> dict[str, bool]:
    """Return the words of a source, and whether the edit took out or replaced each."""
    before, after = (
        [text[start:end].casefold() for start, end in tokens(text)]
        for text in (pair.source, pair.target)
    )
    places = {n for edit in adjacent_edits(before, after) for n in range(*edit.source)}
    return {word: place in places for place, word in enumerate(before)}


def shares(pairs: Iterable[PairText]) -> dict[str, float]:
    """Return how often each word was changed where it stood; a pair counts as one change."""
    hits, stood = defaultdict[str, float](float), defaultdict[str, float](float)
    for pair in pairs:
        words = changed(pair)
        weight = 1 / max(1, sum(words.values()))
        for word, was in words.items():
            hits[word] += weight * was
            stood[word] += weight if was else 1
    overall = sum(hits.values()) / sum(stood.values())
    return defaultdict(
        lambda: overall,
        {w: (hits[w] + SMOOTHING * overall) / (n + SMOOTHING) for w, n in stood.items()},
    )


def test_the_baseline_on_published_pairs(shared: Path) -> None:
    folder = shared / "pairs"
    rows = [*read_pairs(folder / "wnc_word_test.even.tsv")]
    held = {row.source for row in rows}
    train = [
        *read_pairs(folder / "wnc_multi_test.even.tsv"),
        *read_pairs(folder / "wnc_full_sample.train.jsonl"),
        *read_pairs(folder / "early_pairs.train.tsv", source="1", target="2"),
    ]
    share = shares(each for each in train if each.source not in held)
    found = [changed(row) for row in rows]
    best = [max((w for w in of if w.isalnum()), key=lambda w: share[w]) for of in found]
    hits = sum(of[word] for of, word in zip(found, best, strict=True))
    # 41.3 % of all 832 rows with half more to learn from.
    assert hits / len(rows) == pytest.approx(0.413, abs=0.02)
