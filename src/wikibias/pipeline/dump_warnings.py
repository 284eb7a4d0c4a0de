"""What to warn of in a dump that was read, and why nothing can be found in one without texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from wikibias.config.choices import RuleSet
from wikibias.config.languages import Language, languages
from wikibias.dumps.iteration import Tally
from wikibias.messages import counted
from wikibias.records import LONGEST_TEXT, Site
from wikibias.tags.tagset import TagSet

if TYPE_CHECKING:
    from wikibias.config.intents import Intent

NO_TAGS = (
    "is a stub dump, so that no tags, intents or featured marks can be found in it; edits were "
    "found by their summaries alone"
)
NO_INTENTS = (
    "is a stub dump, which has no texts, and intents and featured marks are found in texts: give "
    "the full history (pages-meta-history)"
)
UNCHECKED = (
    "holds no checksums, neither of its texts nor as an archive: damage inside of texts goes unseen"
)


def too_long(tally: Tally) -> list[str]:
    """Warn of texts that were passed over."""
    if not tally.too_long_texts:
        return []
    passed_over = counted(tally.too_long_texts, "revision")
    return [
        f"passed over the text of {passed_over} of more than {LONGEST_TEXT:,} characters, which no "
        "wiki saves; tags in it are not seen"
    ]


def cut_off(tally: Tally) -> list[str]:
    """Warn of pages that begin in the middle; single ones may have been imported so."""
    if tally.without_beginning * 2 <= tally.pages:
        return []
    return [
        f"{tally.without_beginning:,} of {counted(tally.pages, 'page')} begin in the middle of "
        "their history, as in a dump of additions and changes, which cannot be joined with earlier "
        "ones; take the dump of the full history (pages-meta-history)"
    ]


def of_language(site: Site, language: Language, tagset: TagSet | None) -> list[str]:
    """Warn where the wiki has another language, or the tags are not checked."""
    found = []
    declared = (site.lang or "").split("-")[0]
    if declared not in ("", language.code):
        known = declared in languages()
        remedy = f"--lang {declared}" if known else "wikibias docs add-a-language"
        found.append(
            f"{site.wiki} says that its language is {declared!r}; the tags and sentence rules of "
            f"{language.code!r} were used (if that is a mistake: {remedy})"
        )
    if tagset is not None and not tagset.verified:
        found.append(
            f"the tag set {tagset.name!r} for {tagset.lang!r} has not been checked against the "
            f"wiki; to see it: wikibias tags show --lang {tagset.lang} --tagset {tagset.name}"
        )
    return found


def of_intents(intents: Iterable[Intent], rule_set: RuleSet, language: Language) -> list[str]:
    """Warn of rules that can hold nowhere, for want of words of the language."""
    return [
        f"no edit can have the intent {each.name!r}: its rule {rule.name!r} has no pattern for "
        f"{language.code!r}; add one to by_language, or `matches` for all languages"
        for each in intents
        for rule in each.rules(rule_set)
        if rule.is_mute(language)
    ]
