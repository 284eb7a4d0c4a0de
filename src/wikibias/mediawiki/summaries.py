"""What an edit summary says: that it is about neutrality, or that the edit is a revert.

The words stand in the language files, under `[summaries]`; see `config.word_patterns`. Letter case
does not count, nor does the name of the section that MediaWiki puts first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from wikibias.config.languages import Language
from wikibias.config.word_patterns import word_pattern

# MediaWiki cuts a summary at 255 bytes or 500 characters, perhaps inside the name of a section.
_SECTION = re.compile(r"/\*(?:[^*]|\*(?!/)){0,500}+(?:\*/|\Z)")
# In front of its own summaries MediaWiki put an arrow, or the name of what wrote them.
_ARROW = "←"


class SummaryWords:
    """Reads edit summaries in one language.

    Args:
        language: whose words.
        automatic: how summaries begin that MediaWiki itself writes; they cite the page.
    """

    def __init__(self, language: Language, automatic: Iterable[str] = ()) -> None:
        self.policy_entries = tuple(map(str.casefold, language.summaries.get("policy", ())))
        self._policy = word_pattern(self.policy_entries)
        self._revert = word_pattern(language.summaries.get("revert", ()))
        self._automatic = tuple(map(str.casefold, automatic))

    def policy_words(self, summary: str) -> tuple[str, ...]:
        """Return the words that name the neutrality policy, in lower case, each once, in order."""
        found = self._policy.findall(_words(summary)) if self._policy else ()
        return tuple(dict.fromkeys(found))

    def says_revert(self, summary: str) -> bool:
        """Return whether a summary calls its edit a revert."""
        return self._revert is not None and self._revert.search(_words(summary)) is not None

    def is_automatic(self, summary: str) -> bool:
        """Return whether MediaWiki wrote the summary, which may cite the text of the page."""
        words = _words(summary).lstrip(f"{_ARROW} \t\n")
        return words.startswith(self._automatic)


def _words(summary: str) -> str:
    return _SECTION.sub(" ", summary).casefold()
