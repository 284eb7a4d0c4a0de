"""Sentences to the form that a model was trained on, and its answers to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from wikibias.config.languages import load_language
from wikibias.models.estimators import registry
from wikibias.models.examples import LONGEST, Warn, decoded_lines
from wikibias.models.explanation import drivers
from wikibias.text.normalisation import normalise

_AT_ONCE = 1000


def reader(described: Mapping[str, Any]) -> Callable[[str], str]:
    """Return what turns a sentence as people write it into the form of the training data.

    A model of a corpus has seen normalised sentences (section 3.3); one of other files has seen
    them as they stand there.

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
    """Yield one line of output per line of input, a blank one for a blank one.

    A line is the probability of bias, a tab and the sentence as it came, and with `explain` the
    words that drove it; or a JSON object of the same.

    Raises:
        WikibiasError: the folder holds no model, or a line is no text.
    """
    described = registry.describe(folder)
    model, read = registry.load(folder), reader(described)
    cut = 0
    numbered = decoded_lines(lines, getattr(lines, "name", "standard input"))
    while block := [text for _, text in islice(numbered, _AT_ONCE)]:
        cut += sum(len(text) > LONGEST for text in block)
        short = [text[:LONGEST] for text in block]
        chances = iter(model.predict_proba([read(text) for text in short if text.strip()]))
        for text in short:
            if not text.strip():
                yield ""
                continue
            words = drivers(model, read(text)) if explain else None
            yield (_as_json if as_json else _as_tsv)(float(next(chances)), text, words)
    if cut:
        warn(f"read only the first {LONGEST:,} characters of {cut} longer lines")


def _as_json(chance: float, text: str, words: list[tuple[str, float]] | None) -> str:
    answer: dict[str, Any] = {"probability": round(chance, 6), "sentence": text}
    if words is not None:
        answer["words"] = [[word, round(effect, 6)] for word, effect in words]
    return json.dumps(answer, ensure_ascii=False)


def _as_tsv(chance: float, text: str, words: list[tuple[str, float]] | None) -> str:
    cells = [f"{chance:.6f}", text]
    if words is not None:
        cells.append(" ".join(f"{word}:{effect:+.3f}" for word, effect in words))
    return "\t".join(cells)
