"""What the CRF sees of a word: its form and pieces, its neighbours, its place, lists it is in.

Nothing here depends on a language or a script.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from wikibias.research.lexicons import Lexicon

_AFFIX = range(2, 6)
_GRAMS = (3, 4)
_LONGEST = 24  # letters of a word that are cut into n-grams; longer ones are addresses
_PLACES = 5
_RATES = (0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5)


def features(
    words: Sequence[str], rates: Sequence[float], lexicons: Sequence[Lexicon] = ()
) -> list[list[str]]:
    """Return the features of each word of a sentence.

    Args:
        words: of the sentence.
        rates: how often editors changed each word; see `ChangeRates`.
        lexicons: lists of words and phrases.
    """
    lower = [word.lower() for word in words]
    own = [list(_own(word, low)) for word, low in zip(words, lower, strict=True)]
    shapes = [_shape(word) for word in words]
    listed = {lexicon.name: lexicon.marks(words) for lexicon in lexicons}
    found = []
    highest = max(rates, default=0.0)
    for place in range(len(words)):
        before = lower[place - 1] if place else "<"
        after = lower[place + 1] if place + 1 < len(words) else ">"
        far = lower[place - 2] if place > 1 else "<<"
        next_but_one = lower[place + 2] if place + 2 < len(words) else ">>"
        found.append(
            [
                *own[place],
                f"-1={before}",
                f"+1={after}",
                f"-2={far}",
                f"+2={next_but_one}",
                f"-1|0={before}|{lower[place]}",
                f"0|+1={lower[place]}|{after}",
                f"-1s={before[-3:]}",
                f"+1s={after[-3:]}",
                f"shapes={shapes[place - 1] if place else ''}|{shapes[place]}",
                f"place={place * _PLACES // len(words)}",
                *_steps(rates[place], highest),
                *(f"in={name}" for name, marks in listed.items() if marks[place]),
            ]
        )
    return found


def _steps(rate: float, highest: float) -> Iterator[str]:
    """Yield each step that the rate of a word reaches, and whether it is the highest of them."""
    yield from (f"rate>={step}" for step in _RATES if rate >= step)
    if rate and rate == highest:
        yield "rate=highest"


def _own(word: str, lower: str) -> Iterator[str]:
    yield "all"
    yield f"0={lower}"
    yield f"shape={_shape(word)}"
    yield f"length={min(len(word), 15) // 2}"
    for size in _AFFIX:
        if len(lower) > size:
            yield f"pre={lower[:size]}"
            yield f"suf={lower[-size:]}"
    if len(lower) <= _LONGEST:
        whole = f"^{lower}$"
        for size in _GRAMS:
            yield from {f"gram={whole[at : at + size]}": 1 for at in range(len(whole) - size + 1)}


def _shape(word: str) -> str:
    """Return kinds of characters, each run once: Xx for a name, 9 for a number, - for a mark."""
    shape = ""
    for char in word[:_LONGEST]:
        kind = _kind(char)
        if not shape.endswith(kind):
            shape += kind
    return shape


def _kind(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] == "N":
        return "9"
    if category[0] in "LM":
        return "X" if category in ("Lu", "Lt") else "x"
    return "-"
