"""Scores stress tests: how many cases are as expected, of one model and of several."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Interval, group_numbers, holm, mcnemar, share_with_interval
from wikibias.messages import counted
from wikibias.research.stress.answers import Answer, Answers, label

Pair = tuple[str, str]
"""An original, "" of none, and its change."""
Share = Callable[..., Interval]
"""Returns the share of answers that are right, or the mean of values of them; see `_share`."""


def tests_of(answers: Answers) -> list[str]:
    """Return the names of the tests that any model answered, in order."""
    return list(dict.fromkeys(each.case.test for given in answers.values() for each in given))


def score(answers: Answers, *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
    """Return the figures of every model on every test, and those on common rows.

    `as_expected` is over all rows. `of_right_originals` is over those whose original the model
    called what it is (Ribeiro et al. 2020 test what a model can do at all; Horych et al. 2025
    kept only these), null where that is not known. `same_answer` is the share of an INV test's
    rows that were called what their original was called, right or wrong; an answer that says
    neither never counts as the same. Intervals resample templates, or originals, with all their
    cases.
    """
    shares = partial(_share, resamples=resamples, seed=seed)
    by_test = {name: _parted(given, lambda each: each.case.test) for name, given in answers.items()}
    models = {
        name: {test: _figures(found, shares) for test, found in parts.items()}
        for name, parts in by_test.items()
    }
    common = {
        test: _common({n: part[test] for n, part in by_test.items() if test in part}, shares)
        for test in tests_of(answers)
    }
    return {"models": models, "common": {test: each for test, each in common.items() if each}}


def _parted(given: Sequence[Answer], key: Callable[[Answer], str]) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = {}
    for each in given:
        found.setdefault(key(each), []).append(each)
    return found


def _figures(given: Sequence[Answer], share: Share) -> dict[str, Any]:
    kinds = {each.case.kind for each in given}
    categories = _parted(given, lambda each: each.case.category)
    labels = _parted(given, lambda each: label(each.case.original_biased))
    known = [each for each in given if each.case.kind == "INV" and each.original]
    same = [each.predicted == each.original != "?" for each in known]
    return {
        "kind": next(iter(kinds)) if len(kinds) == 1 else "",
        **_shares(given, share),
        "same_answer": share(known, same) if known else None,
        "unparsed": sum(each.predicted == "?" for each in given),
        "called_biased": sum(each.predicted == "biased" for each in given),
        "originals": len({each.case.original for each in given if each.case.original}),
        "clusters": len({each.case.cluster for each in given}),
        "changed": sum(each.case.changed for each in given),
        "only_spacing": sum(each.case.only_spacing for each in given),
        "templates": {name: _shares(labels[name], share) for name in sorted(labels, reverse=True)},
        "categories": {name: _shares(found, share) for name, found in categories.items() if name},
    }


def _shares(given: Sequence[Answer], share: Share) -> dict[str, Any]:
    known = [each for each in given if each.original_right is not None]
    right = [each for each in known if each.original_right]
    return {
        "rows": len(given),
        "as_expected": share(given),
        "right_originals": len(right) if known else None,
        "of_right_originals": share(right) if known else None,
    }


def _share(
    given: Sequence[Answer],
    values: Sequence[float] | None = None,
    *,
    resamples: int,
    seed: int,
) -> Interval:
    """Return the mean of a value of each answer, by default whether it is right."""
    clusters = group_numbers([each.case.cluster for each in given])
    found = [each.right for each in given] if values is None else values
    return share_with_interval(found, clusters, resamples=resamples, seed=seed)


def considered(given: Sequence[Answer]) -> list[Answer]:
    """Return the rows that models are compared on: those whose original was called what it is.

    Of a file that does not say so, as of a test without originals, all of them.
    """
    return [each for each in given if each.original_right is not False]


def _common(answers: Answers, share: Share) -> dict[str, Any] | None:
    """Return the figures of a test on the rows that all models have, and that each two have.

    A row is an original with its change, and counts once. A model that was right about no
    original leaves no row that all have, and each two others those that they share.
    """
    by_model = {name: _by_pair(given) for name, given in answers.items()}
    if len(by_model) < 2:
        return None
    shared = _shared(list(by_model.values()))
    pairs = [
        _compared(
            first, second, [(by_model[first][row], by_model[second][row]) for row in rows], share
        )
        for first, second in combinations(by_model, 2)
        if (rows := _shared([by_model[first], by_model[second]]))
    ]
    for each, corrected in zip(pairs, holm([each["p"] for each in pairs]), strict=True):
        each["p_holm"] = corrected
    return {
        "rows": len(shared),
        "models": {n: share([found[row] for row in shared]) for n, found in by_model.items()},
        "pairs": pairs,
    }


def _shared(models: Sequence[Mapping[Pair, Answer]]) -> list[Pair]:
    first, *others = models
    return [pair for pair in first if all(pair in other for other in others)]


def _by_pair(given: Sequence[Answer]) -> dict[Pair, Answer]:
    found: dict[Pair, Answer] = {}
    for each in considered(given):
        found.setdefault((each.case.original, each.case.text), each)
    return found


def _compared(
    first: str, second: str, rows: Sequence[tuple[Answer, Answer]], share: Share
) -> dict[str, Any]:
    """Compare two models by McNemar's exact test; name the one with more cases as expected.

    The test takes rows for independent, which those of one template are not; the interval of the
    difference does not.
    """
    one, two = (np.array([each.right for each in side]) for side in zip(*rows, strict=True))
    found = mcnemar(np.ones(len(rows), dtype=bool), one, two)
    ahead = int(found["only_first"]) - int(found["only_second"])
    return {
        "first": first,
        "second": second,
        "rows": len(rows),
        **found,
        "better": first if ahead > 0 else second if ahead < 0 else None,
        "difference": share([each for each, _ in rows], one.astype(float) - two),
    }


_FEW = 0.1
"""Share of rows with a right original below which the figure of these says little."""

_FEWEST = 2
"""Cases of which it can be told that all were called the same."""


def notes(result: Mapping[str, Any]) -> list[str]:
    """Return notes on the figures of `scoring.score`: who cannot be compared, what says little.

    What holds of several tests is said once.
    """
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for test, each in result["common"].items():
        for line in _notes_on_common(each):
            found["", line].append(test)
    for name, tests in result["models"].items():
        for line in _note_on_constant(tests):
            found[name, line] = []
        for test, each in tests.items():
            for line in _notes_on_figures(each):
                found[name, line].append(test)
    return [
        f"{', '.join(filter(None, [name, *tests]))}: {line}"
        for (name, line), tests in found.items()
    ]


def _notes_on_common(found: Mapping[str, Any]) -> Iterator[str]:
    if found["rows"]:
        return
    if not found["pairs"]:
        yield "no row is common to two models, so that none are compared"
        return
    yield "no row is common to all models, so that each two are compared on those that both have"


def _note_on_constant(tests: Mapping[str, Any]) -> Iterator[str]:
    """Tell of a model that says the same of all cases, though not all are expected to be so."""
    parsed = sum(found["rows"] - found["unparsed"] for found in tests.values())
    right = sum(round(found["as_expected"]["value"] * found["rows"]) for found in tests.values())
    biased = sum(found["called_biased"] for found in tests.values())
    if right == parsed or parsed < _FEWEST or 0 < biased < parsed:
        return
    said, other = ("biased", "neutral") if biased else ("neutral", "biased")
    yield (
        f"called every case {said} ({parsed:,}), none {other}, so that the answers it keeps say "
        "little"
    )


def _notes_on_figures(found: Mapping[str, Any]) -> Iterator[str]:
    if found["only_spacing"]:
        yield (
            f"{found['only_spacing']:,} of {found['changed']:,} changed rows differ from their "
            "original in spaces alone: no word was put in"
        )
    right = found["right_originals"]
    if right == 0:
        yield (
            f"none of {counted(found['rows'], 'row')} has an original that was called what it is; "
            "the figure of these is not defined"
        )
    elif right is not None and right < _FEW * found["rows"]:
        yield (
            f"only {right:,} of {found['rows']:,} rows have an original that was called what it "
            "is; the figure of these says little"
        )
    if found["unparsed"]:
        yield (
            f"{counted(found['unparsed'], 'answer')} of neither biased nor neutral (? or empty), "
            "counted as not expected"
        )
