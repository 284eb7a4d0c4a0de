"""What an edit changed apart from tags."""

from __future__ import annotations

from dataclasses import dataclass

from wikibias.tags.matcher import Matcher
from wikibias.tags.template_parser import ParsedWikitext
from wikibias.text.affixes import changed


@dataclass(frozen=True, slots=True)
class EditScope:
    """What the edit of a transition changed apart from tags.

    `only_tags`: apart from calls of tags and wrappers, white space, comments and what is shown
    unread, such as nowiki and pre, the wikitext is the same.
    `edited_text`: the editor changed more than that, in this revision or earlier in the same edit
    session.
    """

    edited_text: bool
    only_tags: bool


def edit_scope(
    before: ParsedWikitext,
    after: ParsedWikitext,
    matcher: Matcher,
    session_base: ParsedWikitext | None = None,
) -> EditScope:
    """Return the scope of the edit between two revisions.

    `session_base` is the revision before the edit session that ends with this edit; None if that
    is `before`.
    """
    new = matcher.without_tags(after)
    only_tags = _same_words(matcher.without_tags(before), new)
    if session_base is None:
        return EditScope(not only_tags, only_tags)
    return EditScope(not _same_words(matcher.without_tags(session_base), new), only_tags)


def _same_words(old: str, new: str) -> bool:
    """Return whether two texts are the same but for white space between words."""
    start, end = changed(old, new)
    while start and not old[start - 1].isspace():
        start -= 1
    while end < len(new) and not new[end].isspace():
        end += 1
    return old[start : len(old) - len(new) + end].split() == new[start:end].split()
