"""What each filter of a run answers on an edit, and the figures that it looks at."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wikibias.config.thresholds import Filter as Limits
from wikibias.edits.filters import FILTERS, UNREADABLE, filter_named, filter_title
from wikibias.errors import UsageError
from wikibias.messages import cause_of, counted
from wikibias.pipeline.settings import Settings, filter_lists
from wikibias.records import KEPT, Edit


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one filter.

    Attributes:
        name: of the filter.
        title: its line in Table 2.
        reason: why it drops the edit; None where it does not.
        looked_at: the figures that it decides by; "" for a filter of another package.
        is_off: it is counted but drops nothing, because of `--reverts keep`.
        is_verdict: it is the first that drops the edit.
    """

    name: str
    title: str
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
    found: list[Answer] = []
    decided = False
    for name in lists.names(edit.provenance):
        reason, looked_at = _ask(name, edit, limits)
        is_off = name in lists.off
        drops = reason is not None and not is_off
        first = drops and not decided
        found.append(Answer(name, filter_title(name), reason, looked_at, is_off, first))
        decided = decided or drops
    return found


def verdict_of(found: list[Answer]) -> str:
    """Return the verdict that follows from the answers."""
    return next((each.reason for each in found if each.is_verdict and each.reason), KEPT)


def _ask(name: str, edit: Edit, limits: Limits) -> tuple[str | None, str]:
    asked = filter_named(name)
    if asked is None:
        raise UsageError(f"the filter {name!r} is not installed")
    try:
        reason = asked.reason(edit, limits)
    except Exception as error:  # of whoever wrote the filter; the run says the same
        return UNREADABLE, f"failed: {cause_of(error)}"
    return reason, _LOOKED_AT[name](edit, limits) if name in _LOOKED_AT else ""


def _parent(edit: Edit, _: Limits) -> str:
    if edit.provenance.pairing == "tagged-span":
        return "a tagged span has edits inside"
    parent = edit.history.parent_rev_id
    if parent is None:
        return "the dump names no parent"
    between = edit.history.revisions_between
    lost = f", {counted(between, 'revision')} without text between" if between else ""
    return f"parent is {f'revision {parent}' if parent else 'none'}{lost}"


def _restored(edit: Edit, _: Limits) -> str:
    earlier = edit.history.restores_rev_id
    return "restores none" if earlier is None else f"restores revision {earlier}"


def _names(tags: tuple[str, ...]) -> str:
    return ", ".join(tags) or "none"


def _tag_back(edit: Edit, limits: Limits) -> str:
    back = edit.history.tag_back_days
    seen = "not seen again" if back is None else f"back after {days(back)}"
    return f"{seen}; limit {days(limits.tag_back_days)}"


def _length(edit: Edit, limits: Limits) -> str:
    what = "a redirect" if edit.after_redirect else counted(edit.after_chars, "character")
    return f"{what}; limit {limits.min_wikitext:,}"


def _share(edit: Edit, limits: Limits) -> str:
    share = "unknown" if edit.share_of_page is None else f"{edit.share_of_page:.1%}"
    removed = counted(len(edit.removed), "sentence")
    most = f"{limits.max_share_of_page:.1%} in more than {limits.few_sentences}"
    return f"{share} in {removed}; limit {most}"


def _sides(edit: Edit, limits: Limits) -> str:
    sides = f"{len(edit.removed):,} removed, {len(edit.added):,} added"
    return f"{sides}; limit {limits.max_edited_sentences:,}"


def _distance(edit: Edit, limits: Limits) -> str:
    most = limits.spelling_distance
    drops = FILTERS["spelling"].reason(edit, limits) is not None
    return f"edit distance {'at most' if drops else 'more than'} {most}"


def days(number: float) -> str:
    """Return a length of time in days, with so many decimals as tell something."""
    if number < 10:
        return f"{number:.2f}".rstrip("0").rstrip(".") + (" day" if number == 1 else " days")
    return f"{number:,.0f} days"


_LOOKED_AT: Mapping[str, Callable[[Edit, Limits], str]] = {
    "not_parent": _parent,
    "restores_earlier": _restored,
    "tag_swapped": lambda edit, _: f"put in: {_names(edit.history.tags_swapped_in)}",
    "tags_left": lambda edit, _: f"left: {_names(edit.history.tags_left)}",
    "tag_back_soon": _tag_back,
    "reverted": lambda edit, _: "undone" if edit.provenance.reverted else "not undone",
    "redirect_or_blank": _length,
    "unreadable": lambda edit, _: "both cleaned" if edit.readable else "not cleaned",
    "page_replaced": _share,
    "tag_only": lambda edit, _: "same text" if edit.same_text else "text differs",
    "number_only": lambda edit, _: _norms(edit),
    "punctuation_case": lambda edit, _: _norms(edit),
    "outlier": _sides,
    "deletions_only": lambda edit, _: f"{len(edit.added):,} added",
    "insertions_only": lambda edit, _: f"{len(edit.removed):,} removed",
    "spelling": _distance,
    "summary_reverts": lambda edit, _: f"the summary {_says(edit)}",
    "markup_only": lambda edit, _: "same text" if edit.same_text else "text differs",
    "new_sentences": lambda edit, _: f"{_inserted(edit):,} new",
    "no_positive": lambda edit, _: counted(len(edit.removed), "positive sentence"),
    "no_sentence": lambda edit, _: counted(len(edit.unchanged), "sentence"),
}


def _says(edit: Edit) -> str:
    return "says so" if edit.summary_reverts else "does not say so"


def _inserted(edit: Edit) -> int:
    return sum(link.relation == "inserted" for link in edit.added_links)


def _norms(edit: Edit) -> str:
    same = sorted(s.norm for s in edit.removed) == sorted(s.norm for s in edit.added)
    return f"the normal forms {'are the same' if same else 'differ'}"
