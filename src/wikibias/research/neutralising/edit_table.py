"""A rewriter that needs no GPU: one edit, chosen by what editors did to words of each kind.

It finds the word that an editor would most likely change, and deletes it or puts a replacement
there that was learnt, if that is likely enough; else it leaves the sentence as it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from wikibias.errors import WikibiasError
from wikibias.kits.files import read_json, write_json
from wikibias.research.neutralising.edit_counts import (
    GRAMS,
    Change,
    Evidence,
    NgramModel,
    changes,
    letters,
    read_evidence,
    read_ngrams,
    root,
    shares,
    views,
    write_evidence,
    write_ngrams,
)
from wikibias.research.neutralising.ngram_scores import bleu, counts
from wikibias.research.neutralising.rewriters import Lexicons, Pair, in_fold
from wikibias.research.neutralising.words import Word, edited, words

Floats = NDArray[np.float64]
_PENALTY = 10.0
_STEPS = 200


@dataclass(frozen=True, slots=True)
class Ranker:
    """Weights of features, which are first brought to mean 0 and standard deviation 1."""

    weights: Floats
    means: Floats
    deviations: Floats

    def probabilities(self, features: Floats) -> Floats:
        """Return the probability of each candidate of one group (candidates, features)."""
        scores = ((features - self.means) / self.deviations) @ self.weights
        raised = np.exp(scores - scores.max())
        return np.asarray(raised / raised.sum(), dtype=np.float64)

    def as_dict(self) -> dict[str, list[float]]:
        """Return the model as JSON."""
        return {
            "weights": self.weights.tolist(),
            "means": self.means.tolist(),
            "deviations": self.deviations.tolist(),
        }

    @classmethod
    def of(cls, values: Any) -> Ranker:
        """Return the model that `as_dict` described."""
        names = ("weights", "means", "deviations")
        found = cls(*(np.array(values[name], dtype=np.float64) for name in names))
        if not found.weights.shape == found.means.shape == found.deviations.shape:
            raise ValueError("weights, means and deviations of unequal length")
        return found


def fit_ranker(groups: Sequence[tuple[Floats, Floats]]) -> Ranker:
    """Return the ranker under which the right candidates of each group are likeliest.

    Args:
        groups: features (candidates, features) and which candidates are right, over 0; a group has
            at least one, and any of them will do.

    It has the lowest cross-entropy with a quadratic penalty; the same data give the same weights.
    """
    features = np.vstack([each for each, _ in groups])
    means = features.mean(axis=0)
    deviations = features.std(axis=0)
    deviations[deviations < 1e-9] = 1.0
    features = (features - means) / deviations
    right = np.concatenate([marks > 0 for _, marks in groups]).astype(np.float64)
    sizes = [len(marks) for _, marks in groups]
    starts = np.cumsum([0, *sizes[:-1]])
    member = np.repeat(np.arange(len(sizes)), sizes)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = features @ weights
        raised = np.exp(scores - np.maximum.reduceat(scores, starts)[member])
        shares = raised / np.add.reduceat(raised, starts)[member]
        wanted = np.maximum(np.add.reduceat(shares * right, starts), 1e-12)
        gradient = features.T @ (shares - shares * right / wanted[member])
        penalty = _PENALTY / 2 * float(weights @ weights)
        return float(-np.log(wanted).sum()) + penalty, gradient + _PENALTY * weights

    start = np.zeros(features.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return Ranker(np.asarray(found.x, dtype=np.float64), means, deviations)


_LONG = 8  # letters


def count_words(
    evidence: Evidence, words: Sequence[Word], shares: Sequence[float], fold: int | None
) -> None:
    """Count the words of a sentence and which of them were changed."""
    for place, share in enumerate(shares):
        seen = {view: (key,) for view, key in views(words, place).items()}
        evidence.add({**seen, GRAMS: letters(words[place].key)}, share, fold)


class Places:
    """Makes the features of words from evidence, a language model and lexicons."""

    def __init__(self, evidence: Evidence, ngrams: NgramModel, lexicons: Lexicons) -> None:
        self._evidence, self._ngrams = evidence, ngrams
        self._lists = [frozenset(lexicons[name]) for name in sorted(lexicons)]
        self._roots = [frozenset(map(root, each)) for each in self._lists]
        self._any = frozenset().union(*self._lists)

    def features(self, words: Sequence[Word], without: int | None = None) -> Floats:
        """Return the features of each word (words, features), as if a fold had not been counted."""
        keys = [word.key for word in words]
        return np.array(
            [
                [
                    *self._learnt(words, place, without),
                    self._ngrams.gain(keys, place, (), without),
                    *self._listed(keys, place),
                ]
                for place in range(len(words))
            ]
        )

    def _learnt(self, words: Sequence[Word], place: int, without: int | None) -> list[float]:
        evidence, key = self._evidence, words[place].key
        odds = [evidence.log_odds(*view, without) for view in views(words, place).items()]
        runs = [evidence.log_odds(GRAMS, run, without) for run in letters(key)] or [0.0]
        seen = evidence.seen("word", key, without)
        return [
            *odds,
            sum(runs) / len(runs),
            max(runs),
            min(runs),
            math.log(1 + seen),
            float(seen == 0),
            float(seen < 3),
            float(key[0].isalpha()),
            float(len(key) > _LONG),
            float(place == 0),
            float(place == len(words) - 1),
            place / len(words),
        ]

    def _listed(self, keys: Sequence[str], place: int) -> list[float]:
        if not self._lists:
            return []
        key, stem = keys[place], root(keys[place])
        found: list[float] = []
        for listed, roots in zip(self._lists, self._roots, strict=True):
            found += (float(key in listed), float(key not in listed and stem in roots))
        before = place > 0 and keys[place - 1] in self._any
        behind = place + 1 < len(keys) and keys[place + 1] in self._any
        return [*found, float(before), float(behind)]


LONGEST = 3
"""Words of a replacement that are learnt."""
# Beside replacements that were seen there are others, as if so many had been: a word replaced once
# is as likely to become something else.
_OTHERS = 2.0
_VIEWS = (
    "word root before behind before_end behind_end around end2 end3 end4 begin3 before_end2 ends "
    "word_behind before_word"
).split()


class Operations:
    """How likely a word is deleted if it is changed, and what it is replaced by."""

    def __init__(
        self,
        evidence: Evidence | None = None,
        ngrams: NgramModel | None = None,
        ranker: Ranker | None = None,
        replacements: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self._evidence, self._ngrams = evidence or Evidence(), ngrams or NgramModel()
        self._ranker = ranker
        self._replacements = {key: Counter(each) for key, each in (replacements or {}).items()}
        self._folds: dict[int, dict[str, Counter[str]]] = {}

    def fit(self, changed: Sequence[tuple[Sequence[Word], int, tuple[str, ...], int]]) -> None:
        """Learn from words that were changed: sentence, place, replacement (or none), and fold."""
        for sentence, place, replacement, fold in changed:
            seen = views(sentence, place)
            deleted = float(not replacement)
            self._evidence.add({view: (seen[view],) for view in _VIEWS}, deleted, fold)
            if 0 < len(replacement) <= LONGEST:
                for table in (self._replacements, self._folds.setdefault(fold, {})):
                    learnt = table.setdefault(sentence[place].key, Counter())
                    learnt[" ".join(replacement)] += 1
        groups = []
        for sentence, place, replacement, fold in changed:
            row = self._features(sentence, place, fold)
            right = np.array([1.0, 0.0] if not replacement else [0.0, 1.0])
            groups.append((np.vstack([row, np.zeros_like(row)]), right))
        if groups:
            self._ranker = fit_ranker(groups)

    def of(
        self, words: Sequence[Word], place: int, without: int | None = None
    ) -> Iterator[tuple[float, str]]:
        """Yield what may be done with a word, as probability and replacement ("" to delete it).

        With `without`, as if the sentences of a fold had not been learnt from.
        """
        deleted = self._deleted(words, place, without)
        yield deleted, ""
        key = words[place].key
        known = self._replacements.get(key, Counter())
        if without is not None:
            known = known - self._folds.get(without, {}).get(key, Counter())
        whole = sum(known.values()) + _OTHERS
        for replacement in sorted(known):
            yield (1 - deleted) * known[replacement] / whole, replacement

    def _deleted(self, words: Sequence[Word], place: int, without: int | None) -> float:
        if self._ranker is None:
            return 1.0
        row = self._features(words, place, without)
        return float(self._ranker.probabilities(np.vstack([row, np.zeros_like(row)]))[0])

    def _features(self, words: Sequence[Word], place: int, without: int | None) -> Floats:
        seen = views(words, place)
        odds = (self._evidence.share(view, seen[view], without) for view in _VIEWS)
        gain = self._ngrams.gain([word.key for word in words], place, (), without)
        return np.array([1.0, gain, *(math.log(share / (1 - share)) for share in odds)])

    def evidence(self) -> Evidence:
        """Return the counts by view."""
        return self._evidence

    def as_dict(self) -> dict[str, Any]:
        """Return the rest as JSON."""
        return {
            "deletion": None if self._ranker is None else self._ranker.as_dict(),
            "replacements": {
                key: dict(sorted(each.items())) for key, each in sorted(self._replacements.items())
            },
        }

    @classmethod
    def read(cls, evidence: Evidence, ngrams: NgramModel, values: Mapping[str, Any]) -> Operations:
        """Return what `evidence` and `as_dict` described."""
        ranker = None if values["deletion"] is None else Ranker.of(values["deletion"])
        return cls(evidence, ngrams, ranker, values["replacements"])


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
