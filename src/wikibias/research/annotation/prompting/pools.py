"""Examples with labels that stand in prompts, and which of them a sentence gets."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wikibias.config.prompts import Labels
from wikibias.errors import UsageError
from wikibias.research.annotation.answers import cell_label
from wikibias.research.annotation.tables import read_table

Retrieval = Literal["random", "nearest", "tfidf"]
"""Which examples: drawn, or the most similar, by a sentence encoder or by shared letters."""
Embed = Callable[[Sequence[str]], NDArray[Any]]
"""Makes vectors of texts, texts by dimensions."""
Choose = Callable[[str, int], list["Example"]]
"""Returns so many examples for a sentence, in the order in which its prompt shows them."""


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled sentence of a pool.

    Attributes:
        text: the sentence.
        label: its label.
        word: how a prompt writes the label.
        explanation: why it has that label; "" where the pool does not say.
    """

    text: str
    label: str
    word: str
    explanation: str


def read_pool(
    path: Path, labels: Labels, warn: Callable[[str], None] | None = None
) -> list[Example]:
    """Return the examples of a table with `text`, `label`, and for explanations `explanation`.

    Args:
        path: the table.
        labels: of the task.
        warn: is told of labels that no example has.

    Raises:
        WikibiasError: it cannot be read, or a row has no text or no label of the task.
    """
    table = read_table(path)
    texts, given = table.column("text"), table.column("label")
    words = dict(zip(labels.words, labels.asked_for, strict=True))
    why = table.columns.get("explanation", [None] * len(table))
    found = []
    for number, (text, cell, explanation) in enumerate(zip(texts, given, why, strict=True), 1):
        said = cell_label(cell) or ""
        label = labels.value(said)
        if label is None:
            raise UsageError(
                f"{path}: row {number}: {said[:40]!r} is no label of the task; write one of "
                f"{', '.join(words)}"
            )
        if cell_label(text) is None:
            raise UsageError(f"{path}: row {number} has no text")
        found.append(Example(str(text), label, words[label], cell_label(explanation) or ""))
    absent = [label for label in words if all(label != example.label for example in found)]
    if absent and warn:
        warn(
            f"{path}: no example is {' or '.join(absent)}; models lean towards labels that they "
            "see, so add some"
        )
    return found


def at_random(pool: Sequence[Example], seed: int) -> Choose:
    """Return what draws examples; the same for the same sentence and seed, whatever came before."""
    others = _others(pool)

    def choose(text: str, count: int) -> list[Example]:
        places = others(text)
        drawn = random.Random(f"{seed} {text}").sample(places, min(count, len(places)))  # noqa: S311
        return [pool[place] for place in drawn]

    return choose


def most_similar(pool: Sequence[Example], embed: Embed) -> Choose:
    """Return what takes the most similar examples, the most similar one first (KATE).

    Similarity is the cosine of the vectors; of two alike the first of the pool is taken. So do Liu
    et al. 2022, and after them Horych et al. 2025, section 4.1.
    """
    others = _others(pool)
    vectors = _unit(embed([example.text for example in pool]))

    def choose(text: str, count: int) -> list[Example]:
        alike = vectors @ _unit(embed([text]))[0]
        places = sorted(others(text), key=lambda place: -alike[place])
        return [pool[place] for place in places[:count]]

    return choose


def by_encoder(base: str) -> Embed:
    """Return what embeds sentences by a pretrained encoder, as the mean of its word pieces.

    Args:
        base: a folder or `package:NAME`; see `models.neural.encoders.model_folder`.

    Raises:
        UsageError: the extra `neural` is not installed, or there is no such encoder.
        WikibiasError: the encoder cannot be read.
    """
    from wikibias.research.neural import calibration

    absent = calibration.missing()
    if absent:
        raise UsageError(f"--retrieve nearest: {absent}; --retrieve tfidf does without")
    from wikibias.research.neural.embeddings import embedded
    from wikibias.research.neural.sentence_network import make
    from wikibias.research.neural.training_loop import device_of

    network = make(base, 1, device_of("auto"))
    return lambda texts: embedded(network, base, texts)


def by_letters(texts: Sequence[str]) -> Embed:
    """Return what makes TF-IDF vectors of groups of three to five letters, as weighted in texts."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    weights.fit(texts)
    return lambda some: np.asarray(weights.transform(some).toarray())


def _others(pool: Sequence[Example]) -> Callable[[str], list[int]]:
    """Return what gives the places of all other sentences: no prompt holds its own answer."""
    compared = [_compared(example.text) for example in pool]

    def others(text: str) -> list[int]:
        own = _compared(text)
        return [place for place, each in enumerate(compared) if each != own]

    return others


def _compared(text: str) -> str:
    return " ".join(text.split()).casefold()


def _unit(vectors: NDArray[Any]) -> NDArray[np.float64]:
    found = vectors.astype(np.float64)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.where(lengths > 0, lengths, 1.0))
