"""How what a corpus is about changes from one to the next, as from one dump to a later one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from wikibias.corpus.log_odds import CHANCE, Contrast, WordCounts, contrasts
from wikibias.corpus.topic_counts import LEAST, counted, least_of
from wikibias.corpus.topic_words import topic_words
from wikibias.errors import WikibiasError
from wikibias.kits.evaluation import holm
from wikibias.messages import counted as count_of
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.shuffling import DRAWS, chance, share_above, swapped, together
from wikibias.research.selection_bias.topics import fitted

FEWEST = 20
"""How many documents with a word a corpus has at least to be compared."""
_WORDS_SHOWN = 10
_CAME_SHOWN = 20
Floats = NDArray[np.float64]


def drift(
    old: Documents,
    new: Documents,
    *,
    stop_words: Collection[str],
    topics: int,
    seeds: Sequence[int],
    draws: int = DRAWS,
) -> dict[str, Any]:
    """Return how the topics and words of a corpus differ from those of another.

    Topics are fitted on samples of equal size of both, together.

    Args:
        old: the first corpus.
        new: the second one.
        stop_words: words that are of no topic.
        topics: how many.
        seeds: of the fits; the first one is that of the samples and the draws, too.
        draws: how often documents are shuffled between the two, to tell what is chance.

    Returns:
        A figure is {"value", "low", "high"}, over seeds; by chance {"mean", "low", "high", "p"}.

        - `old`, `new`: names.
        - `documents`: {"old", "new", "each"}; `each`: with how many of each the topics are fitted,
          without those that have no word that was counted.
        - `same`, `shared`: the share and the number of the new sentences that the old corpus has;
          None where `old` is but a sample of it.
        - `shuffled_by`: "page", or "sentence" where pages are not known or too few.
        - `js`, `js_chance`: Jensen-Shannon divergence (base 2) of the shares of topics, 0 to 1.
        - `of_new`: {"documents", "each", "js", "js_chance"}, likewise of the sentences that are
          new against the old corpus; None where all are new, fewer than `FEWEST`, or not known.
        - `topics`: [{"words", "old", "new", "difference", "p"}], those of the first seed, the one
          that grew most first.
        - `came`, `went`: [{"word", "z", "old", "new"}], words that tell the two apart, with how
          often each has them.

    Raises:
        WikibiasError: they are of two languages, or one has fewer than `FEWEST` documents with a
            word that is frequent enough in both together (`topic_counts.least_of`).
    """
    _refuse_two_languages(old, new)
    stop_words = frozenset(stop_words)
    how = _How(stop_words, topics, seeds, draws, least_of(len(old) + len(new)))
    both = _compared(old, new, how)
    came, went = _words(old, new, stop_words)
    fresh = _not_in(old, new)
    return {
        "old": old.name,
        "new": new.name,
        "documents": {"old": len(old), "new": len(new), "each": both.each},
        "same": None if fresh is None else 1 - len(fresh) / len(new),
        "shared": None if fresh is None else len(new) - len(fresh),
        "shuffled_by": both.shuffled_by,
        "js": both.js,
        "js_chance": both.chance,
        "of_new": None if fresh is None else _of_new(old, fresh, how, len(new)),
        "topics": both.topics,
        "came": came,
        "went": went,
    }


def _refuse_two_languages(old: Documents, new: Documents) -> None:
    if old.language and new.language and old.language != new.language:
        raise WikibiasError(
            f"no drift from {old.name} to {new.name}: they are of two languages ({old.language} "
            f"and {new.language}), so their words cannot be compared"
        )


@dataclass(frozen=True, slots=True)
class _How:
    stop_words: frozenset[str]
    topics: int
    seeds: Sequence[int]
    draws: int
    least: int


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What `drift` says of two corpora; see there."""

    each: int
    shuffled_by: str
    js: Mapping[str, float | None]
    chance: Mapping[str, float]
    topics: Sequence[Mapping[str, Any]]


def _not_in(old: Documents, new: Documents) -> Documents | None:
    """Return the sentences that the old corpus lacks; None where only some of it were read."""
    if len(old) < old.of:
        return None
    had = set(old.texts)
    return new.chosen([row for row, text in enumerate(new.texts) if text not in had])


def _of_new(old: Documents, fresh: Documents, how: _How, all_of_new: int) -> dict[str, Any] | None:
    if not FEWEST <= len(fresh) < all_of_new:
        return None
    try:
        found = _compared(old, fresh, how)
    except WikibiasError:  # too few of them have a word
        return None
    documents = {"documents": len(fresh), "each": found.each}
    return {**documents, "js": found.js, "js_chance": found.chance}


def _compared(old: Documents, new: Documents, how: _How) -> _Comparison:
    """Compare the shares of topics, and what they differ by when groups change sides."""
    counts = counted([*old.texts, *new.texts], how.stop_words, how.least)
    rows, is_new = _equal_samples(counts.matrix.getnnz(axis=1) > 0, len(old), how.seeds[0])
    each = int(is_new.sum())
    if each < FEWEST:
        raise WikibiasError(
            f"no drift from {old.name} to {new.name}: one of them has "
            f"{count_of(each, 'sentence')} with a word that {how.least} of both together have, "
            f"{FEWEST} are needed; give larger corpora"
        )
    sample = counts.of(rows.tolist())
    fits = [fitted(sample, how.topics, seed, _WORDS_SHOWN) for seed in how.seeds]
    shares = np.hstack([fit.shares for fit in fits])
    groups, by = together(_joined(old, new).chosen(rows.tolist()))
    drawn = [
        _mean_shares(shares, sides, len(fits))
        for sides in swapped(is_new, groups, how.draws, how.seeds[0])
    ]
    found = _mean_shares(shares, is_new, len(fits))
    of_seeds = _divergences(found)
    by_chance = [float(_divergences(each).mean()) for each in drawn]
    topics = _moved(fits[0].words, found[:, 0], [each[:, 0] for each in drawn])
    return _Comparison(
        each,
        by,
        _over_seeds(of_seeds),
        chance(by_chance, float(of_seeds.mean())),
        topics,
    )


def _equal_samples(
    has_word: NDArray[np.bool_], old: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return places, as many of the first `old` documents as of the others, and which are others.

    Documents without a word are of no topic.
    """
    rng = np.random.default_rng(seed)
    places = np.flatnonzero(has_word)
    parts = [places[places < old], places[places >= old]]
    each = min(map(len, parts))
    drawn = [np.sort(rng.permutation(part)[:each]) for part in parts]
    rows = np.concatenate(drawn).astype(np.int64)
    return rows, rows >= old


def _joined(old: Documents, new: Documents) -> Documents:
    known = None
    if old.pages is not None and new.pages is not None:
        known = [*old.pages, *new.pages]
    return replace(new, texts=[*old.texts, *new.texts], facts={}, pages=known)


def _mean_shares(shares: Floats, is_new: NDArray[np.bool_], fits: int) -> Floats:
    """Return the share of each topic on each side: sides by fits by topics."""
    sides = np.stack([~is_new, is_new]).astype(np.float64)
    means = (sides @ shares) / np.maximum(sides.sum(axis=1, keepdims=True), 1.0)
    found: Floats = means.reshape(2, fits, -1)
    return found


def _divergences(shares: Floats) -> Floats:
    """Return the Jensen-Shannon divergence, base 2, of each fit (sides by fits by topics)."""
    middle = shares.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * np.log2(shares / middle), 0.0)
    found: Floats = np.maximum(terms.sum(axis=2).mean(axis=0), 0.0)
    return found


def _over_seeds(values: Floats) -> dict[str, float | None]:
    """Return the mean of divergences over seeds, with its 95 % interval by Student's t."""
    mean, number = float(values.mean()), len(values)
    if number < 2:
        return {"value": mean, "low": None, "high": None}
    half = float(t.ppf(0.975, number - 1) * values.std(ddof=1) / math.sqrt(number))
    return {"value": mean, "low": max(mean - half, 0.0), "high": min(mean + half, 1.0)}


def _moved(
    words: Sequence[Sequence[str]], shares: Floats, drawn: Sequence[Floats]
) -> list[dict[str, Any]]:
    """Return each topic with its shares, that which grew most first."""
    differences = shares[1] - shares[0]
    by_chance = np.abs(np.array([each[1] - each[0] for each in drawn]))
    p_values = holm(
        [
            share_above(by_chance[:, topic].tolist(), abs(float(difference)))
            for topic, difference in enumerate(differences)
        ]
    )
    topics = [
        {
            "words": list(words[topic]),
            "old": float(shares[0, topic]),
            "new": float(shares[1, topic]),
            "difference": float(differences[topic]),
            "p": p_values[topic],
        }
        for topic in range(len(words))
    ]
    return sorted(topics, key=lambda each: (-each["difference"], each["words"]))


def _words(
    old: Documents, new: Documents, stop_words: frozenset[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the words that came and those that went, those that tell most first."""
    counts, documents = WordCounts(), Counter[str]()
    for which, corpus in enumerate((new, old)):
        for text in corpus.texts:
            words = topic_words(text, stop_words)
            counts.add(words, which)
            documents.update(set(words))
    telling = [
        each
        for each in contrasts(counts.of, counts.sizes)
        if abs(each.z) > CHANCE and documents[each.word] >= LEAST
    ]
    came = [each for each in telling if each.z > 0]
    went = [each for each in reversed(telling) if each.z < 0]
    return _shown(came), _shown(went)


def _shown(words: Sequence[Contrast]) -> list[dict[str, Any]]:
    return [
        {"word": each.word, "z": each.z, "old": each.second, "new": each.first}
        for each in words[:_CAME_SHOWN]
    ]
