"""What is added to the figures: drift between two corpora, and what topics tell a classifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError, WikibiasError

if TYPE_CHECKING:
    from wikibias.selection_bias.documents import Documents
    from wikibias.selection_bias.settings import Settings


def refuse_classifier(estimator: str | None, corpora: Sequence[Documents]) -> None:
    """Refuse a cross-validation that cannot be done, before all else takes its time.

    Raises:
        UsageError: there is no such classifier, or a corpus has too few labels.
    """
    if estimator is None:
        return
    from wikibias.models.estimators.registry import installed
    from wikibias.selection_bias.leakage import why_not

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
    from wikibias.selection_bias.drift import drift
    from wikibias.selection_bias.leakage import leakage
    from wikibias.selection_bias.rounding import rounded

    notes = []
    shared = {"topics": settings.base_topics}
    if len(corpora) == 2:
        say("drift")
        old, new = corpora
        words = settings.stop_words[old.name] | settings.stop_words[new.name]
        try:
            found = drift(old, new, stop_words=words, seeds=settings.seeds, **shared)
            result["drift"] = rounded(found)
        except WikibiasError as error:  # the figures of each are worth having without it
            notes.append(str(error))
    for documents in corpora if estimator else ():
        say(f"{documents.name}: cross-validation of {estimator}")
        words, seed = settings.stop_words[documents.name], settings.seeds[0]
        try:
            found = leakage(
                documents, stop_words=words, seed=seed, estimator=str(estimator), **shared
            )
            result["leakage"].append(rounded(found))
        except WikibiasError as error:
            notes.append(f"{documents.name}: {error}")
    return notes
