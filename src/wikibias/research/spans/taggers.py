"""Taggers of biased words: what each can do, the baselines, the registry, and marks in new text.

How often editors changed a word is counted of its lower-cased form. A change of many words counts
for each of them by its share, as not every one is the reason.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Protocol, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError, counted
from wikibias.kits.files import read_json, write_json
from wikibias.kits.folders import ResultFolder
from wikibias.kits.tables import given_sentences
from wikibias.models.estimators.registry import Trainable, TrainedModels
from wikibias.models.examples import LONGEST, Warn
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans.labels import BEGIN, INSIDE, OUTSIDE, Span, Tagged, spans, split_words


class Tagger(Trainable, Protocol):
    """Gives each word the probability that a span of biased words begins or goes on there.

    Its class is called with `seed`, `lexicons` (a sequence of `Lexicon`) and the parameters.
    """

    settings: ClassVar[Sequence[Mapping[str, Any]]]
    """Parameters to try, of which the best on dev are kept; one without any for none."""

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn from sentences; those of dev only say when to stop."""

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return, for each sentence, an array (words, 2): probability of a begin, and of going on.

        Their sum is how likely the word is biased.
        """


TAGGERS: TrainedModels[Tagger] = TrainedModels(
    ResultFolder("tagger", 1, "wikibias spans train", 2_000_000_000),
    "wikibias.taggers",
    {
        "crf": "wikibias.research.spans.crf:Crf",
        "encoder": "wikibias.research.spans.encoder:Encoder",
        "frequent": "wikibias.research.spans.taggers:Frequent",
        "lexicon": "wikibias.research.spans.taggers:InLexicon",
        "longest": "wikibias.research.spans.taggers:Longest",
    },
)
"""The taggers of this package; the last three are baselines."""


_FILE = "change_rates.json"
_MOST_LETTERS = 30


class ChangeRates:
    """Changed and seen words. Of a word that was never changed nothing is kept."""

    def __init__(self, counts: Mapping[str, tuple[float, int]] | None = None) -> None:
        self._counts = dict(counts or {})

    @classmethod
    def of(cls, sentences: Iterable[Tagged]) -> Self:
        """Count the words of sentences."""
        seen, changed = Counter[str](), defaultdict[str, float](float)
        for sentence in sentences:
            seen.update(word.lower() for word in sentence.words)
            for word, share in _changed(sentence):
                changed[word] += share
        return cls({word: (share, seen[word]) for word, share in sorted(changed.items())})

    def rates(self, words: Sequence[str], prior: float) -> list[float]:
        """Return the rate of each word, as if it had stood unchanged `prior` times more."""
        counts = (self._counts.get(word.lower(), (0.0, 0)) for word in words)
        return [changed / (seen + prior) for changed, seen in counts]

    def rates_elsewhere(self, sentence: Tagged, prior: float) -> list[float]:
        """Return the rate of each word of a sentence in all others that were counted."""
        mine: dict[str, float] = defaultdict(float)
        for word, share in _changed(sentence):
            mine[word] += share
        own = Counter(word.lower() for word in sentence.words)
        found = []
        for word in map(str.lower, sentence.words):
            changed, seen = self._counts.get(word, (0.0, 0))
            rest = max(0.0, changed - mine[word])
            found.append(rest / (max(0, seen - own[word]) + prior))
        return found

    def save(self, folder: Path) -> None:
        """Write the counts as JSON."""
        write_json(folder / _FILE, self._counts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the counts.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is damaged; likewise TypeError and AttributeError.
        """
        known = read_json(folder / _FILE)
        return cls({str(word): (float(share), int(seen)) for word, (share, seen) in known.items()})


def _changed(sentence: Tagged) -> list[tuple[str, float]]:
    """Return each word in a span, and its share of them all."""
    words = [
        word.lower()
        for word, label in zip(sentence.words, sentence.labels, strict=True)
        if label != OUTSIDE
    ]
    return [(word, 1 / len(words)) for word in words]


class _Baseline(Tagger):
    """A tagger with one rate for each word: half of it for a begin, and half for going on."""

    settings: ClassVar[Sequence[Mapping[str, Any]]] = [{}]

    def __init__(self, *, seed: int = 0, lexicons: Sequence[Lexicon] = ()) -> None:
        self.seed = seed
        self.parameters: dict[str, Any] = {}
        self.lexicons = tuple(lexicons)

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn nothing."""
        return self

    def rates(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return how likely each word of a sentence is biased."""
        raise NotImplementedError

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return half of the rate of each word for a begin, and half for going on."""
        return [np.repeat(self.rates(words)[:, None] / 2, 2, axis=1) for words in sentences]

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Return the tagger with its parameters and its lists of words."""
        known = described.get("lexicons", {}).items()
        lexicons = [Lexicon.of(name, words) for name, words in known]
        return cls(seed=described["seed"], lexicons=lexicons, **described["parameters"])


class Frequent(_Baseline):
    """How often of all times editors changed a word of this form."""

    name = "frequent"
    settings: ClassVar[Sequence[Mapping[str, Any]]] = [{"prior": prior} for prior in (1, 2, 5, 10)]

    def __init__(
        self, *, seed: int = 0, lexicons: Sequence[Lexicon] = (), prior: float = 5
    ) -> None:
        super().__init__(seed=seed)  # lists of words tell nothing of how often one was changed
        if not prior > 0:
            raise ValueError(f"the prior is a number over 0, not {prior}")
        self.parameters = {"prior": prior}
        self._counted = ChangeRates()

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Count words, and those that are in a span."""
        self._counted = ChangeRates.of(train)
        return self

    def rates(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the rate of each word in the sentences of train."""
        return np.array(self._counted.rates(words, self.parameters["prior"]), dtype=float)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the counts."""
        self._counted.save(folder)
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read the counts."""
        tagger = super().load(folder, described)
        tagger._counted = ChangeRates.load(folder)
        return tagger


class InLexicon(_Baseline):
    """In which share of the lists a word is; of equals the first is the most likely one."""

    name = "lexicon"

    def __init__(self, *, seed: int = 0, lexicons: Sequence[Lexicon] = ()) -> None:
        super().__init__(seed=seed, lexicons=lexicons)
        if not lexicons:
            raise UsageError("lexicon: name at least one list of words with --lexicon")

    def rates(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the share of the lists that each word is in."""
        return np.asarray(np.mean([each.marks(words) for each in self.lexicons], axis=0))

    def save(self, folder: Path) -> dict[str, Any]:
        """Return the lists of words."""
        return {"lexicons": {each.name: list(each) for each in self.lexicons}}


class Longest(_Baseline):
    """The longest word in small letters, which stands for the longest adjective.

    We have no tagger of parts of speech. Names are left out where the text has capitals.
    """

    name = "longest"

    def rates(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the length of each word, as a share of the most letters that count."""
        common = [
            word.isalpha() and (place == 0 or word == word.lower())
            for place, word in enumerate(words)
        ]
        lengths = [min(len(word), _MOST_LETTERS) for word in words]
        return np.multiply(common, lengths) / _MOST_LETTERS


_AT_ONCE = 200
Words = NDArray[np.float64]
"""An array (words, 2) of a sentence: probability that a span begins at a word, or goes on."""


def decode(words: Words, threshold: float) -> list[str]:
    """Return labels: a word is marked from `threshold` on, and neighbours make one span.

    A marked word begins a span of its own behind another where that is the likelier.
    """
    marked = words.sum(axis=1) >= threshold
    labels = []
    for place, (begin, inside) in enumerate(words):
        if not marked[place]:
            labels.append(OUTSIDE)
        elif place == 0 or not marked[place - 1] or begin > inside:
            labels.append(BEGIN)
        else:
            labels.append(INSIDE)
    return labels


def top_word(words: Words) -> int | None:
    """Return the word that is most likely biased, the first of several; None of no word."""
    return int(np.argmax(words.sum(axis=1))) if len(words) else None


class Mark(TypedDict):
    """A piece of a sentence, in characters, and the highest probability of bias of its words."""

    start: int
    end: int
    text: str
    probability: float


class Marked(TypedDict):
    """A sentence, its spans in order, and its most likely word, marked or not."""

    text: str
    spans: list[Mark]
    top: Mark | None


class Marker:
    """Marks sentences with a tagger that `wikibias spans train` made.

    Raises:
        WikibiasError: the folder holds none, or a damaged one.
    """

    def __init__(self, folder: Path) -> None:
        self.tagger, described = TAGGERS.load(folder)
        threshold = described.get("threshold")
        if not isinstance(threshold, (int, float)):
            raise WikibiasError(f"{folder / TAGGERS.folder.description}: damaged (no threshold)")
        self.threshold = float(threshold)

    def mark(self, texts: Sequence[str]) -> list[Marked]:
        """Return sentences with their marks."""
        split = [split_words(text) for text in texts]
        found = self.tagger.probabilities([words for words, _ in split])
        return [
            self._marked(text, places, words)
            for text, (_, places), words in zip(texts, split, found, strict=True)
        ]

    def _marked(self, text: str, places: Sequence[Span], words: Words) -> Marked:
        sums = words.sum(axis=1)

        def mark(start: int, end: int) -> Mark:
            first, last = places[start][0], places[end - 1][1]
            likely = round(float(sums[start:end].max()), 6)
            return {"start": first, "end": last, "text": text[first:last], "probability": likely}

        top = top_word(words)
        return {
            "text": text,
            "spans": [mark(*span) for span in spans(decode(words, self.threshold))],
            "top": None if top is None else mark(top, top + 1),
        }


def marked_lines(marker: Marker, lines: BinaryIO, warn: Warn) -> Iterator[Marked]:
    """Yield the sentence of each line with its marks; of a blank line, one without words.

    Of a longer line only the first `LONGEST` characters are read, and `warn` is told how many.

    Raises:
        WikibiasError: a line is not text.
    """
    numbered = given_sentences(lines, getattr(lines, "name", "standard input"))
    cut = 0
    while some := [text for _, text in islice(numbered, _AT_ONCE)]:
        cut += sum(len(text) > LONGEST for text in some)
        yield from marker.mark([text[:LONGEST] for text in some])
    if cut:
        warn(f"read only the first {LONGEST:,} characters of {counted(cut, 'longer line')}")
