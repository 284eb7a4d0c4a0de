"""The measure of how alike words are that a command line asks for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from wikibias.errors import UsageError
from wikibias.research.selection_bias.similarity.registry import SIMILARITIES, Similarity, Wanted


def wanted(given: Mapping[str, Any], language: str) -> Wanted:
    """Return what a measure is made for, but for the words.

    Args:
        given: the options of the command.
        language: of the texts of --train-on.

    Raises:
        UsageError: --train-on names nothing that can be trained on.
    """
    texts = None
    if given["train_on"] is not None:
        from wikibias.research.selection_bias.similarity.training_texts import training_texts

        texts = training_texts(given["train_on"], language)
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
    return SIMILARITIES[name](replace(wanted(given, given["language"] or ""), words=words))
