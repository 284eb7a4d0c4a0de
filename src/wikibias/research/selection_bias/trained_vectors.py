"""Word vectors that fastText learns, without labels, from the sentences that are measured.

They need no file and suit any language. A word's vector is the mean of those of its pieces of three
to six letters, so that a word that the text has not still has one.

The settings were held against GloVe's similarities of all pairs of 557 words. On 3,021 sentences of
news (96,000 words) the correlation of ranks is .19 with 20 epochs, and at most .15 with fastText's
5; on 36,000 sentences it is .35. On 134 sentences it is 0 with any settings: so small a text
teaches fastText nothing, and `about` has a caution.

All vectors of a small text point nearly the same way (a mean cosine of .25 to 1), which hides what
tells words apart. So the mean of the vocabulary is subtracted from each (Mu and Viswanath 2018,
"All-but-the-Top"); without it the correlation on 3,021 sentences is 0.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus import log_odds
from wikibias.errors import DiskError, UsageError
from wikibias.messages import counted
from wikibias.models.estimators import fasttext
from wikibias.research.selection_bias.documents import normaliser, read_documents, sentences_of
from wikibias.research.selection_bias.similarity import Matrix, Wanted, cosines, unit
from wikibias.text.normalisation import normalise

MOST = 300_000
"""How many sentences of a corpus are drawn at random where there are more."""
MOST_WORDS = 2_000_000
"""How many words are learnt from; a text beyond that is not read."""
FEW_WORDS = 100_000
"""Of fewer words the vectors tell little."""
_PER_RUN = 2_000_000  # words read in all epochs together; fewer epochs for a long text
_EPOCHS = (5, 20)
# A word that is rarer has the vector of its pieces alone: in 250,000 words what stands there once.
_RARE, _RAREST = 250_000, 5
_LONGEST = 100  # letters; a longer run of them is no word, and has pieces without number
# In Latin letters; in Ukrainian an apostrophe is within a word.
_ELISION = re.compile("(?<=[a-z\u00df-\u024f])'")
_END = "</s>"  # stands for the end of a sentence
_SETTINGS = {"model": "skipgram", "dim": 50, "minn": 3, "maxn": 6, "t": 1e-3, "bucket": 500_000}


@dataclass(frozen=True, slots=True)
class _Text:
    """What was learnt from."""

    sentences: int
    words: int
    sha256: str


def training_texts(path: Path, language: str) -> Callable[[], Iterator[str]]:
    """Return what gives the normal forms of the sentences of a file or folder, each time anew.

    Args:
        path: a folder of ours, a table, or a text with a sentence a line.
        language: a code; "" where nobody says.

    Raises:
        UsageError: there is nothing at the path.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; give a corpus, a table or a text")
    if path.is_dir():
        return lambda: iter(read_documents(path, most=MOST, seed=0, language=language).texts)
    return lambda: map(normaliser(language), sentences_of(path))


def trained(wanted: Wanted) -> OwnVectors:
    """Learn vectors from the sentences of `wanted.texts`; the same ones and seed, the same bytes.

    Raises:
        UsageError: there is nothing to learn from.
        DiskError: there is no room for the sentences in the folder of temporary files.
        WikibiasError: fastText cannot learn from them.
    """
    if wanted.texts is None:
        raise UsageError(
            "there is no text to train fastText on; give --train-on PATH, or --vectors FILE"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.txt"
        text = _write(path, wanted.texts())
        settings = _settings(text.words)
        model = fasttext.learnt_words(path, wanted.seed, settings)
    return OwnVectors(
        model, {"seed": wanted.seed, **settings}, text, wanted.words, corpora=wanted.corpora
    )


class OwnVectors:
    """How alike words are by vectors that were learnt from a text: their cosine.

    A phrase has the mean of the vectors of its words; so has a word of a script without spaces,
    whose words are two letters side by side.
    """

    def __init__(
        self,
        model: Any,
        settings: Mapping[str, Any],
        text: _Text,
        asked: Iterable[str],
        *,
        corpora: Sequence[str] = (),
    ) -> None:
        words = [word for word in model.get_words() if word != _END]
        self._model, self._rows = model, model.get_input_matrix()
        self._words = frozenset(words)
        # Other pieces have the numbers that they began with, drawn at random.
        self._pieces = frozenset(piece for word in words for piece in model.get_subwords(word)[0])
        known = (self._of_word(word) for word in words)
        self._mean = np.mean([vector for vector in known if vector is not None], axis=0)
        together = f" of {len(corpora)} corpora together" if len(corpora) > 1 else ""
        self._about = {
            "name": "fasttext",
            "title": f"fastText trained on {counted(text.words, 'word')}{together}",
            "corpora": list(corpora),
            "sentences": text.sentences,
            "words": text.words,
            "vocabulary": len(words),
            "sha256": text.sha256,
            "settings": dict(settings),
            "seen": self._share_seen(asked),
        }
        if text.words < FEW_WORDS:
            self._about["caution"] = (
                f"fastText learnt from only {counted(text.words, 'word')}; of so few, which word "
                "is like which is little more than chance; give more text with --train-on, or "
                "--vectors"
            )

    @property
    def about(self) -> Mapping[str, Any]:
        """The settings, the size and digest of the text, the corpora that it is of, and `seen`.

        `seen` is the share of the words asked for that stand in the text themselves, since all
        others have a vector too. `caution` is there where the text is small.
        """
        return self._about

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return the cosine of each word with each keyword, words by keywords."""
        return cosines(self._unit(words), self._unit(keywords))

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether each word has a vector: all have that share a piece with the text."""
        return np.array([self._of(word) is not None for word in words], dtype=np.bool_)

    def seen(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether the text has each word: other vectors are of pieces alone."""
        parts = (_words(normalise(word, keep_apostrophes=True)) for word in words)
        return np.array([bool(of) and self._words.issuperset(of) for of in parts], dtype=np.bool_)

    def _unit(self, words: Sequence[str]) -> Matrix:
        found = np.full((len(words), self._rows.shape[1]), np.nan)
        for place, word in enumerate(words):
            if (vector := self._of(word)) is not None:
                found[place] = vector
        return unit(found)

    def _of(self, word: str) -> NDArray[np.float64] | None:
        vectors = [self._of_word(part) for part in _words(normalise(word, keep_apostrophes=True))]
        known = [vector - self._mean for vector in vectors if vector is not None]
        return np.mean(known, axis=0) if known else None

    def _of_word(self, word: str) -> NDArray[np.float64] | None:
        pieces, rows = self._model.get_subwords(word)
        known = [row for piece, row in zip(pieces, rows, strict=True) if piece in self._pieces]
        return self._rows[known].mean(axis=0, dtype=np.float64) if known else None

    def _share_seen(self, asked: Iterable[str]) -> float | None:
        seen = self.seen([*asked])
        return float(seen.mean()) if len(seen) else None


def _words(norm: str) -> list[str]:
    """Return words, what is elided apart: "l'église" says what "église" is."""
    apart = _ELISION.sub(" ", norm)
    return [word for word in log_odds.tokens(apart) if len(word) <= _LONGEST]


def _settings(words: int) -> dict[str, Any]:
    """Return fastText's settings for a text of so many words."""
    low, high = _EPOCHS
    epoch = min(max(_PER_RUN // max(words, 1), low), high)
    return {**_SETTINGS, "epoch": epoch, "minCount": min(1 + words // _RARE, _RAREST)}


def _write(path: Path, norms: Iterable[str]) -> _Text:
    """Write sentences, each a line, and tell what they were.

    Raises:
        UsageError: there is none.
        DiskError: there is no room.
    """
    sentences = words = 0
    digest = sha256()
    with _room(path), path.open("wb") as file:
        for norm in norms:
            parts = _words(norm)
            if not parts:
                continue
            line = f"{fasttext.one_line(' '.join(parts))}\n".encode("utf-8", "replace")
            file.write(line)
            digest.update(line)
            sentences, words = sentences + 1, words + len(parts)
            if words >= MOST_WORDS:
                break
    if not sentences:
        raise UsageError("there is no sentence to train fastText on; give --train-on or --vectors")
    return _Text(sentences, words, digest.hexdigest())


@contextmanager
def _room(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DiskError(
            f"{path.parent}: cannot keep the sentences to train on ({error.strerror}); make room, "
            "or name another folder with TMPDIR"
        ) from error
