"""Which labels mean biased and which neutral: those that are known, and those that a user names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.models.reading import parse_labels
from wikibias.research.annotation.answers import UNPARSED

KNOWN: Mapping[str, bool] = {
    "1": True,
    "biased": True,
    "yes": True,
    "true": True,
    "0": False,
    "neutral": False,
    "no": False,
    "false": False,
}
BIASED, NEUTRAL, NOT_READ, NOT_GIVEN = 1, 0, -1, -2
"""Codes of answers: of the two labels, of "?", and of what was not answered."""
Codes = NDArray[np.int8]


def meanings(given: str | None) -> Mapping[str, bool]:
    """Return what labels mean: label in small letters -> whether biased.

    What `given` names, the text of --labels, comes on top of the known ones, and may turn them
    round.

    Raises:
        UsageError: a part of it is not NAME=biased or NAME=neutral, or names one class only.
    """
    named = {} if given is None else parse_labels(given)
    return {**KNOWN, **{label.casefold(): biased for label, biased in named.items()}}


def is_biased(label: str, labels: Mapping[str, bool]) -> bool | None:
    """Return whether a label, letter case aside, means biased; None where it is unknown."""
    return labels.get(label.casefold())


def coded(said: Sequence[str | None], labels: Mapping[str, bool], place: str) -> Codes:
    """Return answers as codes.

    Args:
        said: the answers; "?" where none could be read, None where there is none.
        labels: what they mean.
        place: names the column in messages.

    Raises:
        WikibiasError: an answer is no known label.
    """
    table: dict[str | None, int] = {None: NOT_GIVEN, UNPARSED: NOT_READ}
    codes = np.empty(len(said), np.int8)
    for row, label in enumerate(said):
        code = table.get(label)
        if code is None:
            meaning = is_biased(str(label), labels)
            if meaning is None:
                raise WikibiasError(
                    f"{place}: row {row + 1}: unknown label {str(label)[:40]!r}; known: "
                    f"{', '.join(labels)}; name others with --labels NAME=biased,NAME=neutral"
                )
            code = table[label] = int(meaning)
        codes[row] = code
    return codes
