"""B1 and B2 of corpora and lists of keywords, with what chance alone would give.

Over numbers of topics and of words, groups of documents and sizes of the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wikibias.corpus.topic_counts import Counts, counted, least_of
from wikibias.errors import UsageError
from wikibias.messages import counted as number_of
from wikibias.research.selection_bias.correlations import correlations
from wikibias.research.selection_bias.described import described
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.figures import Yardstick
from wikibias.research.selection_bias.fits import Fits, fits
from wikibias.research.selection_bias.groups import Group, check_asked, groups_of, sample_of_each
from wikibias.research.selection_bias.keywords import KeywordList
from wikibias.research.selection_bias.measured import (
    Measured,
    about,
    between_corpora,
    differences,
    figures,
    keywords,
    sizes,
)
from wikibias.research.selection_bias.random_lists import POOL, RandomLists, drawn
from wikibias.research.selection_bias.rounding import rounded
from wikibias.research.selection_bias.settings import Settings
from wikibias.research.selection_bias.similarity.registry import Similarity, Wanted
from wikibias.research.selection_bias.similarity.table import SimilarityTable
from wikibias.research.selection_bias.standing import standing

FORMAT = "wikibias-selection-bias/1"
MOST_RANDOM = 5000
"""How many words the random lists of one list are drawn from: for long lists, fewer each."""
_SHOWN = 10
# What to do where a measure knows no keyword.
_KNOWS_OTHERS = {
    "vectors": "give keywords in the language of the corpus, or vectors that have them",
    "fasttext": "give keywords in the language and script of the corpus, or --vectors that have "
    "them",
    "wordnet": "give English nouns, or another --similarity",
}

Make = Callable[[Wanted], Similarity]
Say = Callable[[str], None]
Given = Sequence[tuple[Documents, Sequence[KeywordList]]]


def measure(
    corpora: Given,
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

    In how many documents a word stands at least is one number for all corpora, that of the
    smallest: else vocabularies, and figures, would differ by the sizes of the corpora alone.

    Returns:
        The result, as `selection_bias.json` holds it, but for `drift` and `leakage`.

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
        topics = fits(documents, of_corpus, groups, settings, progress, compared=compared)
        notes += [*left_out, *_wordless(documents, groups, topics)]
        stands = {each.name: standing(documents.texts, each.words) for each in lists}
        random = {
            name: _random(in_corpus, of_corpus, known, settings)
            for name, in_corpus in stands.items()
        }
        notes += _absent(documents.name, stands)
        held.append(Measured(documents, lists, of_corpus, stands, topics, random))
    yardstick = Yardstick(_table(held, made), known)
    result = _result(held, settings, yardstick, made, notes)
    result["settings"]["least"] = least
    return result


def _check(corpora: Given) -> None:
    _check_once("corpora", [documents.name for documents, _ in corpora])
    for _, lists in corpora:
        _check_once("lists of keywords", [each.name for each in lists])
        for each in lists:
            if not each.words:
                raise UsageError(f"the keywords {each.name!r} are none; give another list")


def _check_once(what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
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


def _absent(name: str, stands: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield a note for each list of which the corpus has few keywords."""
    for called, standing_in in stands.items():
        there = sum(number > 0 for number in standing_in.values())
        if not there:
            yield (
                f"{name}: none of its sentences has a keyword of {called!r}, so no random lists "
                "are as frequent; compare the figures with those of another list"
            )
        elif there * 2 < len(standing_in):
            yield (
                f"{name}: only {there:,} of {number_of(len(standing_in), 'keyword')} of "
                f"{called!r} stand in its sentences; random lists have its rarest words in place "
                "of the others, so p says little"
            )


def _wordless(documents: Documents, groups: Sequence[Group], topics: Fits) -> list[str]:
    """Return a note for each group on which no topics could be fitted."""
    return [
        f"{documents.name}: {group} left out: no word of its sentences is frequent in the corpus"
        for group in groups
        if group not in topics.groups
    ]


def _random(
    standing_in: Mapping[str, int], counts: Counts, known: Collection[str], settings: Settings
) -> RandomLists | None:
    if not settings.lists or not any(standing_in.values()):
        return None  # no word of the corpus is as rare as one that it has not
    return drawn(
        standing_in,
        counts.documents_with,
        known,
        number=settings.lists,
        seed=settings.seeds[0],
        pool=max(2, min(POOL, MOST_RANDOM // len(standing_in))),
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


def _own(each: KeywordList, yardstick: Yardstick, made: Similarity) -> Yardstick:
    """Return how alike the keywords of a list are to each other; of all lists it is too much."""
    return replace(yardstick, table=SimilarityTable(made, each.words, each.words))


def _result(
    held: Sequence[Measured],
    settings: Settings,
    yardstick: Yardstick,
    made: Similarity,
    notes: Sequence[str],
) -> dict[str, Any]:
    base = settings.base_topics
    result: dict[str, Any] = {
        "format": FORMAT,
        "settings": settings.record(),
        "similarity": dict(made.about),
        "corpora": [about(each.documents, each.counts) for each in held],
        "keywords": [
            keywords(
                corpus.name,
                each,
                corpus.standing[each.name],
                _own(each, yardstick, made),
                made,
            )
            for corpus in held
            for each in corpus.lists
        ],
        **{
            name: [each for corpus in held for each in part(corpus, settings, yardstick)]
            for name, part in (("figures", figures), ("differences", differences), ("sizes", sizes))
        },
        "topics": [
            each
            for corpus in held
            for each in described(
                corpus.documents,
                corpus.fits.grid[base][0],
                corpus.lists,
                yardstick.table,
                settings.base_words,
            )
        ],
        "drift": None,
        "leakage": [],
        "notes": list(notes),
    }
    result["differences"] += between_corpora(held, settings, yardstick)
    result["correlations"] = [*correlations(result, settings.missing)]
    ordered: dict[str, Any] = rounded(result)
    return ordered


def _some(words: Sequence[str]) -> str:
    shown = ", ".join(words[:_SHOWN])
    return shown if len(words) <= _SHOWN else f"{shown} …"
