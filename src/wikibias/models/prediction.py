"""Predicts line by line with a saved model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from wikibias.config.languages import load_language
from wikibias.models.estimators import registry
from wikibias.models.examples import LONGEST, Warn
from wikibias.models.explanation import drivers
from wikibias.text.lines import decoded_lines
from wikibias.text.normalisation import normalise

_AT_ONCE = 1000


def reader(described: Mapping[str, Any]) -> Callable[[str], str]:
    """Return the function that turns a sentence into the form of the training data.

    A model of a corpus was trained on normalised sentences (section 3.3); a model of other files
    on sentences as they are.

    Raises:
        UsageError: the model's language is unknown to this installation.
    """
    if not described.get("normalised"):
        return lambda text: text

    lang = described.get("lang")
    keep = load_language(lang).keep_apostrophes if lang else False
    return lambda text: normalise(text, keep_apostrophes=keep)


def answers(
    folder: Path, lines: BinaryIO, *, explain: bool, as_json: bool, warn: Warn
) -> Iterator[str]:
    """Yield one line of output for each line of input, a blank one for a blank one.

    A line holds the probability of bias, a tab and the sentence as given, and with `explain` the
    words with the largest effect; or the same as a JSON object.

    Raises:
        WikibiasError: the folder holds no model, or a line is not text.
    """
    described = registry.describe(folder)
    model, read = registry.load(folder), reader(described)
    cut = 0
    numbered = decoded_lines(lines, getattr(lines, "name", "standard input"))
    while batch := [text for _, text in islice(numbered, _AT_ONCE)]:
        cut += sum(len(text) > LONGEST for text in batch)
        short = [text[:LONGEST] for text in batch]
        probabilities = iter(model.predict_proba([read(text) for text in short if text.strip()]))
        for text in short:
            if not text.strip():
                yield ""
                continue
            words = drivers(model, read(text)) if explain else None
            yield (_as_json if as_json else _as_tsv)(float(next(probabilities)), text, words)
    if cut:
        warn(f"read only the first {LONGEST:,} characters of {cut} longer lines")


def _as_json(probability: float, text: str, words: list[tuple[str, float]] | None) -> str:
    answer: dict[str, Any] = {"probability": round(probability, 6), "sentence": text}
    if words is not None:
        answer["words"] = [[word, round(effect, 6)] for word, effect in words]
    return json.dumps(answer, ensure_ascii=False)


def _as_tsv(probability: float, text: str, words: list[tuple[str, float]] | None) -> str:
    cells = [f"{probability:.6f}", text]
    if words is not None:
        cells.append(" ".join(f"{word}:{effect:+.3f}" for word, effect in words))
    return "\t".join(cells)
