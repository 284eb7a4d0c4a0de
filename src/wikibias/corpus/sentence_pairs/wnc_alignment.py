"""Which sentence of the newer text belongs to each of the older one, as WNC finds it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from wikibias.edits.word_diff import NGrams, Tokens, bleu_of, ngrams

# How many sentences farther to the front, and to the back, its counterpart may be: the authors'
# range ends one too early.
_BEFORE, _BEHIND = 3, 2


def counterparts(sources: Sequence[Tokens], targets: Sequence[Tokens]) -> Iterator[int]:
    """Yield for each source the number of the target that it is likest, of equals the last.

    A target may be the counterpart of several. The n-grams of a few targets are in memory.

    Args:
        sources: the tokens of each sentence before the edit.
        targets: the tokens of each behind it, as many.
    """
    near: deque[NGrams] = deque(map(ngrams, targets[:_BEHIND]), _BEFORE + 1 + _BEHIND)
    for number, source in enumerate(sources):
        if number + _BEHIND < len(targets):
            near.append(ngrams(targets[number + _BEHIND]))
        elif number > _BEFORE:
            near.popleft()
        first = max(0, number - _BEFORE)
        mine = ngrams(source)
        yield max(range(len(near)), key=lambda at: (bleu_of(mine, near[at]), at)) + first
