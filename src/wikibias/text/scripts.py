"""Scripts of letters: those of a language, and texts that are written in others."""

import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import chain

from wikibias.config.languages import load_language
from wikibias.errors import UsageError

# Where names from another script stand in running text they are up to 0.71 of its letters, in
# Chinese, whose words are short (articles in 25 languages).
_MOST_FOREIGN = 0.75


def scripts_of(lang: str) -> frozenset[str]:
    """Return the scripts of the words of a language; none where its file has none, or is gone."""
    try:
        language = load_language(lang)
    except UsageError:
        return frozenset()
    words = chain(language.stopwords, language.sentence_starters, *language.sections.values())
    return frozenset(map(_script, filter(str.isalpha, chain.from_iterable(words))))


def is_foreign(text: str, scripts: frozenset[str]) -> bool:
    """Return whether nearly all letters of a text are of other scripts; no where none is known."""
    if not scripts or (text.isascii() and "LATIN" in scripts):
        return False
    letters = Counter(filter(str.isalpha, text))
    foreign = sum(count for letter, count in letters.items() if _script(letter) not in scripts)
    return foreign > _MOST_FOREIGN * letters.total()


@lru_cache(1 << 14)
def _script(letter: str) -> str:
    """Return the script of a letter, which Unicode names first: "LATIN SMALL LETTER A"."""
    return unicodedata.name(letter, "").partition(" ")[0]
