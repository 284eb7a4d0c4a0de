"""Sentences to the form that a model was trained on, and its answers to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wikibias.config import load_language


def reader(described: Mapping[str, Any]) -> Callable[[str], str]:
    """Return what turns a sentence as people write it into the form of the training data.

    A model of a corpus has seen normalised sentences (section 3.3); one of other files has seen
    them as they stand there.

    Raises:
        UsageError: the model's language is unknown to this installation.
    """
    if not described.get("normalised"):
        return lambda text: text
    from wikibias.sentences import normalise  # noqa: PLC0415 - brings spaCy with it

    lang = described.get("lang")
    keep = load_language(lang).keep_apostrophes if lang else False
    return lambda text: normalise(text, keep_apostrophes=keep)
