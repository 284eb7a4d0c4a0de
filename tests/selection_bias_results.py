"""Makes results of `wikibias selection-bias` as pages read them, of any size, without measuring."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FIGURES = ("b1", "mean_max", "max")
WORDS = tuple(
    "council vote city mayor street budget member party election court law river bridge school "
    "film song album singer team league season club player coach battle army king queen "
    "church temple".split()
)
OTHER_SCRIPTS = ("کلیدواژه", "מפתח", "京都市議会", "市長", "مدينة")
HOSTILE = ("<script>alert(1)</script>", "=cmd()", "a" * 10_000, "&quot;", "</svg>", "\x1b[31m")


@dataclass(frozen=True)
class Wanted:
    """What a result is to hold."""

    corpora: Sequence[str] = ("one",)
    lists: Mapping[str, Sequence[str]] | None = None
    groups: Mapping[str, Sequence[str]] | None = None
    topics: Sequence[int] = (2, 8, 20)
    words: Sequence[int] = (8, 20, 50)
    seeds: int = 5
    extras: bool = True
    vocabulary: Sequence[str] = WORDS
    examples: Sequence[str] = ("The council met by the river.",)
    lowest: float = 0.1


def minimal() -> dict[str, Any]:
    """Return a result of one corpus, one list, one seed and one setting."""
    lists = {"own": ["city", "vote"]}
    return made(Wanted(lists=lists, topics=(8,), words=(8,), seeds=1, extras=False))


def full() -> dict[str, Any]:
    """Return a result of two corpora and three lists, with groups, drift and cross-validation."""
    lists = {"tag-set": ["neutral", "fair", "balanced"], "classes": list(WORDS[:12])}
    lists["scripts"] = list(OTHER_SCRIPTS)
    groups = {"label": ["biased", "neutral"], "year": [str(year) for year in range(2010, 2022)]}
    return made(Wanted(("enwiki-2019", "enwiki-2024"), lists, groups))


def largest() -> dict[str, Any]:
    """Return a result of five corpora with all that may be measured of each."""
    lists = {f"list {n}": [f"keyword{n}x{k}" for k in range(200)] for n in range(4)}
    values = [f"a rather long name of group {n}" for n in range(12)]
    groups = dict.fromkeys(("label", "split", "tag", "year", "tier", "language"), values)
    numbers = (2, 3, 5, 8, 13, 20, 40, 70, 100)
    words = [f"word{n}" for n in range(100)]
    return made(
        Wanted([f"corpus{n}" for n in range(5)], lists, groups, numbers, numbers, 5, True, words)
    )


def made(wanted: Wanted) -> dict[str, Any]:
    """Return a result; the same one each time."""
    rng = random.Random(0)
    lists = wanted.lists or {"own": ["city", "vote", "law"]}
    base = {"topics": 8 if 8 in wanted.topics else wanted.topics[0]}
    base["words"] = 8 if 8 in wanted.words else wanted.words[0]
    result: dict[str, Any] = {
        "format": "wikibias-selection-bias/1",
        "settings": {
            "topics": list(wanted.topics), "words": list(wanted.words), "base": base,
            "seeds": list(range(wanted.seeds)), "missing": "zero", "topic_model": "lda",
            "lists": 200, "most": 20_000, "stop_words": "en and spaCy",
        },
        "similarity": {"name": "vectors", "title": "cosine of some vectors", "dimensions": 50},
        "corpora": [
            {
                "name": name, "language": "en", "documents": 4_000,
                "of": 52_000, "vocabulary": 9_812, "words_per_document": 11.4321,
            }
            for name in wanted.corpora
        ],
        "keywords": [
            {
                "corpus": corpus, "name": name, "source": "a file", "words": list(words),
                "in_corpus": len(words) - 1, "coverage": 0.95, "mean_similarity": 0.31,
                "seen": None,
            }
            for corpus in wanted.corpora for name, words in lists.items()
        ],
        "differences": [], "correlations": [], "sizes": [], "drift": None, "leakage": [],
        "notes": ["Tags of fewer than 100 sentences were left out."],
    }  # fmt: skip
    pairs = [(corpus, name) for corpus in wanted.corpora for name in lists]
    result["figures"] = [
        _figures(rng, wanted, pair, (topics, words), None, missing)
        for pair in pairs
        for topics in wanted.topics
        for words in wanted.words
        for missing in ("zero", "skip")
        if base["topics"] == topics or base["words"] == words
    ]
    for by, values in (wanted.groups or {}).items():
        for pair in pairs:
            result["figures"] += [
                _figures(rng, wanted, pair, (8, 8), {"by": by, "value": value}, "zero")
                for value in values
            ]
            result["differences"] += [
                _difference(rng, pair, by, first, second)
                for place, first in enumerate(values) for second in values[place + 1 :]
            ]  # fmt: skip
    result["topics"] = [
        _topic(rng, wanted, corpus, number, lists)
        for corpus in wanted.corpora
        for number in range(1, base["topics"] + 1)
    ]
    if wanted.extras:
        _add_extras(result, rng, wanted, pairs)
    return result


def _interval(value: float, *, known: bool = True) -> dict[str, float | None]:
    low, high = (round(value - 0.02, 6), round(value + 0.02, 6)) if known else (None, None)
    return {"value": round(value, 6), "low": low, "high": high}


def _against(mean: float, p: float) -> dict[str, float]:
    return {"mean": mean, "low": round(mean - 0.04, 6), "high": round(mean + 0.04, 6), "p": p}


def _figures(
    rng: random.Random,
    wanted: Wanted,
    pair: tuple[str, str],
    setting: tuple[int, int],
    group: dict[str, str] | None,
    missing: str,
) -> dict[str, Any]:
    b1 = wanted.lowest + 0.2 * rng.random()
    mean_max, most = b1 + 0.25, min(1.0, b1 + 0.5)
    known = wanted.seeds > 1
    by = {"b1": b1, "mean_max": mean_max, "max": most}
    of = {name: _interval(value, known=known) for name, value in by.items()}
    against = {name: _against(round(value - 0.07, 6), 0.004975) for name, value in by.items()}
    return {
        "corpus": pair[0], "keywords": pair[1], "group": group,
        "documents": 500 if group else 4_000, "topics": setting[0], "words": setting[1],
        "missing": missing, "b1": of["b1"],
        "b2": {
            "mean_max": of["mean_max"], "max": of["max"],
            "mean_max_floor0": of["mean_max"], "max_floor0": of["max"],
        },
        "coverage": {"topic_words": 0.97, "keywords": 0.95},
        "by_seed": [{"seed": seed, **by} for seed in range(wanted.seeds)],
        "baseline": None if group else {"lists": 200, "figures": against},
    }  # fmt: skip


def _difference(
    rng: random.Random, pair: tuple[str, str], by: str, first: str, second: str
) -> dict[str, Any]:
    return {
        "corpus": pair[0], "keywords": pair[1], "by": by, "first": first, "second": second,
        "missing": "zero", "figure": "b1", "difference": _interval(0.1 * rng.random() - 0.05),
    }  # fmt: skip


def _topic(
    rng: random.Random,
    wanted: Wanted,
    corpus: str,
    number: int,
    lists: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    words = rng.sample(list(wanted.vocabulary), min(20, len(wanted.vocabulary)))
    cells = {
        name: [round(wanted.lowest + 0.3 * rng.random(), 6) for _ in of]
        for name, of in lists.items()
    }
    return {
        "corpus": corpus, "topic": number, "share": 0.125,
        "share_by_label": {"biased": 0.14, "neutral": 0.11}, "words": words,
        "nearest": {
            name: [{"keyword": word, "word": words[0], "similarity": 0.7} for word in of[:5]]
            for name, of in lists.items()
        },
        "cells": cells, "b1": {name: sum(of) / len(of) for name, of in cells.items()},
        "mean_max": dict.fromkeys(lists, 0.5), "max": dict.fromkeys(lists, 0.8),
        "examples": list(wanted.examples),
    }  # fmt: skip


def _add_extras(
    result: dict[str, Any], rng: random.Random, wanted: Wanted, pairs: Sequence[tuple[str, str]]
) -> None:
    """Put in sizes, correlations, cross-validation and, of two corpora, drift."""
    result["command"] = "wikibias selection-bias corpora/one --keywords tag-set"
    result["sizes"] = [
        {
            "corpus": corpus, "keywords": name, "documents": number, "b1": _interval(0.2),
            "mean_max": _interval(0.4 + 0.00001 * number), "max": _interval(0.8),
        }
        for corpus, name in pairs for number in (500, 1_000, 2_000, 4_000)
    ]  # fmt: skip
    result["correlations"] = [
        {
            "corpus": corpus, "keywords": name, "figure": figure, "with": what,
            "rho": round(2 * rng.random() - 1, 6), "p": round(rng.random() / 8, 6), "points": 15,
        }
        for corpus, name in pairs[:6] for figure in FIGURES for what in ("topics", "words")
    ]  # fmt: skip
    result["leakage"] = [_leakage(corpus) for corpus in wanted.corpora]
    if len(wanted.corpora) == 2:
        old, new = wanted.corpora
        result["drift"] = _drift(rng, wanted, old, new)
        result["differences"].append(
            {**_difference(rng, (old, pairs[0][1]), "corpus", new, old), "corpus": None}
        )


def _leakage(corpus: str) -> dict[str, Any]:
    def skill(value: float) -> dict[str, Any]:
        return {"mcc": _interval(value), "auc": _interval(0.5 + value / 2)}

    return {
        "corpus": corpus, "estimator": "logistic", "documents": 4_000, "biased": 2_000, "folds": 5,
        "topics_number": 8, "grouped_by": "page", "topics_only": skill(0.08),
        "by": {
            "sentence": skill(0.36), "near-duplicate": skill(0.35), "page": skill(0.31),
            "topic": skill(0.24),
        },
        "lost": skill(0.11),
        "association": {"cramers_v": 0.12, "chance": _against(0.05, 0.004975)},
        "topics": [
            {"words": list(WORDS[:10]), "biased": 300, "neutral": 200, "share_biased": 0.6},
            {"words": list(WORDS[9:19]), "biased": 200, "neutral": 300, "share_biased": 0.4},
        ],
    }  # fmt: skip


def _drift(rng: random.Random, wanted: Wanted, old: str, new: str) -> dict[str, Any]:
    gains = [{"word": word, "z": 4.2, "old": 3, "new": 41} for word in wanted.vocabulary[:20]]
    topics = []
    for number in range(8):
        difference = 0.04 - 0.01 * number
        words = rng.sample(list(wanted.vocabulary), min(10, len(wanted.vocabulary)))
        shares = {"old": 0.12, "new": 0.12 + difference, "difference": difference}
        topics.append({"words": words, **shares, "p": 0.01 * (number + 1)})
    return {
        "old": old, "new": new, "documents": {"old": 4_000, "new": 5_000, "each": 4_000},
        "same": 0.031, "shared": 155, "shuffled_by": "page", "js": _interval(0.081),
        "js_chance": _against(0.05, 0.004975),
        "of_new": {"documents": 3_876, "js": _interval(0.084), "js_chance": _against(0.05, 0.01)},
        "topics": topics, "came": gains,
        "went": [{**each, "z": -4.2, "old": 41, "new": 3} for each in gains],
    }  # fmt: skip
