"""A rewriter that needs no GPU: one edit, chosen by what editors did to words of each kind.

It finds the word that an editor would most likely change, and deletes it or puts a replacement
there that was learnt, if that is likely enough; else it leaves the sentence as it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from wikibias.errors import WikibiasError
from wikibias.kits.checked import Meta
from wikibias.kits.files import read_json, write_json
from wikibias.models.estimators.registry import check_values
from wikibias.research.lexicons import Lexicon
from wikibias.research.neutralising import words
from wikibias.research.neutralising.measures import GIVEN
from wikibias.research.neutralising.rewriters import Pair, Rewriter
from wikibias.research.neutralising.words import Change, Evidence, NgramModel, Word

Floats = NDArray[np.float64]
_PENALTY = 10.0
_STEPS = 200
_LONG = 8  # letters
_LONGEST = 3  # words of a replacement that are learnt
# Beside replacements that were seen there are others, as if so many had been: a word replaced once
# is as likely to become something else.
_OTHERS = 2.0
_OPERATION_VIEWS = (
    "word root before behind before_end behind_end around end2 end3 end4 begin3 before_end2 ends "
    "word_behind before_word"
).split()
_FOLDS = 10
_TRIED = 5  # of the likeliest words of a sentence, whose edits are compared
_MOST_RANKED = 20_000  # sentences that weights are fitted on; the counts are of all
_WEIGHTS, _NGRAMS = "weights.json", "ngrams.parquet"
_PLACES, _OPERATIONS = "places.parquet", "operations.parquet"


class Ranker(NamedTuple):
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
        return {name: values.tolist() for name, values in self._asdict().items()}

    @classmethod
    def of(cls, described: Mapping[str, Sequence[float]] | None) -> Ranker | None:
        """Return the model that `as_dict` described, if there is one."""
        if described is None:
            return None
        return cls(**{name: np.array(values) for name, values in described.items()})


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
        likely = raised / np.add.reduceat(raised, starts)[member]
        wanted = np.maximum(np.add.reduceat(likely * right, starts), 1e-12)
        gradient = features.T @ (likely - likely * right / wanted[member])
        penalty = _PENALTY / 2 * float(weights @ weights)
        return float(-np.log(wanted).sum()) + penalty, gradient + _PENALTY * weights

    start = np.zeros(features.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return Ranker(np.asarray(found.x, dtype=np.float64), means, deviations)


class Places:
    """Where in a sentence an editor would change something: features of words, and their weights.

    Args:
        ngrams: how usual words in a row are.
        lexicons: lists of lower-cased words, by name.
    """

    def __init__(self, ngrams: NgramModel, lexicons: Mapping[str, Set[str]]) -> None:
        self.evidence, self._ngrams = Evidence(), ngrams
        self.ranker: Ranker | None = None
        self._lists = [lexicons[name] for name in sorted(lexicons)]
        self._roots = [frozenset(map(words.root, each)) for each in self._lists]
        self._any = frozenset[str]().union(*self._lists)

    def count(self, sentence: Sequence[Word], parts: Sequence[float], fold: int | None) -> None:
        """Count the words of a sentence, and how much of a change each of them is."""
        for place, share in enumerate(parts):
            seen = {view: (key,) for view, key in words.views(sentence, place).items()}
            runs = words.letters(sentence[place].key)
            self.evidence.add({**seen, words.GRAMS: runs}, share, fold)

    def likeliest(self, sentence: Sequence[Word], without: int | None) -> list[tuple[float, int]]:
        """Return the words that would most likely be changed, with their probabilities."""
        if self.ranker is None or not sentence:
            return []
        likely = self.ranker.probabilities(self.features(sentence, without))
        return [
            (float(likely[at]), at) for at in np.argsort(-likely, kind="stable")[:_TRIED].tolist()
        ]

    def features(self, sentence: Sequence[Word], without: int | None = None) -> Floats:
        """Return the features of each word (words, features), as if a fold had not been counted."""
        keys = [word.key for word in sentence]
        return np.array(
            [
                [
                    *self._learnt(sentence, place, without),
                    self._ngrams.gain(keys, place, without),
                    *self._listed(keys, place),
                ]
                for place in range(len(sentence))
            ]
        )

    def _learnt(self, sentence: Sequence[Word], place: int, without: int | None) -> list[float]:
        evidence, key = self.evidence, sentence[place].key
        odds = [evidence.log_odds(*view, without) for view in words.views(sentence, place).items()]
        runs = [evidence.log_odds(words.GRAMS, run, without) for run in words.letters(key)] or [0.0]
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
            float(place == len(sentence) - 1),
            place / len(sentence),
        ]

    def _listed(self, keys: Sequence[str], place: int) -> list[float]:
        if not self._lists:
            return []
        key, stem = keys[place], words.root(keys[place])
        found: list[float] = []
        for listed, roots in zip(self._lists, self._roots, strict=True):
            found += (float(key in listed), float(key not in listed and stem in roots))
        before = place > 0 and keys[place - 1] in self._any
        behind = place + 1 < len(keys) and keys[place + 1] in self._any
        return [*found, float(before), float(behind)]


class Operations:
    """What to do with a word that is to be changed: delete it, or put something in its place."""

    def __init__(self, ngrams: NgramModel) -> None:
        self.evidence, self._ngrams = Evidence(), ngrams
        self.ranker: Ranker | None = None
        self.replacements: dict[int | None, dict[str, Counter[str]]] = {None: {}}

    def fit(self, changed: Sequence[tuple[Sequence[Word], int, tuple[str, ...], int]]) -> None:
        """Learn from words that were changed: sentence, place, replacement (or none), and fold."""
        for sentence, place, replacement, fold in changed:
            seen = words.views(sentence, place)
            deleted = float(not replacement)
            self.evidence.add({view: (seen[view],) for view in _OPERATION_VIEWS}, deleted, fold)
            for where in (None, fold) if 0 < len(replacement) <= _LONGEST else ():
                learnt = self.replacements.setdefault(where, {})
                learnt.setdefault(sentence[place].key, Counter())[" ".join(replacement)] += 1
        groups = [
            (
                self._features(sentence, place, fold),
                np.array([0.0, 1.0] if replacement else [1.0, 0.0]),
            )
            for sentence, place, replacement, fold in changed
        ]
        if groups:
            self.ranker = fit_ranker(groups)

    def of(
        self, sentence: Sequence[Word], place: int, without: int | None = None
    ) -> Iterator[tuple[float, str]]:
        """Yield what may be done with a word, as probability and replacement ("" to delete it).

        With `without`, as if the sentences of a fold had not been learnt from.
        """
        deleted = 1.0
        if self.ranker is not None:
            features = self._features(sentence, place, without)
            deleted = float(self.ranker.probabilities(features)[0])
        yield deleted, ""
        key = sentence[place].key
        known = self.replacements[None].get(key, Counter())
        if without is not None:
            known = known - self.replacements.get(without, {}).get(key, Counter())
        whole = sum(known.values()) + _OTHERS
        for replacement in sorted(known):
            yield (1 - deleted) * known[replacement] / whole, replacement

    def _features(self, sentence: Sequence[Word], place: int, without: int | None) -> Floats:
        """Return the features of a deletion, and of no deletion (2, features)."""
        seen = words.views(sentence, place)
        odds = (self.evidence.share(view, seen[view], without) for view in _OPERATION_VIEWS)
        gain = self._ngrams.gain([word.key for word in sentence], place, without)
        row = np.array([1.0, gain, *(math.log(share / (1 - share)) for share in odds)])
        return np.vstack([row, np.zeros_like(row)])


class Proposal(NamedTuple):
    """An edit and how likely it is: the number of a word, and what replaces it ("" for nothing)."""

    probability: float
    place: int
    replacement: str


class _Example(NamedTuple):
    words: list[Word]
    made: list[Change]
    target: list[str]
    pair: Pair
    fold: int

    @property
    def shares(self) -> list[float]:
        return words.shares(len(self.words), self.made)


class EditTable(Rewriter):
    """Deletes or replaces one word, by learnt tables."""

    name = "edit-table"

    def __init__(
        self,
        *,
        seed: int = 0,
        lang: str | None = None,
        lexicons: Iterable[Lexicon] = (),
        least: Annotated[float | None, Meta(ge=0.0, le=1.0)] = None,
    ) -> None:
        """Make one that knows nothing; `least` is how likely an edit must be, chosen if None.

        Raises:
            UsageError: it is no probability.
        """
        if least is not None:
            check_values(self.name, EditTable.__init__, {"least": least})
        self.seed, self.lang = seed, lang
        self.parameters: dict[str, Any] = {} if least is None else {"least": least}
        self._lexicons = {each.name: frozenset(each) for each in lexicons}
        self._ngrams = NgramModel()
        self._operations = Operations(self._ngrams)
        self._places = Places(self._ngrams, self._lexicons)
        self.least = 0.0 if least is None else least

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn from pairs, in folds, so that no pair judges what was learnt from itself.

        Unless it is given, the least probability of an edit is that with the best BLEU here.

        Raises:
            WikibiasError: no pair has a word that was changed.
        """
        examples = [_example(pair, self.seed) for pair in pairs]
        for each in examples:
            self._places.count(each.words, each.shares, each.fold)
            self._ngrams.add(each.target, each.fold)
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
        self._places.ranker = fit_ranker(
            [
                (self._places.features(each.words, each.fold), np.array(each.shares))
                for each in useful[:_MOST_RANKED]
            ]
        )
        if "least" not in self.parameters:
            self.least = self._least(examples[:_MOST_RANKED])
        return self

    def _least(self, examples: Sequence[_Example]) -> float:
        """Return from which probability on edits make BLEU higher, on sentences held out."""
        rows: list[tuple[float, list[int], list[int]]] = []
        for each in examples:
            best = self._best(each.words, each.fold)
            if best is None:
                continue
            rewrite = words.words(self._rewrite(each.pair.source, each.words, best))
            target = " ".join(each.target)
            before, after = (
                GIVEN.counts(" ".join(word.key for word in side), target)
                for side in (each.words, rewrite)
            )
            rows.append((best.probability, before, after))
        rows.sort(key=lambda row: -row[0])
        copied, changed = (np.array([row[i] for row in rows], dtype=np.float64) for i in (1, 2))
        # The first so many are edited, the others copied.
        sums = np.vstack([np.zeros_like(copied[:1]), np.cumsum(changed - copied, axis=0)])
        scores = GIVEN.scores(sums + copied.sum(axis=0))
        most = int(np.argmax(scores))
        return float(rows[most - 1][0]) if most else 1.0

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text with one edit, or as it is where none is likely enough."""
        rewrites = []
        for text in texts:
            found = words.words(text)
            best = self._best(found, None)
            keep = best is None or best.probability < self.least
            rewrites.append(text if best is None or keep else self._rewrite(text, found, best))
        return rewrites

    def _best(self, found: Sequence[Word], without: int | None) -> Proposal | None:
        return max(self.proposals(found, without), default=None, key=lambda each: each.probability)

    def proposals(self, found: Sequence[Word], without: int | None = None) -> Iterator[Proposal]:
        """Yield edits of the likeliest words of a sentence."""
        for likely, place in self._places.likeliest(found, without):
            for share, replacement in self._operations.of(found, place, without):
                yield Proposal(likely * share, place, replacement)

    def _rewrite(self, text: str, found: Sequence[Word], best: Proposal) -> str:
        word = found[best.place]
        return words.edited(text, word.start, word.end, best.replacement, self.lang)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write counts as Parquet, and weights, replacements and lexicons as JSON."""
        self._places.evidence.save(folder / _PLACES)
        self._operations.evidence.save(folder / _OPERATIONS)
        self._ngrams.save(folder / _NGRAMS)
        rankers = {"places": self._places.ranker, "deletion": self._operations.ranker}
        replacements = self._operations.replacements[None]
        write_json(
            folder / _WEIGHTS,
            {
                **{name: each and each.as_dict() for name, each in rankers.items()},
                "replacements": {
                    key: dict(sorted(replacements[key].items())) for key in sorted(replacements)
                },
                "lexicons": {name: sorted(each) for name, each in sorted(self._lexicons.items())},
            },
        )
        return {"lang": self.lang, "least": self.least, "lexicons": sorted(self._lexicons)}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote."""
        values = read_json(folder / _WEIGHTS)
        lexicons = [Lexicon.of(name, each) for name, each in values["lexicons"].items()]
        model = cls(
            seed=int(described["seed"]),
            lang=described["lang"],
            lexicons=lexicons,
            **described["parameters"],
        )
        places, operations = model._places, model._operations
        model._ngrams.read(folder / _NGRAMS)
        places.evidence = Evidence.load(folder / _PLACES)
        places.ranker = Ranker.of(values["places"])
        operations.evidence = Evidence.load(folder / _OPERATIONS)
        operations.ranker = Ranker.of(values["deletion"])
        learnt = values["replacements"].items()
        operations.replacements = {None: {key: Counter(each) for key, each in learnt}}
        model.least = float(described["least"])
        return model


def _example(pair: Pair, seed: int) -> _Example:
    found, target = words.words(pair.source), words.words(pair.target)
    keys = [word.key for word in target]
    return _Example(found, words.changes(found, target), keys, pair, pair.fold(seed, _FOLDS))
