"""What an edit did beside putting in tags or taking them out."""

from __future__ import annotations

from dataclasses import dataclass

from wikibias.records import Transition
from wikibias.tags.matcher import Matcher
from wikibias.text.affixes import changed


@dataclass(frozen=True, slots=True)
class EditScope:
    """What the edit of a transition did beside.

    `only_tags`: but for calls of tags and wrappers, and white space, the wikitext is as before.
    `edited_text`: the editor changed more than that, in this revision or in an unbroken row of
    their own right before it.
    """

    edited_text: bool
    only_tags: bool


def edit_scope(transition: Transition, matcher: Matcher) -> EditScope:
    """Return what the edit of a transition did beside."""
    after = matcher.without_tags(transition.after_text)
    only_tags = _same_words(matcher.without_tags(transition.before_text), after)
    if transition.row_text is None:
        return EditScope(not only_tags, only_tags)
    row = matcher.without_tags(transition.row_text)
    return EditScope(not _same_words(row, after), only_tags)


def _same_words(old: str, new: str) -> bool:
    """Tell whether two texts are the same but for white space between words."""
    start, end = changed(old, new)
    while start and not old[start - 1].isspace():
        start -= 1
    while end < len(new) and not new[end].isspace():
        end += 1
    return old[start : len(old) - len(new) + end].split() == new[start:end].split()
