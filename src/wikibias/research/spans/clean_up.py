"""Takes articles and commas off the edges of spans, as the published scores of WIKIBIAS do.

The rules are those of the authors' script (Zhong et al. 2021), with what is odd in them: `and`
leaves the end of a gold span, but not that of a predicted one, for which their list has `amd`; the
last word of a sentence may be any of `a an the ,` but not `and`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wikibias.research.spans.labels import OUTSIDE

_FIRST = frozenset(("a", "an", "the", ",", "and"))
_LAST_OF_ALL = frozenset(("a", "an", "the", ","))
GOLD_ENDS = _FIRST
"""Words that leave the end of a gold span."""
PREDICTED_ENDS = _LAST_OF_ALL | {"amd"}
"""Words that leave the end of a predicted span."""


def cleaned(words: Sequence[str], labels: Sequence[str], ends: Collection[str]) -> list[str]:
    """Return the labels of a sentence after the clean-up.

    One pass from left to right: a span gives up its first word if that is one of `a an the , and`,
    once for each such word; then the last if it is one of `ends`; an I that follows no span begins
    one.

    Args:
        words: of the sentence.
        labels: of the words.
        ends: words that leave the end of a span, `GOLD_ENDS` or `PREDICTED_ENDS`.
    """
    new = [*labels]
    last = len(new) - 1
    for place, word in enumerate(map(str.lower, words)):
        if place == last:
            if word in _LAST_OF_ALL:
                new[place] = OUTSIDE
        elif new[place][0] == "B" and word in _FIRST:
            new[place] = OUTSIDE
            if new[place + 1][0] == "I":
                new[place + 1] = _begun(new[place + 1])
        elif new[place][0] == "I" and word in ends and new[place + 1] == OUTSIDE:
            new[place] = OUTSIDE
        elif new[place][0] == "I" and place and new[place - 1] == OUTSIDE:
            new[place] = _begun(new[place])
    for place, label in enumerate(new):
        if label[0] == "I" and (place == 0 or new[place - 1] == OUTSIDE):
            new[place] = _begun(label)
    return new


def _begun(label: str) -> str:
    return f"B{label[1:]}"
