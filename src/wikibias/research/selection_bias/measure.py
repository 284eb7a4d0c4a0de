"""B1 and B2 of corpora and lists of keywords: everything that `selection_bias.json` holds.

They are measured over numbers of topics and of words, and over groups of documents.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.errors import counted as number_of
from wikibias.kits.files import ascii_json, from_json
from wikibias.kits.folders import ResultFolder
from wikibias.research.selection_bias import samples, similarity
from wikibias.research.selection_bias.documents import (
    POOL,
    Documents,
    KeywordList,
    Lists,
    document_frequency,
    random_lists,
)
from wikibias.research.selection_bias.similarity import COMPARED, ByNumber, Missing, SimilarityTable

RESULT = ResultFolder("selection_bias", 1, "wikibias audit topics")
"""What `wikibias audit topics --out` makes."""
MOST_RANDOM = 5000
"""How many words the random lists of one list are drawn from: for long lists, fewer each."""
DECIMALS = 6
"""More would differ from one machine to the next."""
WORDS, NEAREST, EXAMPLES = 20, 5, 3
"""How many words, keywords of each list, and sentences stand for a topic."""
_LONGEST, _BEGIN = 500, 40  # characters of a sentence, and of its begin
_SHOWN = 10

Make = Callable[[Sequence[str], Sequence[Documents], int], similarity.Similarity]
"""Makes a measure from the words that may be asked about, the corpora and the first seed."""
Given = Sequence[tuple[Documents, Sequence[KeywordList]]]
Result = dict[str, Any]
GroupFigures = Mapping[tuple[str, str, samples.Group], ByNumber]
"""Figures of groups, by the corpus and the list of keywords."""


@dataclass(frozen=True, slots=True)
class MeasuredList(KeywordList):
    """A list of keywords of a corpus.

    Attributes:
        frequency: each keyword, and in how many documents it is.
        random: random lists in its place; None where there are none.
    """

    frequency: Mapping[str, int]
    random: Lists | None


@dataclass(frozen=True, slots=True)
class Measured:
    """A corpus with its lists of keywords, the counts of its words, and its topics."""

    documents: Documents
    lists: Sequence[MeasuredList]
    counts: samples.Counts
    fits: samples.Fits


def measure(
    corpora: Given,
    settings: samples.Settings,
    make: Make,
    progress: samples.Progress = lambda line: None,
) -> Result:
    """Measure corpora, each against its lists of keywords.

    In how many documents a word stands at least is one number for all corpora, that of the
    smallest: else vocabularies, and figures, would differ by the sizes of the corpora alone.

    Args:
        corpora: the documents of each, with its lists.
        settings: what is measured.
        make: makes what tells how alike words are, one for all corpora together.
        progress: takes a line for each fit.

    Returns:
        The result, as `selection_bias.json` holds it.

    Raises:
        UsageError: two corpora or lists have one name, a list is empty, the measure knows no
            keyword of a corpus, or a corpus is too small for the numbers of topics.
    """
    every = [documents for documents, _ in corpora]
    for _, lists in corpora:
        names = [each.name for each in lists]
        if twice := [name for name in names if names.count(name) > 1]:
            raise UsageError(f"two lists of keywords are called {twice[0]!r}; rename one")
    samples.check_asked(settings.by, every)
    least = samples.least_of(min(map(len, every)))
    counts = [
        samples.count_words(
            documents.texts, settings.stop_words.get(documents.name, frozenset()), least
        )
        for documents in every
    ]
    for documents, own in zip(every, counts, strict=True):
        _check_size(documents, own, max(settings.topics), least)
    asked = {word for each in counts for word in each.documents_with}
    asked |= {word for _, lists in corpora for each in lists for word in each.words}
    words = sorted(asked)
    alike = make(words, every, settings.seeds[0])
    known = frozenset(np.array(words, dtype=object)[alike.knows(words)].tolist())
    corpora, notes = _known_lists(corpora, known, alike)
    compared, too_small = samples.corpus_groups(every)
    notes += too_small
    found: list[Measured] = []
    for (documents, lists), own in zip(corpora, counts, strict=True):
        groups, left_out = samples.groups_of(documents, settings.by)
        if documents.name in compared:
            groups.append(compared[documents.name])
        fits = samples.fit_all(documents, own, groups, settings, progress)
        notes += left_out
        notes += [
            f"{documents.name}: {group} left out: no word of its sentences is frequent in the "
            "corpus"
            for group in groups
            if group not in fits.groups and group.by != samples.CORPUS
        ]
        measured = []
        for each in lists:
            frequency = document_frequency(documents.texts, each.words)
            random = _random(frequency, own, known, settings)
            measured.append(MeasuredList(each.name, each.source, each.words, frequency, random))
            if not any(frequency.values()):
                notes.append(
                    f"{documents.name}: none of its sentences has a keyword of {each.name!r}, so "
                    "no random lists are as frequent; compare the figures with those of another "
                    "list"
                )
        found.append(Measured(documents, measured, own, fits))
    result: Result = {
        "settings": {
            "topics": list(settings.topics),
            "words": list(settings.words),
            "base": {"topics": settings.base_topics, "words": settings.base_words},
            "seeds": list(settings.seeds),
            "lists": settings.lists,
            "least": least,
        },
        "similarity": dict(alike.about),
        "corpora": [_corpus_record(corpus) for corpus in found],
        "keywords": [
            _list_record(corpus, each, alike) for corpus in found for each in corpus.lists
        ],
        **_figures(found, settings, alike),
    }
    result |= {"correlations": [*similarity.correlations(result)], "notes": notes}
    rounded: Result = from_json(
        ascii_json(result),
        parse_float=lambda number: round(float(number), DECIMALS) + 0.0,
        parse_constant=lambda _: None,
    )
    return rounded


def _check_size(documents: Documents, counts: samples.Counts, topics: int, least: int) -> None:
    if len(documents) < topics:
        raise UsageError(
            f"{documents.name} has {number_of(len(documents), 'document')}, fewer than "
            f"{number_of(topics, 'topic')}: give fewer with --topics, or a larger corpus"
        )
    if not counts.vocabulary:
        raise UsageError(
            f"{documents.name}: no word but stop words stands in {least} of its sentences; give a "
            "larger corpus"
        )


def _known_lists(
    corpora: Given, known: frozenset[str], alike: similarity.Similarity
) -> tuple[Given, list[str]]:
    """Return corpora with those of their lists of which a keyword is known, and notes on unknown.

    Raises:
        UsageError: a corpus has no such list.
    """
    kept: list[tuple[Documents, Sequence[KeywordList]]] = []
    notes: dict[str, None] = {}
    for documents, lists in corpora:
        found = [each for each in lists if not known.isdisjoint(each.words)]
        if not found:
            raise UsageError(
                f"{alike.about['title']} knows none of the keywords {lists[0].name!r} of "
                f"{documents.name}: give keywords in the language of the corpus (English nouns for "
                "wordnet), or --vectors that have them"
            )
        for each in lists:
            if unknown := [word for word in each.words if word not in known]:
                more = " …" if len(unknown) > _SHOWN else ""
                notes[
                    f"the similarity does not know {len(unknown):,} of "
                    f"{number_of(len(each.words), 'keyword')} of {each.name!r}: "
                    f"{', '.join(unknown[:_SHOWN])}{more}"
                    f"{'' if each in found else '; they are left out'}"
                ] = None
        kept.append((documents, found))
    return kept, [*notes]


def _random(
    frequency: Mapping[str, int],
    counts: samples.Counts,
    known: Collection[str],
    settings: samples.Settings,
) -> Lists | None:
    if not settings.lists or not any(frequency.values()):
        return None  # no word of the corpus is as rare as one that it has not
    return random_lists(
        frequency,
        counts.documents_with,
        known,
        number=settings.lists,
        seed=settings.seeds[0],
        pool=max(2, min(POOL, MOST_RANDOM // len(frequency))),
    )


def _corpus_record(corpus: Measured) -> Result:
    documents, counts = corpus.documents, corpus.counts
    return {
        "name": documents.name,
        "language": documents.language,
        "documents": len(documents),
        "of": max(documents.of, len(documents)),
        "vocabulary": len(counts.vocabulary),
        "words_per_document": float(counts.matrix.sum()) / max(len(documents), 1),
    }


def _list_record(corpus: Measured, each: MeasuredList, alike: similarity.Similarity) -> Result:
    # Of the keywords of all lists with each other there are too many for one table.
    table = SimilarityTable(alike, each.words, each.words)
    between = table.of(each.words, each.words)[np.triu_indices(len(each.words), 1)]
    defined = between[~np.isnan(between)]
    seen = alike.seen(each.words)
    return {
        "corpus": corpus.documents.name,
        "name": each.name,
        "source": each.source,
        "words": list(each.words),
        "in_corpus": sum(number > 0 for number in each.frequency.values()),
        "coverage": table.coverage(each.words),
        "seen": None if seen is None else float(seen.mean()),
        "mean_similarity": float(defined.mean()) if len(defined) else None,
    }


def _figures(
    found: Sequence[Measured], settings: samples.Settings, alike: similarity.Similarity
) -> Result:
    """Return the parts of the result that are made of topics and similarities."""
    words = {word for corpus in found for word in corpus.fits.words()}
    listed = {word for corpus in found for each in corpus.lists for word in each.words}
    random = [each.random for corpus in found for each in corpus.lists]
    listed.update(word for lists in random if lists is not None for word in lists.words)
    table = SimilarityTable(alike, words, listed)
    of_groups = {
        (corpus.documents.name, each.name, group): similarity.by_seed(
            fits, [settings.base_words], Lists.of(each.words), table
        )
        for corpus in found
        for each in corpus.lists
        for group, fits in corpus.fits.groups.items()
    }
    figures: list[Result] = []
    differences: list[Result] = []
    topics: list[Result] = []
    for corpus in found:
        name = corpus.documents.name
        for each in corpus.lists:
            figures += _grid_figures(corpus, each, settings, table)
            figures += _group_figures(corpus, each, of_groups, table)
            for first, second in samples.pairs(
                [g for g in corpus.fits.groups if g.by != samples.CORPUS]
            ):
                differences += _differences(name, each.name, first, second, of_groups)
        fit = corpus.fits.grid[settings.base_topics][0]
        topics += described(corpus.documents, fit, corpus.lists, table, settings.base_words)
    compared = [(c, g) for c in found for g in c.fits.groups if g.by == samples.CORPUS]
    for other, second in compared[1:]:
        first_corpus, first = compared[0]
        for name in _shared(first_corpus, other):
            differences += _differences(None, name, first, second, of_groups)
    return {"figures": figures, "differences": differences, "topics": topics}


def _shared(first: Measured, second: Measured) -> list[str]:
    """Return the lists that two corpora have in common; none where their languages differ."""
    if first.documents.language != second.documents.language:
        return []
    words = {each.name: [*each.words] for each in second.lists}
    return [each.name for each in first.lists if words.get(each.name) == [*each.words]]


def _grid_figures(
    corpus: Measured, each: MeasuredList, settings: samples.Settings, table: SimilarityTable
) -> Iterator[Result]:
    """Yield the figures of a corpus and a list over the numbers of topics and words."""
    head = {"corpus": corpus.documents.name, "keywords": each.name, "group": None}
    for fits in corpus.fits.grid.values():
        own = similarity.by_seed(fits, settings.words, Lists.of(each.words), table)
        drawn = each.random
        by_chance = similarity.by_seed(fits, settings.words, drawn, table) if drawn else {}
        for key, figures in _entries(fits, own, each.words, table):
            baseline = similarity.against_random(figures, by_chance[key]) if by_chance else None
            yield {**head, "documents": len(corpus.documents), **figures, "baseline": baseline}


def _group_figures(
    corpus: Measured, each: MeasuredList, found: GroupFigures, table: SimilarityTable
) -> Iterator[Result]:
    """Yield the figures of the groups of a corpus and a list."""
    name = corpus.documents.name
    for group, fits in corpus.fits.groups.items():
        head = {
            "corpus": name,
            "keywords": each.name,
            "group": {"by": group.by, "value": group.value},
            "documents": group.drawn,
        }
        own = found[name, each.name, group] if group.by != samples.CORPUS else {}
        for _, figures in _entries(fits, own, each.words, table, drawn=True):
            yield {**head, **figures, "baseline": None}


def _entries(
    fits: Sequence[samples.Topics],
    found: ByNumber,
    keywords: Sequence[str],
    table: SimilarityTable,
    *,
    drawn: bool = False,
) -> Iterator[tuple[tuple[int, Missing], Result]]:
    """Yield the figures of fits with their intervals, and the coverage beside them."""
    for (words, missing), figures in found.items():
        values = figures[:, :, 0]
        intervals = [similarity.interval(of, drawn=drawn) for of in values.T.tolist()]
        used = {word for fit in fits for topic in fit.words for word in topic[:words]}
        yield (
            (words, missing),
            {
                "topics": len(fits[0].words),
                "words": words,
                "missing": missing,
                "b1": intervals[0],
                "b2": dict(zip(similarity.FIGURES[1:], intervals[1:], strict=True)),
                "coverage": {
                    "topic_words": table.coverage(used),
                    "keywords": table.coverage(keywords),
                },
                "by_seed": [
                    {"seed": fit.seed, **dict(zip(COMPARED, row, strict=False))}
                    for fit, row in zip(fits, values.tolist(), strict=True)
                ],
            },
        )


def _differences(
    corpus: str | None,
    keywords: str,
    first: samples.Group,
    second: samples.Group,
    found: GroupFigures,
) -> Iterator[Result]:
    """Yield the differences of two samples, the first less the second, figure by figure."""
    one, other = (found[corpus or each.value, keywords, each] for each in (first, second))
    head = {"corpus": corpus, "keywords": keywords, "by": first.by}
    for words, missing in one:
        values = (one[words, missing] - other[words, missing])[:, :, 0]
        for name, of in zip(COMPARED, values.T.tolist(), strict=False):
            yield {
                **head,
                "first": first.value,
                "second": second.value,
                "missing": missing,
                "figure": name,
                "difference": similarity.interval(of, drawn=True, limit=2),
            }


def described(
    documents: Documents,
    topics: samples.Topics,
    lists: Sequence[KeywordList],
    table: SimilarityTable,
    words: int,
) -> Iterator[Result]:
    """Yield what a page tells of each topic, that of the largest share first.

    Args:
        documents: that the topics were fitted on.
        topics: of one seed.
        lists: of keywords.
        table: how alike they are to the words of topics.
        words: how many words of a topic are compared. A pair without a similarity counts as 0.
    """
    shares = topics.shares.mean(axis=0)
    labels = np.array(documents.facts.get("label", ()), dtype=object)
    order = np.argsort(-shares, kind="stable")
    for number, place in enumerate(order.tolist(), 1):
        own, of_documents = topics.words[place], topics.shares[:, place]
        compared = {each.name: _compared(own[:words], each.words, table) for each in lists}
        yield {
            "corpus": documents.name,
            "topic": number,
            "share": float(shares[place]),
            "share_by_label": {
                label: float(of_documents[labels == label].mean())
                for label in sorted({label for label in labels.tolist() if label})
            }
            or None,
            "words": own[:WORDS],
            **{
                part: {name: found[part] for name, found in compared.items()}
                for part in ("nearest", "cells", *COMPARED)
            },
            "examples": _examples(documents.texts, of_documents),
        }


def _compared(words: Sequence[str], keywords: Sequence[str], table: SimilarityTable) -> Result:
    """Return the figures of a topic, its mean similarity to each keyword, and the nearest ones."""
    number = max(len(words), 1)
    by_number = similarity.by_topic([words], [number], Lists.of(keywords), table)
    figures = by_number[number, "zero"][0, :, 0]
    found = np.nan_to_num(table.of(words, keywords), nan=0.0)
    best = found.max(axis=0)
    nearest = [
        {
            "keyword": keywords[place],
            "word": words[int(found[:, place].argmax())],
            "similarity": float(best[place]),
        }
        for place in np.argsort(-best, kind="stable")[:NEAREST].tolist()
        if best[place] > 0
    ]
    figures_by_name = dict(zip(COMPARED, figures.tolist(), strict=False))
    return {"nearest": nearest, "cells": found.mean(axis=0).tolist(), **figures_by_name}


def _examples(texts: Sequence[str], shares: NDArray[np.float64]) -> list[str]:
    """Return sentences that are most of a topic; of those that begin alike, as versions do, one."""
    found: dict[str, str] = {}
    for row in np.argsort(-shares, kind="stable").tolist():
        if len(found) == EXAMPLES:
            break
        text = texts[row]
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        found.setdefault(text[:_BEGIN], shown)
    return list(found.values())
