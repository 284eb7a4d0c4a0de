"""A rewriter that needs no GPU: one edit, chosen by what editors did to words of each kind.

It finds the word that an editor would most likely change, and deletes it or puts a replacement
there that was learnt, if that is likely enough; else it leaves the sentence as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from wikibias.errors import WikibiasError
from wikibias.kits.files import read_json, write_json
from wikibias.research.neutralising.bleu import bleu, counts
from wikibias.research.neutralising.count_files import (
    read_evidence,
    read_ngrams,
    write_evidence,
    write_ngrams,
)
from wikibias.research.neutralising.evidence import Change, Evidence, changes, shares
from wikibias.research.neutralising.folds import in_fold
from wikibias.research.neutralising.ngram_model import NgramModel
from wikibias.research.neutralising.operations import Operations
from wikibias.research.neutralising.places import Places, count_words
from wikibias.research.neutralising.ranker import Floats, Ranker, fit_ranker
from wikibias.research.neutralising.repair import edited
from wikibias.research.neutralising.rewriters import Lexicons, Pair
from wikibias.research.neutralising.words import Word, words

_FOLDS = 10
_TRIED = 5  # of the likeliest words of a sentence, whose edits are compared
_MOST_RANKED = 20_000  # sentences that weights are fitted on; the counts are of all
_WEIGHTS, _NGRAMS = "weights.json", "ngrams.parquet"
_PLACES, _OPERATIONS = "places.parquet", "operations.parquet"


class Proposal(NamedTuple):
    """An edit and how likely it is: the number of a word, and what replaces it ("" for nothing)."""

    probability: float
    place: int
    replacement: str


class _Example(NamedTuple):
    words: list[Word]
    made: list[Change]
    pair: Pair
    fold: int


class EditTable:
    """Deletes or replaces one word, by learnt tables."""

    name = "edit-table"

    def __init__(
        self,
        *,
        seed: int = 0,
        lang: str | None = None,
        lexicons: Lexicons | None = None,
        least: float | None = None,
    ) -> None:
        """Make one that knows nothing; `least` is how likely an edit must be, chosen if None."""
        self.seed, self.lang = seed, lang
        self.parameters: dict[str, Any] = {} if least is None else {"least": least}
        self._lexicons = {name: frozenset(each) for name, each in (lexicons or {}).items()}
        self._evidence, self._ngrams = Evidence(), NgramModel()
        self._operations = Operations(ngrams=self._ngrams)
        self._places = Places(self._evidence, self._ngrams, self._lexicons)
        self._ranker: Ranker | None = None
        self.least = 0.0 if least is None else least

    @classmethod
    def missing(cls) -> str | None:
        """Return that nothing is missing."""
        return None

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn from pairs, in folds, so that no pair judges what was learnt from itself.

        Unless it is given, the least probability of an edit is that with the best BLEU here.

        Raises:
            WikibiasError: no pair has a word that was changed.
        """
        examples = [_example(pair, self.seed) for pair in pairs]
        for each in examples:
            taken = shares(len(each.words), each.made)
            count_words(self._evidence, each.words, taken, each.fold)
            self._ngrams.add([word.key for word in words(each.pair.target)], each.fold)
        useful = [each for each in examples if any(c.start < c.end for c in each.made)]
        if not useful:
            raise WikibiasError("no pair has a word that an editor took out; nothing can be learnt")
        self._operations.fit(
            [
                (each.words, change.start, change.replacement, each.fold)
                for each in useful
                for change in each.made
                if change.end - change.start == 1
            ]
        )
        some = useful[:_MOST_RANKED]
        features = [self._places.features(each.words, each.fold) for each in some]
        marks = [np.array(shares(len(each.words), each.made)) for each in some]
        self._ranker = fit_ranker(list(zip(features, marks, strict=True)))
        if "least" not in self.parameters:
            self.least = self._least(examples[:_MOST_RANKED])
        return self

    def _least(self, examples: Sequence[_Example]) -> float:
        """Return from which probability on edits make BLEU higher, on sentences held out."""
        rows = []
        for each in examples:
            target = [word.key for word in words(each.pair.target)]
            copied = counts([word.key for word in each.words], target)
            best = self._best(each.words, each.fold)
            if best is None:
                continue
            made = words(self._made(each.pair.source, each.words, best))
            rows.append((best.probability, copied, counts([word.key for word in made], target)))
        rows.sort(key=lambda row: -row[0])
        before, after = (np.array([row[i] for row in rows], dtype=np.float64) for i in (1, 2))
        # The first so many are edited, the others copied.
        sums = np.vstack([np.zeros_like(before[:1]), np.cumsum(after - before, axis=0)])
        scores = bleu(sums + before.sum(axis=0))
        most = int(np.argmax(scores))
        return float(rows[most - 1][0]) if most else 1.0

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text with one edit, or as it is where none is likely enough."""
        made = []
        for text in texts:
            found = words(text)
            best = self._best(found, None)
            keep = best is None or best.probability < self.least
            made.append(text if best is None or keep else self._made(text, found, best))
        return made

    def _best(self, found: Sequence[Word], without: int | None) -> Proposal | None:
        return max(self.proposals(found, without), default=None, key=lambda each: each.probability)

    def proposals(self, found: Sequence[Word], without: int | None = None) -> Iterator[Proposal]:
        """Yield edits of the likeliest words of a sentence."""
        if self._ranker is None or not found:
            return
        likely: Floats = self._ranker.probabilities(self._places.features(found, without))
        for place in np.argsort(-likely, kind="stable")[:_TRIED].tolist():
            for share, replacement in self._operations.of(found, place, without):
                yield Proposal(float(likely[place]) * share, place, replacement)

    def _made(self, text: str, found: Sequence[Word], best: Proposal) -> str:
        word = found[best.place]
        return edited(text, word.start, word.end, best.replacement, self.lang)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write counts as Parquet, and weights, replacements and lexicons as JSON."""
        write_evidence(self._evidence, folder / _PLACES)
        write_evidence(self._operations.evidence(), folder / _OPERATIONS)
        write_ngrams(self._ngrams, folder / _NGRAMS)
        write_json(
            folder / _WEIGHTS,
            {
                "places": None if self._ranker is None else self._ranker.as_dict(),
                **self._operations.as_dict(),
                "lexicons": {name: sorted(each) for name, each in sorted(self._lexicons.items())},
            },
        )
        return {"least": self.least, "lexicons": sorted(self._lexicons)}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote."""
        values = read_json(folder / _WEIGHTS)
        lexicons = {name: frozenset(map(str, each)) for name, each in values["lexicons"].items()}
        model = cls(
            seed=int(described["seed"]),
            lang=described["lang"],
            lexicons=lexicons,
            **described["parameters"],
        )
        model._evidence = read_evidence(folder / _PLACES)
        model._ngrams = read_ngrams(folder / _NGRAMS)
        model._places = Places(model._evidence, model._ngrams, lexicons)
        operations = read_evidence(folder / _OPERATIONS)
        model._operations = Operations.read(operations, model._ngrams, values)
        model._ranker = None if values["places"] is None else Ranker.of(values["places"])
        model.least = float(described["least"])
        return model


def _example(pair: Pair, seed: int) -> _Example:
    found = words(pair.source)
    return _Example(found, changes(found, words(pair.target)), pair, in_fold(pair, seed, _FOLDS))
