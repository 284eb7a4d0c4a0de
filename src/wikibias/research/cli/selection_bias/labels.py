"""What the labels of sentences mean, as --labels says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wikibias.errors import UsageError

if TYPE_CHECKING:
    from wikibias.research.selection_bias.documents import Documents


def with_meanings(found: Sequence[Documents], given: str | None) -> list[Documents]:
    """Return documents whose labels are called biased and neutral.

    Args:
        found: of each corpus, some of which may have no labels.
        given: what is called how, as `rem=biased,add=neutral`; None where nothing is.

    Raises:
        UsageError: it cannot be read, or no sentence has a label that it names.
    """
    from wikibias.models.reading import parse_labels

    if given is None:
        return list(found)
    meant = {name: "biased" if bias else "neutral" for name, bias in parse_labels(given).items()}
    held = {label: None for each in found for label in each.facts.get("label", ()) if label}
    for name in meant:
        if held and name not in held:
            shown = ", ".join(repr(label[:40]) for label in list(held)[:5])
            raise UsageError(f"--labels: no sentence is labelled {name!r}; the labels are {shown}")
    return [_meaning(each, meant) for each in found]


def _meaning(documents: Documents, meant: dict[str, str]) -> Documents:
    told = documents.facts.get("label")
    if told is None:
        return documents
    facts = {**documents.facts, "label": [meant.get(label, label) for label in told]}
    return replace(documents, facts=facts)
