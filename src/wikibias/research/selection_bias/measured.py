"""What is measured of one corpus, part by part of the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wikibias.corpus.topic_counts import Counts
from wikibias.research.selection_bias.baseline import HELD, held_against, of_lists
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.figures import MISSING, Yardstick, by_seed, entry, value_of
from wikibias.research.selection_bias.fits import Fits
from wikibias.research.selection_bias.groups import pairs
from wikibias.research.selection_bias.keywords import KeywordList
from wikibias.research.selection_bias.random_lists import RandomLists
from wikibias.research.selection_bias.seeds import over_draws, over_fits
from wikibias.research.selection_bias.settings import Settings
from wikibias.research.selection_bias.similarity.registry import Similarity, Trained
from wikibias.research.selection_bias.topics import Topics


@dataclass(frozen=True, slots=True)
class Measured:
    """A corpus with all that is fitted on it and drawn for it.

    Attributes:
        documents: of it.
        lists: of keywords.
        counts: of its words.
        standing: the name of a list -> each of its keywords, and in how many documents it stands.
        fits: its topics.
        random: the name of a list -> random lists in its place; None where there are none.
    """

    documents: Documents
    lists: Sequence[KeywordList]
    counts: Counts
    standing: Mapping[str, Mapping[str, int]]
    fits: Fits
    random: Mapping[str, RandomLists | None]

    @property
    def name(self) -> str:
        """What the corpus is called."""
        return self.documents.name


def about(documents: Documents, counts: Counts) -> dict[str, Any]:
    """Return what the result tells of a corpus."""
    return {
        "name": documents.name,
        "language": documents.language,
        "documents": len(documents),
        "of": max(documents.of, len(documents)),
        "vocabulary": len(counts.vocabulary),
        "words_per_document": float(counts.matrix.sum()) / max(len(documents), 1),
    }


def keywords(
    name: str,
    each: KeywordList,
    standing: Mapping[str, int],
    yardstick: Yardstick,
    made: Similarity,
) -> dict[str, Any]:
    """Return what the result tells of a list of keywords.

    Args:
        name: of the corpus.
        each: the list.
        standing: in how many documents each keyword stands.
        yardstick: how alike the keywords are to each other.
        made: the measure, which may tell what it has seen.
    """
    alike = yardstick.table.of(each.words, each.words)
    between = alike[np.triu_indices(len(each.words), 1)]
    known = between[~np.isnan(between)]
    return {
        "corpus": name,
        "name": each.name,
        "source": each.source,
        "words": list(each.words),
        "in_corpus": sum(number > 0 for number in standing.values()),
        "coverage": yardstick.coverage(each.words),
        "seen": float(made.seen(each.words).mean()) if isinstance(made, Trained) else None,
        "mean_similarity": float(known.mean()) if len(known) else None,
    }


def figures(corpus: Measured, settings: Settings, yardstick: Yardstick) -> Iterator[dict[str, Any]]:
    """Yield the figures of a corpus over the grid, then those of its groups, list by list."""
    for each in corpus.lists:
        yield from _of_grid(corpus, each, settings, yardstick)
        for group, fits in corpus.fits.groups.items():
            for missing in MISSING:
                found = entry(fits, settings.base_words, each.words, yardstick, missing, over_draws)
                where = {"by": group.by, "value": group.value}
                yield {**_head(corpus, each, where, group.drawn), **found, "baseline": None}


def differences(
    corpus: Measured, settings: Settings, yardstick: Yardstick
) -> Iterator[dict[str, Any]]:
    """Yield the differences between groups of a corpus, the first less the second."""
    groups = corpus.fits.groups
    for each in corpus.lists:
        for first, second in pairs([*groups]):
            head = {
                "corpus": corpus.name,
                "keywords": each.name,
                "by": first.by,
                "first": first.value,
                "second": second.value,
            }
            fits = groups[first], groups[second]
            yield from _differences(head, fits, each.words, settings, yardstick)


def between_corpora(
    held: Sequence[Measured], settings: Settings, yardstick: Yardstick
) -> Iterator[dict[str, Any]]:
    """Yield the differences of the first corpus less each other one, on samples of equal size.

    Of corpora in one language, and of lists of the same name and words.
    """
    compared = [corpus for corpus in held if corpus.fits.compared]
    for first, second in ((compared[0], each) for each in compared[1:]):
        for each in _shared(first, second):
            head = {
                "corpus": None,
                "keywords": each.name,
                "by": "corpus",
                "first": first.name,
                "second": second.name,
            }
            fits = first.fits.compared, second.fits.compared
            yield from _differences(head, fits, each.words, settings, yardstick)


def _shared(first: Measured, second: Measured) -> list[KeywordList]:
    """Return the lists that two corpora have in common; none where their languages differ."""
    if first.documents.language != second.documents.language:
        return []
    words = {each.name: [*each.words] for each in second.lists}
    return [each for each in first.lists if words.get(each.name) == [*each.words]]


def _differences(
    head: Mapping[str, Any],
    fits: tuple[Sequence[Topics], Sequence[Topics]],
    keywords: Sequence[str],
    settings: Settings,
    yardstick: Yardstick,
) -> Iterator[dict[str, Any]]:
    """Yield the difference of each figure of two samples."""
    for missing in MISSING:
        first, second = (
            by_seed(of, settings.base_words, keywords, yardstick.table, missing) for of in fits
        )
        for name, values in zip(HELD, (first - second).T.tolist(), strict=False):
            found = over_draws(values, limit=2)
            yield {**head, "missing": missing, "figure": name, "difference": found}


def sizes(corpus: Measured, settings: Settings, yardstick: Yardstick) -> Iterator[dict[str, Any]]:
    """Yield the figures of samples of a corpus, the smallest first, and of all of it."""
    for each in corpus.lists:
        for number, fits in sorted(corpus.fits.sizes.items()):
            found = by_seed(
                fits, settings.base_words, each.words, yardstick.table, settings.missing
            )
            interval = over_fits if number == len(corpus.documents) else over_draws
            yield {
                "corpus": corpus.name,
                "keywords": each.name,
                "documents": number,
                **dict(zip(HELD, map(interval, found.T.tolist()), strict=False)),
            }


def _of_grid(
    corpus: Measured, each: KeywordList, settings: Settings, yardstick: Yardstick
) -> Iterator[dict[str, Any]]:
    lists = corpus.random[each.name]
    head = _head(corpus, each, None, len(corpus.documents))
    for number in settings.topics:
        fits = corpus.fits.grid[number]
        by_chance = (
            {} if lists is None else of_lists(fits, settings.words, lists, yardstick.table, MISSING)
        )
        for words in settings.words:
            for missing in MISSING:
                found = entry(fits, words, each.words, yardstick, missing)
                values = {name: value_of(found, name) for name in HELD}
                held = by_chance.get((words, missing))
                baseline = None if held is None else held_against(values, held)
                yield {**head, **found, "baseline": baseline}


def _head(
    corpus: Measured, each: KeywordList, group: Mapping[str, str] | None, documents: int
) -> dict[str, Any]:
    return {
        "corpus": corpus.name,
        "keywords": each.name,
        "group": group,
        "documents": documents,
    }
