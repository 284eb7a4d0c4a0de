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
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus import log_odds
from wikibias.errors import UsageError
from wikibias.kits.files import disk_errors
from wikibias.messages import counted
from wikibias.models.estimators import fasttext
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.similarity import Matrix, VectorSimilarity
from wikibias.text.normalisation import normalise

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


def train_vectors(words: Sequence[str], corpora: Sequence[Documents], seed: int) -> TrainedVectors:
    """Learn vectors from all sentences; the same ones and the same seed give the same bytes.

    Args:
        words: all that may be asked about.
        corpora: the documents to learn from.
        seed: of the training.

    Raises:
        UsageError: there is nothing to learn from.
        DiskError: there is no room for the sentences in the folder of temporary files.
        WikibiasError: fastText cannot learn from them.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.txt"
        about = _write(path, chain.from_iterable(each.texts for each in corpora))
        settings = training_settings(about["words"])
        model = fasttext.learnt_words(path, seed, settings)
    about["corpora"] = [each.name for each in corpora]
    return TrainedVectors(model, words, {**about, "settings": {"seed": seed, **settings}})


class TrainedVectors(VectorSimilarity):
    """Vectors that were learnt from a text.

    A phrase has the mean of the vectors of its words; so has a word of a script without spaces,
    whose words are two letters side by side. All words have a vector that share a piece with the
    text.

    Args:
        model: that fastText made.
        asked: the words that may be asked about. Of these `about` has the share that the text has,
            as `seen`, since all others have a vector too.
        about: what it was trained on and how. Where the text is small, a `caution` is added.
    """

    def __init__(self, model: Any, asked: Sequence[str], about: Mapping[str, Any]) -> None:
        words = [word for word in model.get_words() if word != _END]
        self._model, self._rows = model, model.get_input_matrix()
        self.dimensions = self._rows.shape[1]
        self._words = frozenset(words)
        # Other pieces have the numbers that they began with, drawn at random.
        self._pieces = frozenset(piece for word in words for piece in model.get_subwords(word)[0])
        known = (self._of_word(word) for word in words)
        self._mean = np.mean([vector for vector in known if vector is not None], axis=0)
        size, corpora = counted(about["words"], "word"), about["corpora"]
        together = f" of {len(corpora)} corpora together" if len(corpora) > 1 else ""
        self.about = {
            "name": "fasttext",
            "title": f"fastText trained on {size}{together}",
            "vocabulary": len(words),
            "seen": float(self.seen(asked).mean()) if asked else None,
            **about,
        }
        if about["words"] < FEW_WORDS:
            self.about["caution"] = (
                f"fastText learnt from only {size}; of so few, which word is like which is little "
                "more than chance; give --vectors"
            )

    def seen(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether the text has each word: other vectors are of pieces alone."""
        parts = (_words(normalise(word, keep_apostrophes=True)) for word in words)
        return np.array([bool(of) and self._words.issuperset(of) for of in parts], dtype=np.bool_)

    def vector(self, word: str) -> Matrix | None:
        """Return the vector of a word or a phrase; None where it shares no piece with the text."""
        vectors = [self._of_word(part) for part in _words(normalise(word, keep_apostrophes=True))]
        known = [vector - self._mean for vector in vectors if vector is not None]
        return np.mean(known, axis=0) if known else None

    def _of_word(self, word: str) -> Matrix | None:
        pieces, rows = self._model.get_subwords(word)
        known = [row for piece, row in zip(pieces, rows, strict=True) if piece in self._pieces]
        return self._rows[known].mean(axis=0, dtype=np.float64) if known else None


def _words(norm: str) -> list[str]:
    """Return words, what is elided apart: "l'église" says what "église" is."""
    apart = _ELISION.sub(" ", norm)
    return [word for word in log_odds.tokens(apart) if len(word) <= _LONGEST]


def training_settings(words: int) -> dict[str, Any]:
    """Return fastText's settings for a text of so many words."""
    low, high = _EPOCHS
    epoch = min(max(_PER_RUN // max(words, 1), low), high)
    return {**_SETTINGS, "epoch": epoch, "minCount": min(1 + words // _RARE, _RAREST)}


def _write(path: Path, norms: Iterable[str]) -> dict[str, Any]:
    """Write sentences, each a line; return how many sentences and words, and their digest."""
    sentences = words = 0
    digest = sha256()
    with disk_errors(path), path.open("wb") as file:
        for parts in filter(None, map(_words, norms)):
            line = f"{fasttext.one_line(' '.join(parts))}\n".encode("utf-8", "replace")
            file.write(line)
            digest.update(line)
            sentences, words = sentences + 1, words + len(parts)
            if words >= MOST_WORDS:
                break
    if not sentences:
        raise UsageError("there is no sentence to train fastText on; give --vectors")
    return {"sentences": sentences, "words": words, "sha256": digest.hexdigest()}
