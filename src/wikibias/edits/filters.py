"""Why an edit is not kept. Each filter returns its reason or None; the first one counts.

A new filter is a function here, a line in FILTERS, and a case in tests/cases/filters.toml.

The filters and their order are those of section 3.3 and Table 2 of the 2019 paper, with
`reverted` and `unreadable` added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from wikibias.config.choices import PAPER
from wikibias.config.registry import Registry
from wikibias.config.thresholds import Filter
from wikibias.errors import UsageError
from wikibias.messages import nearest
from wikibias.records import Edit, KeptEdit, RejectedEdit
from wikibias.text.normalisation import normalise
from wikibias.text.similarity import edit_distance

# The verdict on what could not be worked out.
UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class EditFilter:
    """A filter: its line in Table 2, and what gives the reason to drop an edit, or None.

    The reason is the name of the filter.
    """

    title: str
    reason: Callable[[Edit, Filter], str | None]


def reverted(edit: Edit, limits: Filter) -> str | None:
    """Drop a removal that was itself undone."""
    return "reverted" if edit.provenance.reverted else None


def redirect_or_blank(edit: Edit, limits: Filter) -> str | None:
    """Drop a page made into a redirect, blanked, or cut down to next to nothing."""
    gone = edit.after_redirect or edit.after_chars < limits.min_wikitext
    return "redirect_or_blank" if gone else None


def unreadable(edit: Edit, limits: Filter) -> str | None:
    """Drop what could not be cleaned: too long, or broken beyond parsing."""
    return None if edit.readable else UNREADABLE


def tag_only(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that changed no visible sentence."""
    return "tag_only" if edit.same_text else None


def punctuation_case(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that changed only punctuation, case or numbers."""
    removed, added = (Counter(s.norm for s in side) for side in (edit.removed, edit.added))
    return "punctuation_case" if removed == added else None


def outlier(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit of very many sentences on a side, mostly vandalism."""
    most = max(len(edit.removed), len(edit.added))
    return "outlier" if most > limits.max_edited_sentences else None


def deletions_only(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that added no sentence."""
    return None if edit.added else "deletions_only"


def insertions_only(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that removed no sentence."""
    return None if edit.removed else "insertions_only"


def spelling(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit whose two sides differ by one character."""
    # Normalised once more and with apostrophes: without them, "it's" and "it is" would be one
    # character apart in the languages that drop them.
    before = normalise(" ".join(s.text for s in edit.removed), keep_apostrophes=True)
    after = normalise(" ".join(s.text for s in edit.added), keep_apostrophes=True)
    most = limits.spelling_distance
    distance = edit_distance(before, after, most)
    return "spelling" if distance <= most else None


FILTERS: Registry[EditFilter] = Registry(
    "filter",
    "wikibias.filters",
    {
        "reverted": EditFilter("removal reverted", reverted),
        "redirect_or_blank": EditFilter("redirect or blanked", redirect_or_blank),
        "unreadable": EditFilter("unreadable wikitext", unreadable),
        "tag_only": EditFilter("only the tag removed", tag_only),
        "punctuation_case": EditFilter("punctuation or case", punctuation_case),
        "outlier": EditFilter("outlier", outlier),
        "deletions_only": EditFilter("deletions only", deletions_only),
        "insertions_only": EditFilter("insertions only", insertions_only),
        "spelling": EditFilter("spelling", spelling),
    },
)


def filter_names(listed: str) -> list[str]:
    """Return the names in a list such as "paper,mine", in order, each once.

    `paper` stands for the filters of wikibias itself: those of the 2019 paper, in its order.

    Raises:
        UsageError: there is no such filter; the message names the nearest.
    """
    names: list[str] = []
    for name in (word.strip() for word in listed.split(",")):
        names += FILTERS.own() if name == PAPER else [name]
    for name in names:
        if name not in FILTERS:
            raise UsageError(f"unknown filter {name!r}{nearest(name, [PAPER, *FILTERS.names()])}")
    return list(dict.fromkeys(names))


def verdict(edit: Edit, limits: Filter, filters: Iterable[EditFilter]) -> str | None:
    """Return the reason of the first filter that drops the edit, or None."""
    for each in filters:
        reason = each.reason(edit, limits)
        if reason is not None:
            return reason
    return None


def kept(edit: Edit, reason: str) -> KeptEdit:
    """Return the row of an edit that is kept."""
    return KeptEdit(
        provenance=edit.provenance,
        context=edit.context,
        removed=edit.removed,
        added=edit.added,
        same_text=edit.same_text,
        after_redirect=edit.after_redirect,
        after_chars=edit.after_chars,
        readable=edit.readable,
        verdict=reason,
        history=edit.history,
        share_of_page=edit.share_of_page,
        policy_words=edit.policy_words,
        summary_reverts=edit.summary_reverts,
        links=edit.links,
        added_links=edit.added_links,
    )


def rejected(edit: Edit, reason: str) -> RejectedEdit:
    """Return the row of an edit that is not kept."""
    return RejectedEdit(
        provenance=edit.provenance,
        context=edit.context,
        verdict=reason,
        removed=tuple(s.text for s in edit.removed),
        added=tuple(s.text for s in edit.added),
        history=edit.history,
        share_of_page=edit.share_of_page,
        policy_words=edit.policy_words,
        summary_reverts=edit.summary_reverts,
    )
