"""What is measured of one corpus, part by part of the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wikibias.corpus.topic_counts import Counts
from wikibias.selection_bias.baseline import HELD, held_against, of_lists
from wikibias.selection_bias.documents import Documents
from wikibias.selection_bias.figures import MISSING, Yardstick, by_seed, entry, value_of
from wikibias.selection_bias.fits import Fits
from wikibias.selection_bias.groups import pairs
from wikibias.selection_bias.keywords import KeywordList
from wikibias.selection_bias.random_lists import RandomLists
from wikibias.selection_bias.seeds import over_draws, over_fits
from wikibias.selection_bias.settings import Settings


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
    name: str, each: KeywordList, standing: Mapping[str, int], yardstick: Yardstick
) -> dict[str, Any]:
    """Return what the result tells of a list of keywords.

    Args:
        name: of the corpus.
        each: the list.
        standing: in how many documents each keyword stands.
        yardstick: how alike the keywords are to each other.
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
            for missing in MISSING:
                of_first, of_second = (
                    by_seed(groups[one], settings.base_words, each.words, yardstick.table, missing)
                    for one in (first, second)
                )
                for name, values in zip(HELD, (of_first - of_second).T.tolist(), strict=False):
                    yield {
                        "corpus": corpus.name,
                        "keywords": each.name,
                        "by": first.by,
                        "first": first.value,
                        "second": second.value,
                        "missing": missing,
                        "figure": name,
                        "difference": over_draws(values, limit=2),
                    }


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
