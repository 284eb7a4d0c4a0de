"""Grouped k-fold cross-validation: keeps related sentences in one fold, to prevent leakage."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold

from wikibias.corpus.near_duplicates import groups as near_duplicates
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators.registry import Model, fit
from wikibias.models.examples import Examples, Splits

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]


def pooled(splits: Splits) -> Examples:
    """Join all splits; pages and edits are known only if every split knows them."""
    parts = list(splits.by_name.values())

    def joined(name: str) -> Any:
        columns = [getattr(part, name) for part in parts]
        return None if any(column is None for column in columns) else np.concatenate(columns)

    roles = joined("roles")
    return Examples(
        name=" + ".join(part.name for part in parts),
        texts=[text for part in parts for text in part.texts],
        biased=np.concatenate([part.biased for part in parts]),
        rows=np.concatenate([part.rows for part in parts]),
        pages=joined("pages"),
        edits=joined("edits"),
        roles=None if roles is None else [str(role) for role in roles],
    )


def grouping(examples: Examples, kind: str, ngrams: str = "char") -> NDArray[np.int64]:
    """Return the group number of each sentence, for one of `constants.GROUPINGS`.

    Raises:
        UsageError: the sentences' pages or edits are not known, because they came from a TSV file.
    """
    if kind == "random":
        return np.arange(len(examples))
    if kind == "near-duplicate":
        return near_duplicates(examples.texts, ngrams)
    known = examples.edits if kind == "pair" else examples.pages
    if known is None:
        raise UsageError(
            f"--cv {kind} needs a corpus directory made by `wikibias extract`, or pairs; "
            f"{examples.name} does not say which {'edit' if kind == 'pair' else kind} a "
            "sentence is from (--cv near-duplicate works on any file)"
        )
    return known


def both_groupings(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the groups that keep together what either of two groupings does."""
    places = [np.unique(groups, return_inverse=True)[1] for groups in (first, second)]
    found = np.arange(len(first))
    while True:
        before = found
        for of in places:
            least = np.full(len(found), len(found))
            np.minimum.at(least, of, found)
            found = least[of]
        if np.array_equal(found, before):
            return found


# What a group of each of `constants.GROUPINGS` is called: singular, plural.
_CALLED = {
    "page": ("page", "pages"),
    "group": ("group", "groups"),
    "pair": ("edit", "edits"),
    "near-duplicate": ("group of near-duplicates", "groups of near-duplicates"),
    "topic": ("topic", "topics"),
    "random": ("sentence", "sentences"),
}


def folds(
    examples: Examples, groups: NDArray[np.int64], count: int = 5, seed: int = 0, kind: str = "page"
) -> list[Fold]:
    """Return the positions (train, held out) of each fold, stratified by label.

    `kind`, one of `constants.GROUPINGS`, says what the groups are.

    Raises:
        WikibiasError: there are fewer groups than folds, or fewer sentences of a class.
    """
    found = len(np.unique(groups))
    rarer = int(min(examples.biased.sum(), (~examples.biased).sum()))
    if found < count or rarer < count:
        why = _too_few(found, rarer, count, kind, of_dump=examples.pages is not None)
        raise WikibiasError(f"{examples.name}: {why}")
    splitter = StratifiedGroupKFold(count, shuffle=True, random_state=seed)
    return [
        (np.asarray(a), np.asarray(b)) for a, b in splitter.split(groups, examples.biased, groups)
    ]


def _too_few(found: int, rarer: int, count: int, kind: str, *, of_dump: bool) -> str:
    """Say why there cannot be so many folds, and what to do next."""
    one, several = _CALLED[kind]
    most = min(found, rarer)
    if found <= rarer:
        reason = f"its sentences are of {found} {one if found == 1 else several}"
    else:
        reason = f"only {rarer} of its sentences are of the rarer class"
    remedies = [f"--folds {most}"] if most > 1 else []
    if found <= rarer and kind in ("page", "group", "pair"):
        remedies.append("--cv near-duplicate")
    remedies.append("a corpus of more dump parts" if of_dump else "more sentences")
    return f"{reason}, which cannot make {count} folds; try {' or '.join(remedies)}"


def held_out_probabilities(
    make: Callable[[], Model], examples: Examples, parts: Sequence[Fold]
) -> NDArray[np.float64]:
    """Return for each sentence the probability of bias from a model that has not seen its group.

    Raises:
        WikibiasError: a fold's training part lacks a class.
    """
    probabilities = np.zeros(len(examples))
    for train, held_out in parts:
        truth = examples.biased[train]
        if truth.all() or not truth.any():
            raise WikibiasError(f"{examples.name}: a fold would train on one class only")
        edits = None if examples.edits is None else examples.edits[train]
        model = fit(make(), [examples.texts[i] for i in train], truth, edits)
        probabilities[held_out] = model.predict_proba([examples.texts[i] for i in held_out])
    return probabilities


def sizes(groups: NDArray[np.int64]) -> Iterator[int]:
    """Yield the number of sentences of each group, largest first."""
    yield from sorted(np.unique(groups, return_counts=True)[1].tolist(), reverse=True)
