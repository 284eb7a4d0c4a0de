"""In how many documents keywords stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wikibias.corpus.log_odds import tokens
from wikibias.text import unsegmented
from wikibias.text.normalisation import normalise


def standing(texts: Sequence[str], keywords: Sequence[str]) -> dict[str, int]:
    """Return for each keyword in how many texts it stands, whole, whatever its letter case.

    Args:
        texts: in their normal form.
        keywords: words or phrases, as they are written; "#tag" stands where "tag" does.
    """
    forms = {keyword: normalise(keyword) for keyword in keywords}
    runs = sorted({form for form in forms.values() if _is_run(form)})
    words = {*forms.values()}.difference(runs)
    found: Counter[str] = Counter()
    for text in texts:
        found.update(words.intersection(tokens(text)))
        found.update(run for run in runs if _holds(text, run))
    return {keyword: found[form] for keyword, form in forms.items()}


def _is_run(form: str) -> bool:
    """Return whether a form is more than one word of a text."""
    return len([*tokens(form)]) > 1


def _holds(text: str, run: str) -> bool:
    if unsegmented.is_unspaced(run):
        return run in text
    return f" {run} " in f" {text} "
