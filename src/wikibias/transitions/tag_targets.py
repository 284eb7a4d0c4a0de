"""Targets of tags: sections, sentences, and the scope of the edit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wikibias.records import Paragraph, Sentence
from wikibias.tags.matcher import Matcher, Place, headings, place_of, without_number
from wikibias.tags.tagset import TagSet
from wikibias.tags.template_parser import ParsedWikitext
from wikibias.text import cleaning, similarity
from wikibias.text.segmentation import Segmenter

# A tag that stands at more places than this is not looked up at all of them.
_MOST_PLACES = 20
# In characters, for the tags of one revision: many tags in one long line, each with a line of its
# own to clean, would take time in the square of its length. Articles of an encyclopedia stay far
# below it.
_MOST_CLEANED = 300_000
# Comparisons of sentences with targets, in characters: some hundredths of a second.
_MOST_COMPARED = 100_000_000


@dataclass(frozen=True, slots=True)
class TagTargets:
    """For each of several tags, in order: its scope, the heading above it, and its target.

    The target (`pointed_at`) is the heading (section), the sentence (inline) or the text
    (wrapping), as a reader sees it, one a line if the tag stands at several places; "" for an
    article, or if not found.
    """

    scope: tuple[str, ...]
    section: tuple[str, ...]
    pointed_at: tuple[str, ...]


class TargetFinder:
    """Finds the targets of tags in the revisions of one wiki."""

    def __init__(
        self, matcher: Matcher, tagset: TagSet, rules: cleaning.Rules, segmenter: Segmenter
    ) -> None:
        self._matcher = matcher
        self._tags = {tag.name: tag for tag in tagset.tags}
        self._rules = rules
        self._segmenter = segmenter

    def targets(
        self, parsed: ParsedWikitext, tags: Sequence[str], other: ParsedWikitext | None = None
    ) -> TagTargets:
        """Return the targets of `tags` in a wikitext that carries them.

        Several of one name have the same. With `other`, the wikitext on the other side of an edit,
        they are those at which no tag of the name points there.
        """
        names = [without_number(tag) for tag in tags]
        found = self._pointed_at(parsed, names)
        if other is not None:
            there = self._pointed_at(other, names)
            found = {name: _without(at, there[name]) for name, at in found.items()}
        firsts = [next((place for place, _ in found[name]), None) for name in names]
        clean = _Cleaner(self._rules, _MOST_CLEANED)
        return TagTargets(
            scope=tuple(place.scope if place else "" for place in firsts),
            section=tuple(clean(place.section) if place else "" for place in firsts),
            pointed_at=tuple(
                "\n".join(dict.fromkeys(filter(None, (text for _, text in found[name]))))
                for name in names
            ),
        )

    def _pointed_at(
        self, parsed: ParsedWikitext, names: Sequence[str]
    ) -> dict[str, list[tuple[Place, str]]]:
        """Return the places of tags in a wikitext, each with what it points at."""
        clean = _Cleaner(self._rules, _MOST_CLEANED)
        return {
            name: [(place, self._at(parsed.text, place, clean)) for place in places]
            for name, places in self._places(parsed, names).items()
        }

    def sentences_within(
        self, parsed: ParsedWikitext, tags: Sequence[str], sentences: list[Sentence]
    ) -> list[Sentence]:
        """Return those of the `sentences` of a wikitext that `tags` are about, in order.

        All of them where a tag is about the article. A sentence belongs to an inline or wrapping
        tag if either contains the other, in normal form.
        """
        text = parsed.text
        names = [without_number(tag) for tag in tags]
        places = [place for found in self._places(parsed, names).values() for place in found]
        if any(place.scope == "article" for place in places):
            return sentences
        clean = _Cleaner(self._rules, _MOST_CLEANED + len(text))
        in_sections: set[str] = set()
        for start, end in dict.fromkeys((p.start, p.end) for p in places if p.scope == "section"):
            part = clean.paragraphs(text[start:end])
            in_sections.update(s.norm for s in self._segmenter.split(part))
        pointed_at = (self._at(text, place, clean) for place in places if place.scope != "section")
        targets = dict.fromkeys(filter(None, map(self._segmenter.normalise, pointed_at)))
        within = _one_of(list(targets), sentences)
        return [s for s in sentences if s.norm in in_sections or within(s.norm)]

    def _places(self, parsed: ParsedWikitext, tags: Sequence[str]) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {tag: [] for tag in tags}
        above = headings(parsed.text)
        for tag, _, call in self._matcher.found(parsed.calls):
            if tag in found and len(found[tag]) < _MOST_PLACES:
                found[tag].append(place_of(parsed.text, above, call, self._tags[tag]))
        return found

    def _at(self, text: str, place: Place, clean: _Cleaner) -> str:
        if place.scope == "section":
            return clean(place.section)
        if place.scope == "wrapping":
            return " ".join(clean.part(text, place.start, place.end).split())
        return self._sentence(text, place, clean) if place.scope == "inline" else ""

    def _sentence(self, text: str, place: Place, clean: _Cleaner) -> str:
        """Return the sentence that an inline tag stands in, or right behind."""
        if not clean.may(2 * (place.end - place.start)):
            return ""
        before = text[place.start : place.call.start]
        whole = before + text[place.call.end : place.end]
        so_far = self._segmenter.sentences(clean(before))
        line = self._segmenter.sentences(clean(whole))
        return line[min(max(len(so_far) - 1, 0), len(line) - 1)] if line else ""


def _without(
    here: list[tuple[Place, str]], there: list[tuple[Place, str]]
) -> list[tuple[Place, str]]:
    """Return the places whose targets the other side lacks, as multisets."""
    left = Counter(text for _, text in there)
    gone = []
    for place, text in here:
        if left[text]:
            left[text] -= 1
        else:
            gone.append((place, text))
    return gone


class _Cleaner:
    """Cleans wikitext around tags, up to a number of characters; what is beyond it is empty."""

    def __init__(self, rules: cleaning.Rules, most: int) -> None:
        self._rules = rules
        self._left = most
        self._cleaned: dict[str, list[Paragraph]] = {}

    def may(self, chars: int) -> bool:
        """Return whether so many characters may still be cleaned."""
        return chars <= self._left

    def part(self, text: str, start: int, end: int) -> str:
        """Clean what stands between two places of a text."""
        return self(text[start:end]) if self.may(end - start) else ""

    def __call__(self, wikitext: str) -> str:
        """Clean a wikitext to text; the same one once."""
        return "\n".join([paragraph.text for paragraph in self.paragraphs(wikitext)])

    def paragraphs(self, wikitext: str) -> list[Paragraph]:
        """Clean a wikitext to paragraphs; the same one once."""
        if wikitext not in self._cleaned:
            if not self.may(len(wikitext)):
                return []
            self._left -= len(wikitext)
            self._cleaned[wikitext] = self._visible(wikitext)
        return self._cleaned[wikitext]

    def _visible(self, wikitext: str) -> list[Paragraph]:
        try:
            return cleaning.visible_paragraphs(wikitext, self._rules) if wikitext else []
        except cleaning.UnreadableError as error:
            return (
                [] if error.is_limit else cleaning.plain_visible_paragraphs(wikitext, self._rules)
            )


def _one_of(targets: list[str], sentences: Sequence[Sentence]) -> Callable[[str], bool]:
    """Return what tells whether a sentence contains a target or is in one.

    Where there are too many of both for that, it tells whether the sentence is a target.
    """
    chars = len(targets) * sum(len(s.norm) for s in sentences)
    chars += len(sentences) * sum(map(len, targets))
    if chars > _MOST_COMPARED:
        return frozenset(targets).__contains__
    return lambda norm: any(target in norm or norm in target for target in targets)


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
    start, end = similarity.changed(old, new)
    while start and not old[start - 1].isspace():
        start -= 1
    while end < len(new) and not new[end].isspace():
        end += 1
    return old[start : len(old) - len(new) + end].split() == new[start:end].split()
