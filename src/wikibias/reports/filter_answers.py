"""What each filter of a run answers on an edit, and the figures that it looks at."""

from dataclasses import dataclass

from wikibias.config.thresholds import Filter as Limits
from wikibias.edits.filters import FILTERS, UNREADABLE, filter_named
from wikibias.errors import UsageError
from wikibias.messages import cause_of, counted
from wikibias.pipeline.settings import Settings, filter_lists
from wikibias.records import KEPT, Edit


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one filter.

    Attributes:
        name: of the filter.
        reason: why it drops the edit; None where it does not.
        looked_at: the figures that it decides by; "" for a filter of another package.
        is_off: it is counted but drops nothing, because of `--reverts keep`.
        is_verdict: it is the first that drops the edit.
    """

    name: str
    reason: str | None
    looked_at: str
    is_off: bool = False
    is_verdict: bool = False


def answers(edit: Edit, settings: Settings) -> list[Answer]:
    """Ask all filters of a run, also those behind the first that drops the edit.

    Raises:
        UsageError: the run had a filter that is not installed here.
    """
    lists, limits = filter_lists(settings), settings.filter.limits
    facts = figures(edit, limits)
    found: list[Answer] = []
    decided = False
    for name in lists.names(edit.provenance):
        asked = filter_named(name)
        if asked is None:
            raise UsageError(f"the filter {name!r} is not installed")
        looked_at = facts.get(name, "")
        try:
            reason = asked.reason(edit, limits)
        except Exception as error:  # of whoever wrote the filter; the run says the same
            reason, looked_at = UNREADABLE, f"failed: {cause_of(error)}"
        is_off = name in lists.off
        is_first = reason is not None and not is_off and not decided
        found.append(Answer(name, reason, looked_at, is_off, is_first))
        decided = decided or is_first
    return found


def verdict_of(found: list[Answer]) -> str:
    """Return the verdict that follows from the answers."""
    return next((each.reason for each in found if each.is_verdict and each.reason), KEPT)


def figures(edit: Edit, limits: Limits) -> dict[str, str]:
    """Return by filter the figures of an edit that it looks at, and its limits."""
    history, removed, added = edit.history, len(edit.removed), len(edit.added)
    parent, back = history.parent_rev_id, history.tag_back_days
    lost = counted(history.revisions_between, "revision") + " without text between"
    of_parent = f"parent is {f'revision {parent}' if parent else 'none'}"
    of_parent += f", {lost}" if history.revisions_between else ""
    is_span = edit.provenance.pairing == "tagged-span"
    share = "unknown" if edit.share_of_page is None else f"{edit.share_of_page:.1%}"
    same_norms = sorted(s.norm for s in edit.removed) == sorted(s.norm for s in edit.added)
    norms = f"the normal forms {'are the same' if same_norms else 'differ'}"
    same_text = "same text" if edit.same_text else "text differs"
    restored = history.restores_rev_id
    distance = "more than" if FILTERS["spelling"].reason(edit, limits) is None else "at most"
    inserted = sum(link.relation == "inserted" for link in edit.added_links)
    return {
        "not_parent": "a tagged span has edits inside"
        if is_span
        else "the dump names no parent"
        if parent is None
        else of_parent,
        "restores_earlier": f"restores {'none' if restored is None else f'revision {restored}'}",
        "tag_swapped": f"put in: {', '.join(history.tags_swapped_in) or 'none'}",
        "tags_left": f"left: {', '.join(history.tags_left) or 'none'}",
        "tag_back_soon": f"{'not seen again' if back is None else f'back after {days(back)}'}; "
        f"limit {days(limits.tag_back_days)}",
        "reverted": "undone" if edit.provenance.reverted else "not undone",
        "redirect_or_blank": f"{counted(edit.after_chars, 'character')}"
        f"{', a redirect' if edit.after_redirect else ''}; limit {limits.min_wikitext:,}",
        "unreadable": "both cleaned" if edit.readable else "not cleaned",
        "page_replaced": f"{share} in {counted(removed, 'sentence')}; limit "
        f"{limits.max_share_of_page:.1%} in more than {limits.few_sentences}",
        "tag_only": same_text,
        "number_only": norms,
        "punctuation_case": norms,
        "outlier": f"{removed:,} removed, {added:,} added; limit {limits.max_edited_sentences:,}",
        "deletions_only": f"{added:,} added",
        "insertions_only": f"{removed:,} removed",
        "spelling": f"edit distance {distance} {limits.spelling_distance}",
        "summary_reverts": f"the summary {'says' if edit.summary_reverts else 'does not say'} so",
        "markup_only": same_text,
        "new_sentences": f"{inserted:,} new",
        "no_positive": counted(removed, "positive sentence"),
        "no_sentence": counted(len(edit.unchanged), "sentence"),
    }


def days(number: float) -> str:
    """Return a length of time in days, with so many decimals as tell something."""
    if number < 10:
        return f"{number:.2f}".rstrip("0").rstrip(".") + (" day" if number == 1 else " days")
    return f"{number:,.0f} days"
