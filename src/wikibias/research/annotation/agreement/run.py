"""Agreement of the annotators of one question: everything that `annotate agree` tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wikibias.messages import counted
from wikibias.research.annotation.agreement.checks import controls, repeats
from wikibias.research.annotation.agreement.compared import Compared
from wikibias.research.annotation.agreement.disagreement import (
    confusion,
    most_disagreed,
    standing_apart,
)
from wikibias.research.annotation.agreement.marks import span_agreement
from wikibias.research.annotation.agreement.measures import measured
from wikibias.research.annotation.agreement.parts import by_category, by_group
from wikibias.research.annotation.agreement.ratings import GAP, Ratings, ratings

Warn = Callable[[str], None]


def agreement(
    given: Compared, *, order: Sequence[str] | None, resamples: int, seed: int, warn: Warn
) -> dict[str, Any]:
    """Return all that is known of how far annotators agree, as plain values for JSON.

    With tasks only the sample counts for agreement: what is shown again tells of each annotator,
    unchanged sentences of who ticks everything, and practice of nothing.

    Args:
        given: the answers and what is known of their items.
        order: the values from the least to the most, for ordinal figures.
        resamples: of each bootstrap.
        seed: of each.
        warn: told of answers to items that the tasks lack, and of labels that never meet.

    Raises:
        UsageError: see `ratings` and `by_group`.
    """
    everything = ratings(given.answers, order)
    sample = _of_kind(everything, given, "sample", warn)
    _warn_of_other_labels(sample, warn)
    draws = {"resamples": resamples, "seed": seed}
    weighted = order is not None
    result: dict[str, Any] = {
        **measured(sample, weighted=weighted, **draws),
        "annotators": _annotators(sample, given),
        "values": list(sample.values),
        "by": by_group(sample, given.groups, weighted=weighted, **draws),
        "categories": by_category(sample, **draws),
        "apart": standing_apart(sample, "ordinal" if weighted else "nominal", **draws),
        "confusion": confusion(sample),
        "disagreed": most_disagreed(sample, given.texts),
        "spans": span_agreement(given.spans, given.texts, sample.items, **draws),
    }
    if given.tasks:
        result["repeats"] = repeats(everything, given.tasks, **draws)
        result["controls"] = controls(sample, _of_kind(everything, given, "control"))
    return {**result, **draws}


def _of_kind(found: Ratings, given: Compared, kind: str, warn: Warn | None = None) -> Ratings:
    if not given.tasks:
        return found
    unknown = [item for item in found.items if item not in given.tasks]
    if unknown and warn is not None:
        warn(
            f"{counted(len(unknown), 'sentence')} left out that the tasks lack, such as "
            f"{unknown[0][:40]!r}"
        )
    return found.rows(
        [
            place
            for place, item in enumerate(found.items)
            if item in given.tasks and given.tasks[item].kind == kind
        ]
    )


def _warn_of_other_labels(sample: Ratings, warn: Warn) -> None:
    """Warn of the first two who have no label in common, as of biased, neutral and of 1, 0."""
    if sample.several():  # two lists of choices are seldom the same
        return
    used = [{sample.values[code] for code in column if code != GAP} for column in sample.codes.T]
    apart = [
        (one, other)
        for one, other in sample.pairs().values()
        if used[one] and used[other] and not used[one] & used[other]
        if len(used[one] | used[other]) > 2
    ]
    for one, other in apart[:1]:
        labels = " but ".join(", ".join(sorted(used[each])[:4]) for each in (one, other))
        more = f"; {counted(len(apart) - 1, 'pair')} more" if apart[1:] else ""
        warn(
            f"{sample.annotators[one]} and {sample.annotators[other]} have no label in common "
            f"({labels}{more}); where these mean the same, write them alike"
        )


def _annotators(sample: Ratings, given: Compared) -> dict[str, Any]:
    """Return of each annotator how many answers, of which value, and how many cannot be read."""
    result = {}
    for place, name in enumerate(sample.annotators):
        codes = sample.codes[:, place]
        result[name] = {
            "answers": int((codes != GAP).sum()),
            "unparsed": given.answers.unparsed[name],
            "values": {
                value: int((codes == code).sum()) for code, value in enumerate(sample.values)
            },
        }
    return result
