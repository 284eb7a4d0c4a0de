"""What an edit summary says: that it is about neutrality, or that the edit is a revert.

The words stand in the language files, under `[summaries]`. An entry is a word or several; a `*` at
its end stands for more letters, and one with a `*` in front may stand inside of a word, as words of
Chinese do. Letter case does not count, nor does the name of the section that MediaWiki puts first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from wikibias.config.languages import Language
from wikibias.records import Edit

_SECTION = re.compile(r"/\*[^*]{0,300}+\*/")
# Letters that a "*" stands for; a summary without spaces is no word.
_MORE = r"\w{0,40}+"


class SummaryWords:
    """Reads edit summaries in one language."""

    def __init__(self, language: Language) -> None:
        self._policy = _pattern(language.summaries.get("policy", ()))
        self._revert = _pattern(language.summaries.get("revert", ()))

    def policy_words(self, summary: str) -> tuple[str, ...]:
        """Return the words that name the neutrality policy, in lower case, each once, in order."""
        found = self._policy.findall(_words(summary)) if self._policy else ()
        return tuple(dict.fromkeys(found))

    def says_revert(self, summary: str) -> bool:
        """Return whether a summary calls its edit a revert."""
        return self._revert is not None and self._revert.search(_words(summary)) is not None

    def noted(self, edit: Edit) -> Edit:
        """Return an edit with what its summary says."""
        summary = edit.provenance.comment
        return replace(
            edit,
            policy_words=self.policy_words(summary),
            summary_reverts=self.says_revert(summary),
        )


def _words(summary: str) -> str:
    return _SECTION.sub(" ", summary).casefold()


def _pattern(entries: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern of all entries, longest first; None if there are none."""
    parts = [_part(entry.casefold()) for entry in sorted(entries, key=len, reverse=True)]
    return re.compile("|".join(parts)) if parts else None


def _part(entry: str) -> str:
    words = re.escape(entry.strip("*"))
    if entry.startswith("*"):
        return words
    return rf"(?<!\w){words}" + (_MORE if entry.endswith("*") else r"(?!\w)")
