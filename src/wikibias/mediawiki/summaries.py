"""What an edit summary says: that it is about neutrality, that it is a revert, who wrote it.

The words stand in the language files, under `[summaries]`. An entry is a word or several; a `*` at
its end stands for more letters, and one with a `*` in front may stand inside of a word, as words of
Chinese do. Letter case does not count, nor does the name of the section that MediaWiki puts first.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import itemgetter

from wikibias.config.languages import Language, SummaryKind
from wikibias.config.word_patterns import word_pattern

# MediaWiki cuts a summary at 255 bytes or 500 characters, perhaps inside the name of a section.
_SECTION = re.compile(r"/\*(?:[^*]|\*(?!/)){0,500}+(?:\*/|\Z)")
# Between two words beside each other: a space, a hyphen, a comma and a space.
_APART = 2  # characters
# What MediaWiki has put in front of its own summaries.
_ARROW = "← \t\n"


class SummaryWords:
    """Reads edit summaries in one language; `policy_entries` are the entries of the policy."""

    def __init__(self, language: Language) -> None:
        def entries(kind: SummaryKind) -> tuple[str, ...]:
            return tuple(map(str.casefold, language.summaries.get(kind, ())))

        self.policy_entries = entries("policy")
        self._policy = word_pattern(self.policy_entries)
        self._other = word_pattern(entries("other_meaning"))
        self._revert = word_pattern(entries("revert"))
        self._bot = word_pattern(entries("bot"))
        self._automatic = entries("automatic")

    def policy_words(self, summary: str) -> tuple[str, ...]:
        """Return the words that name the neutrality policy, in lower case, each once, in order.

        Beside some words they mean something else: a neutral atom, net neutrality.
        """
        if self._policy is None:
            return ()
        words = _words(summary)
        found = list(self._policy.finditer(words))
        if found and self._other is not None:
            others = [other.span() for other in self._other.finditer(words)]
            found = [each for each in found if not _is_beside(each, others)]
        return tuple(dict.fromkeys(each[0] for each in found))

    def says_revert(self, summary: str) -> bool:
        """Return whether a summary calls its edit a revert."""
        return self._revert is not None and self._revert.search(_words(summary)) is not None

    def is_automatic(self, summary: str) -> bool:
        """Return whether MediaWiki wrote the summary, which may cite the text of the page."""
        return _words(summary).lstrip(_ARROW).startswith(self._automatic)

    def says_bot(self, summary: str) -> bool:
        """Return whether a summary says that a bot wrote it."""
        return self._bot is not None and self._bot.search(_words(summary)) is not None


def _words(summary: str) -> str:
    return _SECTION.sub(" ", summary).casefold()


def _is_beside(found: re.Match[str], others: Sequence[tuple[int, int]]) -> bool:
    """Return whether a word is one of the others, in order, or stands beside one."""
    at = bisect_left(others, found.start() - _APART, key=itemgetter(1))
    return at < len(others) and others[at][0] <= found.end() + _APART
