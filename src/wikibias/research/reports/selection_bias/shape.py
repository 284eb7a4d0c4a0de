"""Reads `selection_bias.json` and makes sure that it holds what a page is made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from wikibias.errors import WikibiasError
from wikibias.kits.files import read_json
from wikibias.messages import nearest

NAME = "selection_bias.json"
FORMAT = "wikibias-selection-bias/1"
_MANY = 200_000  # entries of a list; far above any result


class _Maybe:
    """A shape, or null, or nothing at all."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape


class _Named:
    """Values of one shape by any name."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape


_NUMBER = _Maybe(float)
"""A number or null; it must be there."""
_INTERVAL: Final = {"value": _NUMBER, "low": _NUMBER, "high": _NUMBER}
_AGAINST: Final = {"mean": _NUMBER, "low": _NUMBER, "high": _NUMBER, "p": _NUMBER}
_B2: Final = {"mean_max": _INTERVAL, "max": _INTERVAL}
_FIGURE: Final = {
    "corpus": str, "keywords": str, "group": _Maybe({"by": str, "value": str}),
    "documents": int, "topics": int, "words": int, "missing": str, "b1": _INTERVAL, "b2": _B2,
    "coverage": {"topic_words": _NUMBER, "keywords": _NUMBER},
    "baseline": _Maybe({
        "lists": int, "figures": {"b1": _AGAINST, "mean_max": _AGAINST, "max": _AGAINST},
    }),
}  # fmt: skip
_TOPIC: Final = {
    "corpus": str, "topic": int, "share": _NUMBER, "share_by_label": _Maybe(_Named(_NUMBER)),
    "words": [str], "nearest": _Named([{"keyword": str, "word": str, "similarity": _NUMBER}]),
    "cells": _Named([_NUMBER]), "b1": _Named(_NUMBER), "mean_max": _Named(_NUMBER),
    "max": _Named(_NUMBER), "examples": [str],
}  # fmt: skip
_GAIN: Final = [{"word": str, "z": float, "old": int, "new": int}]
_DRIFT: Final = {
    "old": str, "new": str, "documents": {"each": int}, "same": _NUMBER, "shuffled_by": str,
    "js": _INTERVAL, "js_chance": _AGAINST,
    "of_new": _Maybe({"documents": int, "js": _INTERVAL, "js_chance": _AGAINST}),
    "topics": [{"words": [str], "old": float, "new": float, "difference": float, "p": _NUMBER}],
    "came": _GAIN, "went": _GAIN,
}  # fmt: skip
_SKILL: Final = {"mcc": _INTERVAL, "auc": _INTERVAL}
_LEAKAGE: Final = {
    "corpus": str, "estimator": str, "documents": int, "of": _Maybe(int),
    "biased": int, "folds": int,
    "topics_only": _SKILL, "by": _Named(_SKILL), "lost": _SKILL,
    "association": {"cramers_v": _NUMBER, "chance": _AGAINST},
    "topics": [{"words": [str], "biased": int, "neutral": int, "share_biased": _NUMBER}],
}  # fmt: skip
_RESULT: Final = {
    "settings": {
        "base": {"topics": int, "words": int}, "missing": str, "lists": int, "seeds": [int],
    },
    "similarity": {"name": str, "title": str},
    "corpora": [{
        "name": str, "language": _Maybe(str), "documents": int, "of": _NUMBER,
        "vocabulary": _NUMBER, "words_per_document": _NUMBER,
    }],
    "keywords": [{
        "corpus": str, "name": str, "source": str, "words": [str], "in_corpus": _NUMBER,
        "coverage": _NUMBER, "mean_similarity": _NUMBER, "seen": _NUMBER,
    }],
    "figures": [_FIGURE],
    "differences": _Maybe([{
        "corpus": _Maybe(str), "keywords": str, "by": str, "first": str, "second": str,
        "missing": str, "figure": str, "difference": _INTERVAL,
    }]),
    "correlations": _Maybe([{
        "corpus": _Maybe(str), "keywords": _Maybe(str), "figure": str, "with": str, "rho": _NUMBER,
        "p": _NUMBER, "points": _NUMBER,
    }]),
    "sizes": _Maybe([{
        "corpus": str, "keywords": str, "documents": int, "b1": _INTERVAL, "mean_max": _INTERVAL,
        "max": _INTERVAL,
    }]),
    "topics": [_TOPIC],
    "drift": _Maybe(_DRIFT),
    "leakage": _Maybe([_LEAKAGE]),
    "notes": [str],
    "command": _Maybe(str),
}  # fmt: skip


def is_result_folder(folder: Path) -> bool:
    """Return whether a folder holds the result of `wikibias selection-bias`, damaged or not.

    A corpus beside whose files one was written stays a corpus.
    """
    return (folder / NAME).is_file() and not (folder / "manifest.json").is_file()


def read_result(folder: Path) -> dict[str, Any]:
    """Return the result that a folder holds.

    Raises:
        WikibiasError: it cannot be read, is of another format, or lacks what a page needs.
    """
    path = folder / NAME
    try:
        found = read_json(path)
        checked(found)
    except OSError as error:
        raise WikibiasError(f"{path} cannot be read ({error.strerror})") from error
    except (ValueError, WikibiasError) as error:
        raise WikibiasError(
            f"{path} is damaged: {error}; make it again with `wikibias selection-bias`"
        ) from error
    result: dict[str, Any] = found
    return result


def checked(result: object) -> None:
    """Make sure that a result has the shape that pages read.

    Raises:
        WikibiasError: it has not; the line says where.
    """
    if not isinstance(result, Mapping):
        raise WikibiasError("no JSON object")
    if result.get("format") != FORMAT:
        known = nearest(str(result.get("format"))[:60], [FORMAT])
        raise WikibiasError(f"its format is {result.get('format')!r:.60}{known}")
    _check(result, _RESULT, "")


def _check(value: object, shape: Any, where: str) -> None:
    if isinstance(shape, _Maybe):
        if value is not None:
            _check(value, shape.shape, where)
    elif isinstance(shape, _Named):
        for name, each in _of_kind(value, dict, where).items():
            _check(each, shape.shape, f"{where}.{name[:40]}")
    elif isinstance(shape, dict):
        found = _of_kind(value, dict, where)
        for name, of in shape.items():
            if name not in found and (of is _NUMBER or not isinstance(of, _Maybe)):
                raise WikibiasError(f"{where.lstrip('.') or 'it'} has no {name!r}")
            _check(found.get(name), of, f"{where}.{name}")
    elif isinstance(shape, list):
        found = _of_kind(value, list, where)
        if len(found) > _MANY:
            raise WikibiasError(f"{where.lstrip('.')} has more than {_MANY:,} entries")
        for place, each in enumerate(found):
            _check(each, shape[0], f"{where}[{place}]")
    else:
        _of_kind(value, shape, where)


_KINDS: Final[dict[type, tuple[str, tuple[type, ...]]]] = {
    dict: ("object", (dict,)),
    list: ("list", (list,)),
    str: ("text", (str,)),
    int: ("whole number", (int,)),
    float: ("number", (int, float)),
}


def _of_kind(value: object, kind: type, where: str) -> Any:
    name, kinds = _KINDS[kind]
    # JSON as Python reads it may hold NaN and numbers without end, of which no figure is drawn.
    endless = isinstance(value, float) and not -1e300 < value < 1e300
    if not isinstance(value, kinds) or isinstance(value, bool) or endless:
        raise WikibiasError(f"{where.lstrip('.')} is no {name}")
    return value
