"""The measure of how alike words are that a command line asks for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from wikibias.errors import UsageError
from wikibias.selection_bias.similarity.registry import SIMILARITIES, Similarity, Wanted


def wanted(given: Mapping[str, Any], texts: Callable[[], Iterable[str]] | None) -> Wanted:
    """Return what a measure is made for, but for the words.

    Args:
        given: the options of the command.
        texts: to train on, where no others are named.
    """
    return Wanted(
        vectors=given["vectors"] or "",
        texts=texts,
        encoder=given["encoder"] or "",
        wordnet=given["wordnet"],
        seed=given["seed"],
    )


def similarity(given: Mapping[str, Any], words: Collection[str]) -> Similarity:
    """Return the measure for words of no corpus.

    Raises:
        UsageError: it is to be trained, and nothing to train on is given.
        WikibiasError: it cannot be made.
    """
    name = given["similarity"]
    if name == "fasttext" and given["train_on"] is None:
        raise UsageError(
            "there is no corpus to train fasttext on; give --vectors FILE, --train-on PATH, or "
            "another --similarity"
        )
    return SIMILARITIES[name](replace(wanted(given, None), words=words))
