"""What is added to the figures: drift between two corpora, and what topics tell a classifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError, WikibiasError

if TYPE_CHECKING:
    from wikibias.research.selection_bias.documents import Documents
    from wikibias.research.selection_bias.settings import Settings


def refuse_classifier(estimator: str | None, corpora: Sequence[Documents]) -> None:
    """Refuse a cross-validation that cannot be done, before all else takes its time.

    Raises:
        UsageError: there is no such classifier, or a corpus has too few labels.
    """
    if estimator is None:
        return
    from wikibias.models.estimators.registry import installed
    from wikibias.research.selection_bias.leakage import why_not

    installed(estimator)
    for documents in corpora:
        if reason := why_not(documents):
            raise UsageError(f"--cv {estimator}: {reason}")


def add_comparisons(
    result: dict[str, Any],
    corpora: Sequence[Documents],
    settings: Settings,
    estimator: str | None,
    say: Callable[[str], None],
) -> list[str]:
    """Add `drift` where there are two corpora, and `leakage` where a classifier is named.

    Args:
        result: of `measure`.
        corpora: their documents.
        settings: what was measured.
        estimator: the classifier.
        say: takes a line before each.

    Returns:
        Why something is left out, a line each.
    """
    from wikibias.research.selection_bias.drift import drift
    from wikibias.research.selection_bias.rounding import rounded

    notes: list[str] = []
    if len(corpora) == 2:
        say("drift")
        old, new = corpora
        words = settings.stop_words[old.name] | settings.stop_words[new.name]
        try:
            found = drift(
                old, new, stop_words=words, seeds=settings.seeds, topics=settings.base_topics
            )
            result["drift"] = rounded(found)
        except WikibiasError as error:  # the figures of each are worth having without it
            notes.append(str(error))
    if estimator is not None:
        notes += _add_leakage(result, corpora, settings, estimator, say)
    return notes


def _add_leakage(
    result: dict[str, Any],
    corpora: Sequence[Documents],
    settings: Settings,
    estimator: str,
    say: Callable[[str], None],
) -> list[str]:
    """Add `leakage` of each corpus that can be learnt, and return notes.

    Its figures depend on how many sentences there are, and on the shares of classes. So of several
    corpora as many are drawn, and as many of either class.
    """
    from wikibias.research.selection_bias.leakage import caution, leakage, rarer_class
    from wikibias.research.selection_bias.rounding import rounded

    notes: list[str] = []
    of_class: dict[str, int] = {}
    for documents in corpora:
        try:
            of_class[documents.name] = rarer_class(documents, settings.stop_words[documents.name])
        except WikibiasError as error:
            notes.append(f"{documents.name}: {error}")
    of_each = min(of_class.values()) if len(of_class) > 1 else None
    for documents in corpora:
        if documents.name not in of_class:
            continue
        say(f"{documents.name}: cross-validation of {estimator}")
        try:
            found = leakage(
                documents,
                stop_words=settings.stop_words[documents.name],
                topics=settings.base_topics,
                seed=settings.seeds[0],
                estimator=estimator,
                of_each=of_each,
                say=say,
            )
        except WikibiasError as error:
            notes.append(f"{documents.name}: {error}")
            continue
        result["leakage"].append(rounded(found))
        notes += [line] if (line := caution(found)) else []
    if of_each is not None:
        notes.append(
            f"--cv {estimator}: so that corpora can be compared, {of_each:,} sentences of either "
            "class are drawn at random from each, as many as the smallest has"
        )
    return notes
