"""Filters of edits, and their lists."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from wikibias.config import choices
from wikibias.config.thresholds import Filter
from wikibias.errors import UsageError, nearest
from wikibias.kits.plugins import Registry
from wikibias.records import Edit, KeptEdit, Provenance, RejectedEdit
from wikibias.text import segmentation, similarity

# The verdict on what could not be worked out.
UNREADABLE = "unreadable"
# And on an edit of which a text is not known: suppressed, lost by the dump, or still to be fetched.
UNKNOWN_TEXT = "unknown_text"
SUMMARY_TITLES = {
    UNKNOWN_TEXT: "text not known",
    "reverted": "edit reverted",
    "tag_only": "text unchanged",
}
"""Lines of Table 2 that say "tag" or "removal", where edits were found by their summaries."""


@dataclass(frozen=True, slots=True)
class EditFilter:
    """A filter: its line in Table 2, and what gives the reason to drop an edit, or None.

    The reason is the name of the filter.
    """

    title: str
    reason: Callable[[Edit, Filter], str | None]


def not_parent(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit whose older revision is not the parent of the newer one.

    An import puts the revisions of two histories between each other. A parent without a known text
    may lie between the two. A tagged span has other edits inside by its nature.
    """
    made, history = edit.provenance, edit.history
    if made.pairing == "tagged-span" or history.parent_rev_id is None or history.revisions_between:
        return None
    # A page's first revision has the parent 0.
    return None if (history.parent_rev_id or None) == made.before_rev_id else "not_parent"


def restores_earlier(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that brought an earlier revision back, to the letter."""
    history = edit.history
    is_same = history.restores_rev_id is not None and not history.restores_nearly
    return "restores_earlier" if is_same else None


def nearly_restores(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit after which the page was nearly as an earlier revision."""
    return "nearly_restores" if edit.history.restores_nearly else None


def tag_swapped(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that put another tag of the set in."""
    return "tag_swapped" if edit.history.tags_swapped_in else None


def tags_left(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that left other tags of the set standing."""
    return "tags_left" if edit.history.tags_left else None


def tag_back_soon(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit after which a removed tag was soon back, unless it counts as reverted."""
    days = edit.history.tag_back_days
    if days is None or edit.provenance.reverted:
        return None
    return "tag_back_soon" if days < limits.tag_back_days else None


def page_replaced(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that removed more of the page than a repair does."""
    share = edit.share_of_page
    if share is None or len(edit.removed) <= limits.few_sentences:
        return None
    return "page_replaced" if share > limits.max_share_of_page else None


def by_bot(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit by a bot, which cannot judge whether a text is neutral."""
    return "by_bot" if edit.provenance.by_bot else None


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


def number_only(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that changed only numbers in its sentences."""
    return "number_only" if edit.removed and _has_same_norms(edit) else None


def punctuation_case(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that changed only punctuation, case or numbers."""
    return "punctuation_case" if _has_same_norms(edit) else None


def _has_same_norms(edit: Edit) -> bool:
    """Return whether both sides of an edit are the same in the paper's normal form."""
    return Counter(s.norm for s in edit.removed) == Counter(s.norm for s in edit.added)


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
    before = segmentation.normalise(" ".join(s.text for s in edit.removed), keep_apostrophes=True)
    after = segmentation.normalise(" ".join(s.text for s in edit.added), keep_apostrophes=True)
    most = limits.spelling_distance
    distance = similarity.edit_distance(before, after, most)
    return "spelling" if distance <= most else None


def summary_reverts(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit whose summary calls it a revert."""
    return "summary_reverts" if edit.summary_reverts else None


# The word is nearly the same in all languages of Europe; in Japanese and Chinese it is not.
_VANDALISM = re.compile("[vw]andal|вандал|荒らし|破[坏壞]", re.IGNORECASE)


def names_vandalism(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit whose summary speaks of vandalism: it undid some, perhaps by hand."""
    return "names_vandalism" if _VANDALISM.search(edit.provenance.comment or "") else None


def markup_only(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that changed nothing a reader sees, where its intent asks for changed words."""
    return "markup_only" if edit.same_text and not edit.removed else None


def new_sentences(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that only added sentences: none stood there before that it found wanting."""
    is_new = any(link.relation == "inserted" for link in edit.added_links)
    return "new_sentences" if is_new and not edit.removed else None


def no_positive(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that gives no sentence: it changed case, punctuation, numbers, or no text."""
    return None if edit.removed else "no_positive"


def no_sentence(edit: Edit, limits: Filter) -> str | None:
    """Drop the state of an article that has no sentence."""
    return None if edit.unchanged else "no_sentence"


def slip(edit: Edit, limits: Filter) -> str | None:
    """Drop an edit that only corrected slips: each sentence differs by one character, or none."""
    most = limits.spelling_distance
    for sentence, link in zip(edit.removed, edit.links, strict=True):
        before = segmentation.normalise(sentence.text, keep_apostrophes=True)
        after = segmentation.normalise(link.counterpart, keep_apostrophes=True)
        if not link.pair_id or similarity.edit_distance(before, after, most) > most:
            return None
    return "slip" if edit.removed else None


OTHER_FILTERS: Mapping[str, EditFilter] = {
    "markup_only": EditFilter("only markup changed", markup_only),
    "new_sentences": EditFilter("only new sentences", new_sentences),
    "no_positive": EditFilter("no positive sentence", no_positive),
    "slip": EditFilter("only a slip corrected", slip),
    "no_sentence": EditFilter("no sentence", no_sentence),
}
"""Filters of edits that were found by neither tags nor summaries; see `FilterLists`."""

FILTERS: Registry[EditFilter] = Registry(
    "filter",
    "wikibias.filters",
    {
        "not_parent": EditFilter("not the parent revision", not_parent),
        "restores_earlier": EditFilter("earlier text restored", restores_earlier),
        "nearly_restores": EditFilter("earlier text nearly restored", nearly_restores),
        "tag_swapped": EditFilter("another tag put in", tag_swapped),
        "tags_left": EditFilter("other tags left", tags_left),
        "tag_back_soon": EditFilter("tag soon back", tag_back_soon),
        "reverted": EditFilter("removal reverted", reverted),
        "redirect_or_blank": EditFilter("redirect or blanked", redirect_or_blank),
        "unreadable": EditFilter("unreadable wikitext", unreadable),
        "page_replaced": EditFilter("much of the page removed", page_replaced),
        "tag_only": EditFilter("only the tag removed", tag_only),
        "number_only": EditFilter("only numbers changed", number_only),
        "punctuation_case": EditFilter("punctuation or case", punctuation_case),
        "outlier": EditFilter("outlier", outlier),
        "deletions_only": EditFilter("deletions only", deletions_only),
        "insertions_only": EditFilter("insertions only", insertions_only),
        "spelling": EditFilter("spelling", spelling),
        "summary_reverts": EditFilter("summary says revert", summary_reverts),
        "by_bot": EditFilter("by a bot", by_bot),
        "names_vandalism": EditFilter("summary names vandalism", names_vandalism),
    },
    needs="title reason",
    taken={*OTHER_FILTERS, choices.DEFAULT, choices.STRICT, choices.PAPER},
)


def filter_named(name: str) -> EditFilter | None:
    """Return the filter of this name, of whatever edits; None if it is not installed."""
    return FILTERS[name] if name in FILTERS else OTHER_FILTERS.get(name)


def filter_title(reason: str) -> str:
    """Return what the filter that gives this reason is called; the reason if none is installed."""
    found = filter_named(reason)
    return found.title if found else reason


def filter_words(reason: str) -> str:
    """Return what a filter drops, as the docstring of its function says; "" where none does."""
    found = filter_named(reason)
    said = found.reason.__doc__ if found else None
    return (said or "").partition("\n")[0].removeprefix("Drop ")


OF_DEGREE = frozenset(
    "nearly_restores tag_swapped tags_left tag_back_soon page_replaced deletions_only "
    "summary_reverts by_bot names_vandalism".split()
)
"""Filters whose reason is a matter of degree: by default they drop nothing; it is evidence."""
PAPER_FILTERS = tuple(
    "reverted redirect_or_blank unreadable tag_only punctuation_case outlier deletions_only "
    "insertions_only spelling".split()
)


def filter_names(listed: str) -> list[str]:
    """Return the names in a list such as "default,mine,-tags_left", in order, each once.

    `default` stands for the filters of what cannot be a repair, `strict` for all of wikibias
    itself, `paper` for those of the 2019 paper, in its order. A name after a minus is left out,
    wherever it stands; a list that begins with a minus leaves it out of the default. Those of
    `OTHER_FILTERS` can only be left out.

    Raises:
        UsageError: there is no such filter, and the message names the nearest; or none is left.
    """
    own = tuple(FILTERS.own())
    default = tuple(name for name in own if name not in OF_DEGREE)
    lists = {choices.DEFAULT: default, choices.STRICT: own, choices.PAPER: PAPER_FILTERS}
    names: dict[str, None] = {}
    left_out: set[str] = set()
    if listed.strip().startswith("-"):
        listed = f"{choices.DEFAULT},{listed}"
    for word in listed.split(","):
        name = word.strip().removeprefix("-")
        meant = lists.get(name, (name,))
        is_other = word.strip() != name and name in OTHER_FILTERS
        if meant == (name,) and name not in FILTERS and not is_other:
            raise UsageError(f"unknown filter {name!r}{nearest(name, [*lists, *FILTERS.names()])}")
        if name == word.strip():
            names |= dict.fromkeys(meant)
        else:
            left_out.update(meant)
    found = [name for name in names if name not in left_out]
    if not found:
        raise UsageError(
            f"{listed!r} names no filter that is not left out; begin the list with "
            f"{choices.DEFAULT}"
        )
    return found


def verdict(edit: Edit, limits: Filter, filters: Iterable[EditFilter]) -> str | None:
    """Return the reason of the first filter that drops the edit, or None.

    Of an edit of which a text is not known there is nothing that a filter could judge.
    """
    if edit.texts_missing:
        return UNKNOWN_TEXT
    for each in filters:
        reason = each.reason(edit, limits)
        if reason is not None:
            return reason
    return None


def kept(edit: Edit, reason: str) -> KeptEdit:
    """Return the row of an edit that is kept."""
    return KeptEdit(**_shared(edit, KeptEdit), verdict=reason)


def rejected(edit: Edit, reason: str) -> RejectedEdit:
    """Return the row of an edit that is not kept."""
    shared = _shared(edit, RejectedEdit)
    for side in ("removed", "added"):
        shared[side] = tuple(sentence.text for sentence in shared[side])
    return RejectedEdit(**shared, verdict=reason)


def _shared(edit: Edit, row: type[KeptEdit | RejectedEdit]) -> dict[str, Any]:
    names = (field.name for field in fields(row) if field.name != "verdict")
    return {name: getattr(edit, name) for name in names}


class FilterLists:
    """The filters of a run, by what an edit was found by.

    Those of tags and summaries are what the user lists. Of the others a name after a minus is left
    out. `positives` says what an intent takes for a positive sentence, if not changed words. `off`
    are filters that are counted but drop nothing.

    Raises:
        UsageError: the list names an unknown filter.
    """

    def __init__(
        self, listed: str, reverts: choices.RevertPolicy, positives: Mapping[str, choices.Positive]
    ) -> None:
        self._listed = filter_names(listed)
        words = (word.strip() for word in listed.split(","))
        self._left_out = frozenset(word[1:] for word in words if word.startswith("-"))
        self.off = frozenset({"reverted"}) if reverts == "keep" else frozenset[str]()
        self._positives = positives
        self._known: dict[str, list[EditFilter]] = {}

    def announced(self, signals: Sequence[str]) -> list[str]:
        """Return the names of all filters that edits found by these signals are asked, in order."""
        return list(dict.fromkeys(name for signal in signals for name in self.of_signal(signal)))

    def of_signal(self, signal: str) -> Sequence[str]:
        """Return the names of the filters of edits that were found by a signal, with those off."""
        names = choices.signal_of(signal).filters
        if names is None:
            return self._listed
        if self._positives.get(signal) == "referenced":
            names = choices.REFERENCED_FILTERS
        return [name for name in names if name not in self._left_out]

    def of(self, made: Provenance) -> Sequence[EditFilter]:
        """Return the filters that may drop an edit, in order.

        Raises:
            UsageError: one of them is not installed here.
        """
        if made.signal not in self._known:
            names = [name for name in self.of_signal(made.signal) if name not in self.off]
            self._known[made.signal] = [_installed(name) for name in names]
        return self._known[made.signal]


def _installed(name: str) -> EditFilter:
    found = filter_named(name)
    if found is None:
        raise UsageError(f"the filter {name!r} is not installed")
    return found
