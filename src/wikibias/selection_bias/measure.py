"""B1 and B2 of corpora and lists of keywords, over numbers of topics and of words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wikibias.corpus.topic_counts import Counts, counted
from wikibias.errors import UsageError
from wikibias.selection_bias.documents import Documents
from wikibias.selection_bias.figures import MISSING, Yardstick, entry
from wikibias.selection_bias.keywords import KeywordList
from wikibias.selection_bias.settings import Settings
from wikibias.selection_bias.similarity.registry import Similarity, Wanted
from wikibias.selection_bias.similarity.table import SimilarityTable
from wikibias.selection_bias.topics import Topics, fitted

FORMAT = "wikibias-selection-bias/1"
_DECIMALS = 6

Make = Callable[[Wanted], Similarity]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus with all that is fitted on it.

    Attributes:
        documents: of it.
        lists: of keywords.
        counts: of its words.
        grid: a number of topics -> the fits, one for each seed.
    """

    documents: Documents
    lists: Sequence[KeywordList]
    counts: Counts
    grid: Mapping[int, Sequence[Topics]]

    def topic_words(self) -> Iterator[str]:
        """Yield each word of a topic."""
        for fits in self.grid.values():
            for fit in fits:
                for words in fit.words:
                    yield from words


def measure(
    corpora: Sequence[tuple[Documents, Sequence[KeywordList]]],
    settings: Settings,
    similarity: Make,
    wanted: Wanted,
    progress: Say = lambda line: None,
) -> dict[str, Any]:
    """Measure corpora, each against its lists of keywords.

    Args:
        corpora: the documents of each, with its lists.
        settings: what is measured.
        similarity: makes what tells how alike words are, from `wanted` with the words, the seed
            and, where it names none, the texts of all corpora together.
        wanted: what a user gave for it.
        progress: takes a line for each fit.

    Returns:
        The result, as `selection_bias.json` holds it.

    Raises:
        UsageError: two corpora have one name, the measure knows no keyword of a list, or a corpus
            is too small for the numbers of topics.
    """
    _check_names(corpora)
    held = [_fitted(documents, lists, settings, progress) for documents, lists in corpora]
    words = sorted({word for corpus in held for word in corpus.topic_words()})
    keywords = sorted({word for corpus in held for each in corpus.lists for word in each.words})
    made = similarity(
        replace(
            wanted,
            words=sorted({*words, *keywords}),
            seed=settings.seeds[0],
            texts=wanted.texts
            or (lambda: (text for each in held for text in each.documents.texts)),
        )
    )
    asked = [*words, *keywords]
    known = frozenset(
        word for word, knows in zip(asked, made.knows(asked).tolist(), strict=True) if knows
    )
    yardstick = Yardstick(SimilarityTable(made, words, keywords), known)
    result = {
        "format": FORMAT,
        "settings": settings.record(),
        "similarity": dict(made.about),
        "corpora": [_about(corpus) for corpus in held],
        "keywords": [],
        "figures": [each for corpus in held for each in _figures(corpus, settings, yardstick)],
        "differences": [],
        "correlations": [],
        "sizes": [],
        "topics": [],
        "drift": None,
        "leakage": [],
        "notes": [],
    }
    rounded: dict[str, Any] = _rounded(result)
    return rounded


def _check_names(corpora: Sequence[tuple[Documents, Sequence[KeywordList]]]) -> None:
    names = [documents.name for documents, _ in corpora]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two corpora are called {name!r}; rename the folder of one")


def _fitted(
    documents: Documents, lists: Sequence[KeywordList], settings: Settings, say: Say
) -> Corpus:
    counts = counted(documents.texts, settings.stop_words.get(documents.name, frozenset()))
    grid: dict[int, list[Topics]] = {}
    for number in settings.topics:
        for seed in settings.seeds:
            say(f"{documents.name}: {number} topics, seed {seed}")
            fit = fitted(counts, number, seed, max(settings.words), settings.topic_model)
            grid.setdefault(number, []).append(fit)
    return Corpus(documents, lists, counts, grid)


def _about(corpus: Corpus) -> dict[str, Any]:
    documents = corpus.documents
    return {
        "name": documents.name,
        "language": documents.language,
        "documents": len(documents),
        "of": max(documents.of, len(documents)),
        "vocabulary": len(corpus.counts.vocabulary),
        "words_per_document": float(corpus.counts.matrix.sum()) / max(len(documents), 1),
    }


def _figures(corpus: Corpus, settings: Settings, yardstick: Yardstick) -> Iterator[dict[str, Any]]:
    for each in corpus.lists:
        for number in settings.topics:
            for words in settings.words:
                for missing in MISSING:
                    yield {
                        "corpus": corpus.documents.name,
                        "keywords": each.name,
                        "group": None,
                        "documents": len(corpus.documents),
                        **entry(corpus.grid[number], words, each.words, yardstick, missing),
                        "baseline": None,
                    }


def _rounded(value: Any) -> Any:
    """Return what JSON holds of a result: numbers of few decimals, None for no number."""
    if isinstance(value, Mapping):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, _DECIMALS) + 0.0
    return value
