"""Prediction line by line with a saved model, in several processes, and what explains it."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

from wikibias.config.languages import load_language
from wikibias.errors import UsageError, WikibiasError, counted
from wikibias.execution.pool import WorkerPool
from wikibias.kits.files import to_json
from wikibias.kits.tables import decoded_lines, refuse_table
from wikibias.models.estimators import label_models
from wikibias.models.estimators.registry import MODEL, Model, labels_of, load, probabilities
from wikibias.models.examples import LONGEST, Warn
from wikibias.text.segmentation import normalise

Answer = dict[str, Any]
"""What is said of a sentence: `labels` or `probability`, `sentence`, `words`."""
Weighted = tuple[str, float]
"""A word, and its effect."""
_MOST_SHOWN = 5

MOST_WORDS = 300
"""Distinct words of a sentence that are tried; each costs one prediction."""
_NOTICEABLE = 0.0005


def drivers(model: Model, sentence: str, count: int = _MOST_SHOWN) -> list[Weighted]:
    """Return the words with the largest effect on the probability of bias, largest first.

    The effect is the probability of the whole sentence minus that without any occurrence of the
    word: positive if the word raises the probability of bias. Omits words without a noticeable
    effect. This explains what the model did, not why people find a sentence biased.
    """
    words = sentence.split()
    tried = list(dict.fromkeys(words))[:MOST_WORDS]
    without = [" ".join(w for w in words if w != left_out) for left_out in tried]
    found = probabilities(model, [sentence, *without])
    effects = found[0] - found[1:]
    order = np.argsort(-np.abs(effects), kind="stable")[:count]
    return [(tried[i], float(effects[i])) for i in order if abs(effects[i]) >= _NOTICEABLE]


_AT_ONCE = 1000
# This process does so many batches alone: starting others takes as long.
_ALONE = 10
_SHOWN = 60


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
    folder: Path, lines: BinaryIO, *, explain: bool, as_json: bool, warn: Warn, workers: int = 1
) -> Generator[Sequence[str]]:
    """Yield, in batches, one line of output for each line of input, a blank one for a blank one.

    A line holds the probability of bias, a tab and the sentence as given, and with `explain` the
    words with the largest effect; or the same as a JSON object. Of a model of several labels it
    holds `label:probability` of each. Holds a few batches at a time;
    the output is the same for any number of `workers`.

    Raises:
        WikibiasError: the folder holds no model, or a line is not text.
    """
    if explain and labels_of(MODEL.describe(folder)):
        raise UsageError(f"{folder}: --explain is for a model of one label; leave it out")
    answer = partial(_answered, folder, explain, as_json)
    _loaded.cache_clear()  # the folder may hold another model since
    texts = _Texts(lines)
    if (first := next(texts, None)) is None:
        answer([])  # report a damaged model all the same
    else:
        yield answer(first)
    yield from map(answer, islice(texts, _ALONE - 1))
    with WorkerPool(workers) as pool:
        for _, done in pool.in_order(answer, texts, _lost):
            yield done
    texts.raise_error()
    if texts.cut:
        warn(f"read only the first {LONGEST:,} characters of {counted(texts.cut, 'longer line')}")


def bias_of(folder: Path) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Return what gives the probability of bias of sentences as people write them; a blank one's 0.

    Raises:
        WikibiasError: the folder holds no model of one label that can be read.
    """
    model, read = load(folder), reader(MODEL.describe(folder))

    def bias(texts: Sequence[str]) -> NDArray[np.float64]:
        found = np.zeros(len(texts))
        given = [place for place, text in enumerate(texts) if text.strip()]
        for start in range(0, len(given), _AT_ONCE):
            places = given[start : start + _AT_ONCE]
            with MODEL.naming_damage(folder):
                found[places] = probabilities(model, [read(texts[place]) for place in places])
        return found

    return bias


class _Texts:
    """Reads lines in batches; keeps an error until what stands before it is answered."""

    def __init__(self, lines: BinaryIO) -> None:
        self.cut = 0
        self._error: WikibiasError | None = None
        name = str(getattr(lines, "name", "standard input"))
        refuse_table(name)
        self._numbered = decoded_lines(lines, name)

    def __iter__(self) -> Iterator[list[str]]:
        return self

    def __next__(self) -> list[str]:
        texts = list[str]()
        if self._error is None:
            try:
                texts += (text for _, text in islice(self._numbered, _AT_ONCE))
            except WikibiasError as error:
                self._error = error
        # As ever, what shares a batch with an error is not answered.
        if not texts or self._error is not None:
            raise StopIteration
        self.cut += sum(len(text) > LONGEST for text in texts)
        return [text[:LONGEST] for text in texts]

    def raise_error(self) -> None:
        """Raise the error that ended the reading, if one did."""
        if self._error is not None:
            raise self._error


@lru_cache(1)
def _loaded(folder: Path) -> tuple[Any, list[str], Callable[[str], str]]:
    """Load a model, its labels if it has several, and its reader, once in each process."""
    model, described = label_models.load(folder)
    return model, labels_of(described), reader(described)


def _answered(folder: Path, explain: bool, as_json: bool, texts: Sequence[str]) -> list[str]:
    model, names, read = _loaded(folder)
    given = [text for text in texts if text.strip()]
    sentences = [read(text) for text in given]
    found: list[Answer] = [
        {"labels": {name: round(one, 6) for name, one in zip(names, each, strict=True)}}
        if names
        else {"probability": round(each, 6)}
        for each in probabilities(model, sentences, several=bool(names)).tolist()
    ]
    for answer, text, sentence in zip(found, given, sentences, strict=True):
        answer["sentence"] = text
        if explain:
            answer["words"] = [(word, round(each, 6)) for word, each in drivers(model, sentence)]
    lines = (to_json(one) if as_json else _as_tsv(one) for one in found)
    return [next(lines) if text.strip() else "" for text in texts]


def _lost(text: str) -> NoReturn:
    raise WikibiasError(f"a worker process died at the sentence {text[:_SHOWN]!r}; try --workers 1")


def _as_tsv(answer: Answer) -> str:
    labels = answer.get("labels", {})
    first = " ".join(f"{name}:{each:.6f}" for name, each in labels.items())
    cells = [first or f"{answer['probability']:.6f}", answer["sentence"]]
    if "words" in answer:
        cells.append(" ".join(f"{word}:{effect:+.3f}" for word, effect in answer["words"]))
    return "\t".join(cells)
