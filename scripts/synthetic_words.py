"""Makes up words in several scripts, from syllables, for the synthetic dump that is like real ones.

The words mean nothing. Few are frequent and most are rare, as in every language.
"""

from __future__ import annotations

import random
from itertools import accumulate

_VOCABULARY = 1500  # words of a script
_LATIN = (
    "a an ba be cor da de di do el en fa gra ha in ka ke la lei ma mi na no or pa per qui ra ren "
    "ro sa se shi ō so sta ta te tri u ul va ver vo wi xen ya zo"
)
_CYRILLIC = "ба ве гор да ел жи за и ка ло мир на о пе ра сто ту ук фе хо ча ши ял"
_HIRAGANA = "あ い う か が き く こ さ し じ た つ て と な の は ば ひ ま み や ら り る わ ん"
_KATAKANA = "ア イ エ オ カ ガ キ ク コ サ シ ス タ ッ テ ト ド ナ ハ パ フ マ ミ ラ リ ル ロ ン ー"
_DEVANAGARI = "का कि गो ता दे ना पु बा मा या रा लि वे शा सि हा"
_ARABIC = "ا ب با ت تا ج د ر را س سا ع ف ق ل لا م ن ه و ي"
_HAN = [chr(0x4E00 + 37 * n) for n in range(400)]
_HANGUL = [chr(0xAC00 + 61 * n) for n in range(180)]
_SYLLABLES = {
    "Latin": _LATIN.split(),
    "Cyrillic": _CYRILLIC.split(),
    "hiragana": _HIRAGANA.split(),
    "katakana": _KATAKANA.split(),
    "Devanagari": _DEVANAGARI.split(),
    "Arabic": _ARABIC.split(),
    "Han": _HAN,
    "Hangul": _HANGUL,
}
_SPACED = {"Latin", "Cyrillic", "Devanagari", "Arabic", "Hangul"}
_LONGEST = {"Latin": 4, "Han": 2, "Hangul": 2}
# How often a foreign name is in which script.
_FOREIGN = {"Han": 58, "katakana": 2, "hiragana": 1, "Cyrillic": 16, "Hangul": 10,
            "Arabic": 8, "Devanagari": 8}  # fmt: skip
# The language of an interwiki link in a script.
LANGUAGES = {"Latin": "de", "Cyrillic": "ru", "hiragana": "ja", "katakana": "ja", "Han": "zh",
             "Devanagari": "hi", "Arabic": "ar", "Hangul": "ko"}  # fmt: skip


class Words:
    """Random words and names by script."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._words = {script: self._vocabulary(script) for script in _SYLLABLES}
        # Zipf's law.
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY)))

    def words(self, count: int, script: str = "Latin") -> list[str]:
        """Return random words."""
        return self.rng.choices(self._words[script], cum_weights=self._weights, k=count)

    def word(self, script: str = "Latin") -> str:
        """Return one random word."""
        return self.words(1, script)[0]

    def name(self, script: str = "Latin") -> str:
        """Return a name of two words."""
        said = (" " if script in _SPACED else "").join(self.words(2, script))
        return said[:1].upper() + said[1:]

    def script(self) -> str:
        """Return the script of a foreign name."""
        return self.rng.choices([*_FOREIGN], [*_FOREIGN.values()])[0]

    def _vocabulary(self, script: str) -> list[str]:
        syllables, longest = _SYLLABLES[script], _LONGEST.get(script, 5)
        return ["".join(self.rng.choices(syllables, k=1 + n % longest)) for n in range(_VOCABULARY)]
