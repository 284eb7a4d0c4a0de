"""Grouped k-fold cross-validation: keeps related sentences in one fold, to prevent leakage."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.model_selection import StratifiedGroupKFold

from wikibias.corpus.near_duplicates import groups as near_duplicates
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.evaluation import group_numbers
from wikibias.models.estimators.registry import AnyModel, fit, probabilities
from wikibias.models.examples import Examples, some_of

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]


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
    ours, others = (np.unique(groups, return_inverse=True)[1] for groups in (first, second))
    size = len(first)
    links = coo_matrix((np.ones(size), (ours, others + size)), (2 * size, 2 * size))
    _, members = connected_components(links, directed=False)
    return group_numbers(members[ours].tolist())


# What a group of each of `constants.GROUPINGS` is called: singular, plural.
_CALLED = {
    "page": ("page", "pages"),
    "group": ("group", "groups"),
    "pair": ("edit", "edits"),
    "near-duplicate": ("group of near-duplicates", "groups of near-duplicates"),
    "random": ("sentence", "sentences"),
}


def folds(
    examples: Examples, groups: NDArray[np.int64], count: int = 5, seed: int = 0, kind: str = "page"
) -> list[Fold]:
    """Return the positions (train, held out) of each fold, stratified by label.

    Of several labels that is the most balanced one, or whether a sentence has any. `kind`, one of
    `constants.GROUPINGS`, says what the groups are.

    Raises:
        WikibiasError: there are fewer groups than folds, or fewer sentences of a class.
    """
    found = len(np.unique(groups))
    truth = min((examples.biased, *examples.labels.T), key=lambda one: abs(float(one.mean()) - 0.5))
    rarer = int(min(truth.sum(), (~truth).sum()))
    if found < count or rarer < count:
        why = _too_few(found, rarer, count, kind, of_dump=examples.pages is not None)
        raise WikibiasError(f"{examples.name}: {why}")
    splitter = StratifiedGroupKFold(count, shuffle=True, random_state=seed)
    return [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(groups, truth, groups)]


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
    make: Callable[[], AnyModel], examples: Examples, parts: Sequence[Fold]
) -> NDArray[np.float64]:
    """Return the probabilities of each sentence, by a model that has not seen its group.

    Raises:
        WikibiasError: a fold's training part lacks a class.
    """
    found = np.zeros(examples.labels.shape if examples.names else len(examples))
    for train, held_out in parts:
        learnt = some_of(examples, train)
        if not examples.names and (learnt.biased.all() or not learnt.biased.any()):
            raise WikibiasError(f"{examples.name}: a fold would train on one class only")
        texts = [examples.texts[row] for row in held_out.tolist()]
        model = fit(make(), learnt)
        found[held_out] = probabilities(model, texts, several=bool(examples.names))
    return found
