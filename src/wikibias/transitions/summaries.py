"""Edits found by the words of their summaries, or by intents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from wikibias.config.choices import SummaryRule
from wikibias.config.languages import Language
from wikibias.mediawiki import Namespaces, SummaryWords, without_names
from wikibias.records import IntentsFound, Page, Revision

# What becomes of a summary that matches: it tells of a revert or of a bot, has "pover" in it, or is
# kept.
SummaryVerdict = Literal["reverts", "pover", "kept"]

# Before `pov` and before `neutral`; after a character of the first, these in this order. The
# scripts read the XML as it is, where `&`, `<` and `>` end in a semicolon.
_BEFORE_POV = r"[- nwv/\\:{(\[\"+'.|_)#=;~&<>]"
_BEFORE_NEUTRAL = r"[- n/\\:{(\[\"+'.|_)#;~&<>]"
_WNC = re.compile(
    rf"{_BEFORE_POV}(?:rm)?(?:attribute)?(?:yes)?(?:de)?n?pov|{_BEFORE_NEUTRAL}neutral"
)
_WNC_REVERT = re.compile("revert|undo|undid|robot")
_WNC_SKIPPED = re.compile("talk:|user:|wikipedia:")


@dataclass(frozen=True, slots=True)
class SummarySource:
    """What finds edits by their summary.

    Attributes:
        hint: matches the lower-cased bytes of each summary in ASCII on which there is a verdict,
            escaped as in XML or not, and of few others.
        verdict: what becomes of a summary; None where it does not match.
        skips: whether a page of this title is left out.
        counts: how many summaries got which verdict, and as `matched` how many did match.
    """

    hint: re.Pattern[bytes]
    verdict: Callable[[str], SummaryVerdict | None]
    skips: Callable[[str], bool]
    counts: Counter[str] = field(default_factory=Counter)

    def of(self, page: Page) -> SummarySource | None:
        """Return what finds the edits of a page; None where it is left out."""
        return None if self.skips(page.title) else self

    def judge(self, revision: Revision) -> SummaryVerdict | None:
        """Return what becomes of the summary of a revision.

        Raises:
            DumpError: the summary is not well-formed.
        """
        raw = revision.raw_comment
        if raw.isascii() and self.hint.search(raw.lower()) is None:
            return None
        verdict = self.verdict(revision.comment)
        if verdict is not None:
            self.counts.update(("matched", verdict))
        return verdict


def summary_source(rule: SummaryRule, language: Language, namespaces: Namespaces) -> SummarySource:
    """Return what finds edits by a rule; names of people are no words of `own`."""
    if rule == "wnc":
        return SummarySource(re.compile(b"pov|neutral"), wnc_verdict, _wnc_skips)
    words = SummaryWords(language)

    def verdict(summary: str) -> SummaryVerdict | None:
        if not words.may_name_policy(summary):
            return None
        return own_verdict(without_names(summary, namespaces), words)

    return SummarySource(own_hint(words), verdict, lambda title: False)


def wnc_verdict(summary: str) -> SummaryVerdict | None:
    """Return what the published rule says of a summary (RULES: match, revert, then `pover`)."""
    lower = summary.lower()
    if _WNC.search(lower) is None:
        return None
    if _WNC_REVERT.search(lower):
        return "reverts"
    return "pover" if "pover" in lower else "kept"


def _wnc_skips(title: str) -> bool:
    return _WNC_SKIPPED.search(title.lower()) is not None


def own_verdict(summary: str, words: SummaryWords) -> SummaryVerdict | None:
    """Return what our rule says: the summary names the policy, in words of the editor."""
    if not words.policy_words(summary) or words.is_automatic(summary):
        return None
    return "reverts" if words.says_revert(summary) or words.says_bot(summary) else "kept"


def own_hint(words: SummaryWords) -> re.Pattern[bytes]:
    """Return what a summary in ASCII has in it where there is a policy word: a word of an entry."""
    parts = (re.findall(r"\w+", entry) for entry in words.policy_entries)
    longest = {max(found, key=len) for found in parts if found}
    in_ascii = sorted(word.encode() for word in longest if word.isascii())
    return re.compile(b"|".join(in_ascii) or rb"(?!)")


class IntentSource(Protocol):
    """Finds the intents of the edits of a wiki."""

    def judge(self, before: Revision, after: Revision) -> IntentsFound | None:
        """Return the intents of an edit; None without any, or where a text is not known.

        Args:
            before: the revision before it in the dump.
            after: the revision that it made.

        Raises:
            DumpError: a text is not well-formed.
        """
