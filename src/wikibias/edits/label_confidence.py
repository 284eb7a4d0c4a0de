"""Confidence in the label of a sentence: its tier, and why."""

from dataclasses import dataclass
from typing import NamedTuple

from wikibias.config.thresholds import Tiers
from wikibias.records import Edit, Link, Role, Sentence, Tier

TIERS: tuple[Tier, ...] = ("high", "medium", "low")
"""The tiers, best first."""
# Marks that end a sentence, and what may stand behind them.
_STOPS = ".!?…。｡．！？।॥؟۔։።჻᙮"
_CLOSING = "\"'»«”“’‘›‹)]}」』）】〉》〕｣*"


class Confidence(NamedTuple):
    """A tier, and the reasons for it."""

    tier: Tier
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an edit tells of the labels of all its sentences.

    Attributes:
        against_edit: why what it removed may not be biased, or what it added not neutral.
        against_page: why the page after it may not be neutral.
        doubts: what speaks a little against the edit.
        for_edit: what speaks for the edit.
        survived: whether its text is known to have stood for long.
    """

    against_edit: tuple[str, ...]
    against_page: tuple[str, ...]
    doubts: tuple[str, ...]
    for_edit: tuple[str, ...]
    survived: bool


def evidence(edit: Edit, limits: Tiers) -> Evidence:
    """Return what an edit tells of the labels of its sentences."""
    history, removed = edit.history, _rewritten_or_gone(edit)
    back, share = history.tag_back_days, edit.share_of_page
    doubts = ("tags_left",) if history.tags_left else ()
    page = {
        "tag_swapped": bool(history.tags_swapped_in),
        "tag_back": back is not None and back <= limits.tag_back_days,
    }
    whole = {
        "reverted": edit.provenance.reverted,
        "restores_earlier": history.restores_rev_id is not None,
        "summary_reverts": edit.summary_reverts,
        "page_replaced": share is not None
        and share > limits.most_of_page
        and removed > limits.few_removed,
        "many_removed": removed > limits.many_removed,
    }
    good = {"names_policy": bool(edit.policy_words), "few_removed": removed <= limits.few_removed}
    against_page = tuple(name for name, true in page.items() if true)
    # Of an addition it was the tagged text that stood. After an edit found by its summary nobody
    # has said of the rest of the page that it is neutral.
    made = edit.provenance
    of_page = made.signal == "featured" or (made.kind == "removed" and made.signal != "summary")
    survived = history.survived_days if of_page else None
    return Evidence(
        against_edit=(*against_page, *(name for name, true in whole.items() if true)),
        against_page=(*doubts, *against_page),
        doubts=doubts,
        for_edit=tuple(name for name, true in good.items() if true),
        survived=survived is not None and survived >= limits.survived_days,
    )


def confidence(
    found: Evidence, role: Role, sentence: Sentence, link: Link | None, limits: Tiers
) -> Confidence:
    """Return the tier of a sentence of an edit, and the reasons.

    Args:
        found: what the edit tells.
        role: of the sentence.
        sentence: it.
        link: what it became, or was made from; None where that is not known.
        limits: what sets the tiers apart.
    """
    faults = faults_of(sentence)
    if role in ("unchanged", "featured"):
        if against := (*found.against_page, *faults):
            return Confidence("low", against)
        return Confidence("high", ("survived",)) if found.survived else Confidence("medium", ())
    if against := (*found.against_edit, *faults):
        return Confidence("low", (*found.doubts, *against))
    reasons = found.for_edit
    if link is not None and _is_rewritten(link, limits):
        reasons = (*reasons, "rewritten")
    tier: Tier = "medium" if reasons else "low"
    if "rewritten" in reasons and not found.doubts:
        tier = "high"
    return Confidence(tier, (*found.doubts, *reasons))


def faults_of(sentence: Sentence) -> tuple[str, ...]:
    """Return why a sentence may not be a whole sentence of running text."""
    text = sentence.text.rstrip(_CLOSING)
    found = {
        "not_running_text": sentence.block != "paragraph",
        "gap": sentence.has_gap,
        "no_stop": text[-1:] not in _STOPS or not text,
        "capitals": text.isupper(),
    }
    return tuple(name for name, true in found.items() if true)


def _rewritten_or_gone(edit: Edit) -> int:
    """Return how many sentences an edit removed, without those that stand elsewhere now."""
    return len(edit.removed) - sum(link.relation in UNCHANGING for link in edit.links)


def _is_rewritten(link: Link, limits: Tiers) -> bool:
    return bool(link.pair_id) and limits.least_similar <= link.similarity <= limits.most_similar


UNCHANGING = frozenset({"moved", "number_only"})
"""Relations of sentences that say the same on both sides of an edit."""
