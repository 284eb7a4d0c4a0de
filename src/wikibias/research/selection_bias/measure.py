"""B1 and B2 of corpora and lists of keywords: everything that `selection_bias.json` holds.

Over numbers of topics and of words, groups of documents and sizes of the corpus.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.messages import counted as number_of
from wikibias.research.selection_bias import FORMAT
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.figures import (
    FIGURES,
    MISSING,
    SHOWN,
    KnownSimilarities,
    against_random,
    by_seed,
    by_topic,
    correlations,
    entry,
    of_random_lists,
    over_draws,
    over_fits,
    value_of,
)
from wikibias.research.selection_bias.keywords import (
    POOL,
    KeywordList,
    RandomLists,
    document_frequency,
    random_lists,
)
from wikibias.research.selection_bias.samples import (
    Fits,
    check_asked,
    fit_all,
    groups_of,
    pairs,
    sample_of_each,
)
from wikibias.research.selection_bias.settings import Settings
from wikibias.research.selection_bias.similarity import Similarity, SimilarityTable, Trained, Wanted
from wikibias.research.selection_bias.topics import Counts, Topics, counted, least_of

MOST_RANDOM = 5000
"""How many words the random lists of one list are drawn from: for long lists, fewer each."""
DECIMALS = 6
"""More would differ from one machine to the next."""
WORDS, NEAREST, EXAMPLES = 20, 5, 3
"""How many words, keywords of each list, and sentences stand for a topic."""
_LONGEST, _BEGIN = 500, 40  # characters of a sentence, and of its begin
_SHOWN = 10
# What to do where a measure knows no keyword.
_KNOWS_OTHERS = {
    "vectors": "give keywords in the language of the corpus, or vectors that have them",
    "fasttext": "give keywords in the language and script of the corpus, or --vectors that have "
    "them",
    "wordnet": "give English nouns, or another --similarity",
}

Make = Callable[[Wanted], Similarity]
Progress = Callable[[str], None]
Given = Sequence[tuple[Documents, Sequence[KeywordList]]]


@dataclass(frozen=True, slots=True)
class Measured:
    """A corpus with all that is fitted on it and drawn for it.

    Attributes:
        documents: of it.
        lists: of keywords.
        counts: of its words.
        frequency: the name of a list -> each of its keywords, and in how many documents it is.
        fits: its topics.
        random: the name of a list -> random lists in its place; None where there are none.
    """

    documents: Documents
    lists: Sequence[KeywordList]
    counts: Counts
    frequency: Mapping[str, Mapping[str, int]]
    fits: Fits
    random: Mapping[str, RandomLists | None]

    @property
    def name(self) -> str:
        """What the corpus is called."""
        return self.documents.name


def measure(
    corpora: Given,
    settings: Settings,
    similarity: Make,
    wanted: Wanted,
    progress: Progress = lambda line: None,
) -> dict[str, Any]:
    """Measure corpora, each against its lists of keywords.

    Args:
        corpora: the documents of each, with its lists.
        settings: what is measured.
        similarity: makes what tells how alike words are, from `wanted` with the words, the seed
            and, where it names none, the texts of all corpora together.
        wanted: what a user gave for it.
        progress: takes a line for each fit.

    In how many documents a word stands at least is one number for all corpora, that of the
    smallest: else vocabularies, and figures, would differ by the sizes of the corpora alone.

    Returns:
        The result, as `selection_bias.json` holds it.

    Raises:
        UsageError: two corpora or lists have one name, a list is empty, the measure knows no
            keyword of a corpus, or a corpus is too small for the numbers of topics.
    """
    _check(corpora)
    check_asked(settings.by, [documents for documents, _ in corpora])
    least = least_of(min(len(documents) for documents, _ in corpora))
    counts = [
        counted(documents.texts, settings.stop_words.get(documents.name, frozenset()), least)
        for documents, _ in corpora
    ]
    for (documents, _), of_corpus in zip(corpora, counts, strict=True):
        _check_size(documents, of_corpus, max(settings.topics), least)
    made, known = _known(corpora, counts, settings, similarity, wanted)
    corpora, left = _of_known(corpora, known, made)
    held: list[Measured] = []
    samples, too_small = sample_of_each([documents for documents, _ in corpora])
    notes = [*left, *_unknown(corpora, known), *too_small]
    for (documents, lists), of_corpus in zip(corpora, counts, strict=True):
        groups, left_out = groups_of(documents, settings.by)
        compared = samples.get(documents.name, 0)
        topics = fit_all(documents, of_corpus, groups, settings, progress, compared=compared)
        notes += left_out
        notes += [
            f"{documents.name}: {group} left out: no word of its sentences is frequent in the "
            "corpus"
            for group in groups
            if group not in topics.groups
        ]
        frequencies = {each.name: document_frequency(documents.texts, each.words) for each in lists}
        random = {
            name: _random(in_corpus, of_corpus, known, settings)
            for name, in_corpus in frequencies.items()
        }
        notes += _absent(documents.name, frequencies)
        held.append(Measured(documents, lists, of_corpus, frequencies, topics, random))
    similarities = KnownSimilarities(_table(held, made), known)
    result = _result(held, settings, similarities, made, notes)
    result["settings"]["least"] = least
    return result


def _check(corpora: Given) -> None:
    names = {"corpora": [documents.name for documents, _ in corpora]}
    for documents, lists in corpora:
        names[f"lists of keywords of {documents.name}"] = [each.name for each in lists]
        for each in lists:
            if not each.words:
                raise UsageError(f"the keywords {each.name!r} are none; give another list")
    for what, called in names.items():
        for name in called:
            if called.count(name) > 1:
                raise UsageError(f"two {what} are called {name!r}; rename one")


def _check_size(documents: Documents, counts: Counts, topics: int, least: int) -> None:
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


def _known(
    corpora: Given, counts: Sequence[Counts], settings: Settings, make: Make, wanted: Wanted
) -> tuple[Similarity, frozenset[str]]:
    """Return the measure, and which words of the corpora and which keywords it knows."""
    words = {word for each in counts for word in each.documents_with}
    words.update(word for _, lists in corpora for each in lists for word in each.words)
    asked = sorted(words)

    def texts() -> Iterator[str]:
        for documents, _ in corpora:
            yield from documents.texts

    wanted = replace(wanted, words=asked, seed=settings.seeds[0])
    if wanted.texts is None:
        names = [documents.name for documents, _ in corpora]
        wanted = replace(wanted, texts=texts, corpora=names)
    made = make(wanted)
    knows = made.knows(asked).tolist()
    return made, frozenset(word for word, is_known in zip(asked, knows, strict=True) if is_known)


def _of_known(corpora: Given, known: frozenset[str], made: Similarity) -> tuple[Given, list[str]]:
    """Return corpora with those of their lists of which a keyword is known, and notes on others.

    Raises:
        UsageError: a corpus has no such list.
    """
    kept: list[tuple[Documents, Sequence[KeywordList]]] = []
    notes: dict[str, None] = {}
    for documents, lists in corpora:
        found = [each for each in lists if not known.isdisjoint(each.words)]
        for each in lists:
            if known.isdisjoint(each.words):
                why = f"{made.about['title']} knows none of the keywords {each.name!r}"
                if not found:
                    called = str(made.about.get("name"))
                    remedy = _KNOWS_OTHERS.get(called, _KNOWS_OTHERS["vectors"])
                    raise UsageError(f"{why} of {documents.name}: {remedy}")
                notes[f"{why}; they are left out"] = None
        kept.append((documents, found))
    return kept, [*notes]


def _unknown(corpora: Given, known: Collection[str]) -> list[str]:
    """Return a note for each list of which some keywords are unknown."""
    found: dict[str, None] = {}
    for each in (each for _, lists in corpora for each in lists):
        without = [word for word in each.words if word not in known]
        if without:
            found[
                f"the similarity does not know {len(without):,} of "
                f"{number_of(len(each.words), 'keyword')} of {each.name!r}: {_some(without)}"
            ] = None
    return list(found)


def _absent(name: str, frequencies: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield a note for each list of which the corpus has no keyword."""
    for called, frequency in frequencies.items():
        if not any(frequency.values()):
            yield (
                f"{name}: none of its sentences has a keyword of {called!r}, so no random lists "
                "are as frequent; compare the figures with those of another list"
            )


def _random(
    frequency: Mapping[str, int], counts: Counts, known: Collection[str], settings: Settings
) -> RandomLists | None:
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


def _table(held: Sequence[Measured], made: Similarity) -> SimilarityTable:
    words = {word for corpus in held for word in corpus.fits.words()}
    listed = {word for corpus in held for each in corpus.lists for word in each.words}
    random = {
        word
        for corpus in held
        for lists in corpus.random.values()
        if lists is not None
        for word in lists.words
    }
    return SimilarityTable(made, words, listed | random)


def _result(
    held: Sequence[Measured],
    settings: Settings,
    similarities: KnownSimilarities,
    made: Similarity,
    notes: Sequence[str],
) -> dict[str, Any]:
    base = settings.base_topics
    result: dict[str, Any] = {
        "format": FORMAT,
        "settings": settings.record(),
        "similarity": dict(made.about),
        "corpora": [_about(each) for each in held],
        "keywords": [
            _of_list(corpus, each, similarities, made) for corpus in held for each in corpus.lists
        ],
        **{
            name: [each for corpus in held for each in part(corpus, settings, similarities)]
            for name, part in (("figures", figures), ("differences", differences), ("sizes", sizes))
        },
        "topics": [
            each
            for corpus in held
            for each in described(
                corpus.documents,
                corpus.fits.grid[base][0],
                corpus.lists,
                similarities.table,
                settings.base_words,
            )
        ],
        "notes": list(notes),
    }
    result["differences"] += between_corpora(held, settings, similarities)
    result["correlations"] = [*correlations(result, settings.missing)]
    ordered: dict[str, Any] = rounded(result)
    return ordered


def _some(words: Sequence[str]) -> str:
    shown = ", ".join(words[:_SHOWN])
    return shown if len(words) <= _SHOWN else f"{shown} …"


def _about(corpus: Measured) -> dict[str, Any]:
    """Return what the result tells of a corpus."""
    documents, counts = corpus.documents, corpus.counts
    return {
        "name": documents.name,
        "language": documents.language,
        "documents": len(documents),
        "of": max(documents.of, len(documents)),
        "vocabulary": len(counts.vocabulary),
        "words_per_document": float(counts.matrix.sum()) / max(len(documents), 1),
    }


def _of_list(
    corpus: Measured, each: KeywordList, similarities: KnownSimilarities, made: Similarity
) -> dict[str, Any]:
    """Return what the result tells of a list of keywords."""
    # Of the keywords of all lists with each other there are too many for one table.
    alike = SimilarityTable(made, each.words, each.words).of(each.words, each.words)
    between = alike[np.triu_indices(len(each.words), 1)]
    known = between[~np.isnan(between)]
    return {
        "corpus": corpus.name,
        "name": each.name,
        "source": each.source,
        "words": list(each.words),
        "in_corpus": sum(number > 0 for number in corpus.frequency[each.name].values()),
        "coverage": similarities.coverage(each.words),
        "seen": float(made.seen(each.words).mean()) if isinstance(made, Trained) else None,
        "mean_similarity": float(known.mean()) if len(known) else None,
    }


def figures(
    corpus: Measured, settings: Settings, similarities: KnownSimilarities
) -> Iterator[dict[str, Any]]:
    """Yield the figures of a corpus over the grid, then those of its groups, list by list."""
    for each in corpus.lists:
        yield from _of_grid(corpus, each, settings, similarities)
        for group, fits in corpus.fits.groups.items():
            for missing in MISSING:
                found = entry(
                    fits, settings.base_words, each.words, similarities, missing, over_draws
                )
                where = {"by": group.by, "value": group.value}
                yield {**_head(corpus, each, where, group.drawn), **found, "baseline": None}


def differences(
    corpus: Measured, settings: Settings, similarities: KnownSimilarities
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
            yield from _differences(head, fits, each.words, settings, similarities)


def between_corpora(
    held: Sequence[Measured], settings: Settings, similarities: KnownSimilarities
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
            yield from _differences(head, fits, each.words, settings, similarities)


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
    similarities: KnownSimilarities,
) -> Iterator[dict[str, Any]]:
    """Yield the difference of each figure of two samples."""
    for missing in MISSING:
        first, second = (
            by_seed(of, settings.base_words, keywords, similarities.table, missing) for of in fits
        )
        for name, values in zip(SHOWN, (first - second).T.tolist(), strict=False):
            found = over_draws(values, limit=2)
            yield {**head, "missing": missing, "figure": name, "difference": found}


def sizes(
    corpus: Measured, settings: Settings, similarities: KnownSimilarities
) -> Iterator[dict[str, Any]]:
    """Yield the figures of samples of a corpus, the smallest first, and of all of it."""
    for each in corpus.lists:
        for number, fits in sorted(corpus.fits.sizes.items()):
            found = by_seed(
                fits, settings.base_words, each.words, similarities.table, settings.missing
            )
            interval = over_fits if number == len(corpus.documents) else over_draws
            yield {
                "corpus": corpus.name,
                "keywords": each.name,
                "documents": number,
                **dict(zip(SHOWN, map(interval, found.T.tolist()), strict=False)),
            }


def _of_grid(
    corpus: Measured, each: KeywordList, settings: Settings, similarities: KnownSimilarities
) -> Iterator[dict[str, Any]]:
    lists = corpus.random[each.name]
    head = _head(corpus, each, None, len(corpus.documents))
    for number in settings.topics:
        fits = corpus.fits.grid[number]
        by_chance = (
            {}
            if lists is None
            else of_random_lists(fits, settings.words, lists, similarities.table)
        )
        for words in settings.words:
            for missing in MISSING:
                found = entry(fits, words, each.words, similarities, missing)
                values = {name: value_of(found, name) for name in SHOWN}
                held = by_chance.get((words, missing))
                baseline = None if held is None else against_random(values, held)
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


def described(
    documents: Documents,
    topics: Topics,
    lists: Sequence[KeywordList],
    table: SimilarityTable,
    words: int,
) -> Iterator[dict[str, Any]]:
    """Yield what a page tells of each topic, that of the largest share first.

    Args:
        documents: that the topics were fitted on.
        topics: of one seed.
        lists: of keywords.
        table: how alike they are to the words of topics.
        words: how many words of a topic are compared. A pair without a similarity counts as 0.
    """
    shares = topics.shares.mean(axis=0)
    order = np.argsort(-shares, kind="stable")
    for number, place in enumerate(order.tolist(), 1):
        own = topics.words[place]
        compared = {
            each.name: _compared(own[:words], each.words, table) for each in lists if each.words
        }
        yield {
            "corpus": documents.name,
            "topic": number,
            "share": float(shares[place]),
            "share_by_label": _by_label(documents, topics.shares[:, place]),
            "words": own[:WORDS],
            **{
                part: {name: found[part] for name, found in compared.items()}
                for part in ("nearest", "cells", "b1", "mean_max", "max")
            },
            "examples": _examples(documents.texts, topics.shares[:, place]),
        }


def _compared(
    words: Sequence[str], keywords: Sequence[str], table: SimilarityTable
) -> dict[str, Any]:
    found = np.nan_to_num(table.of(words, keywords), nan=0.0)
    figures = dict(zip(FIGURES, by_topic([found], "zero")[0].tolist(), strict=True))
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
    return {
        "nearest": nearest,
        "cells": found.mean(axis=0).tolist(),
        "b1": figures["b1"],
        "mean_max": figures["mean_max"],
        "max": figures["max"],
    }


def _by_label(documents: Documents, shares: NDArray[np.float64]) -> Mapping[str, float] | None:
    """Return the mean share of a topic in documents of each label; None where none is known."""
    labels = np.array(documents.facts.get("label", ()), dtype=object)
    names = sorted({label for label in labels.tolist() if label})
    if not names:
        return None
    return {name: float(shares[labels == name].mean()) for name in names}


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


def rounded(value: Any) -> Any:
    """Return what JSON holds of a result: numbers of few decimals, None for not a number."""
    if isinstance(value, Mapping):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, DECIMALS) + 0.0
    return value
