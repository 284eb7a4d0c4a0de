"""The targets of a revision's tags: a section, a sentence, a wrapped text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from wikibias.records import Sentence
from wikibias.tags.matcher import Matcher
from wikibias.tags.placement import Place, headings, place_of
from wikibias.tags.tagset import TagSet
from wikibias.tags.template_parser import ParsedWikitext
from wikibias.text.cleaning import Rules, UnreadableError, visible_text
from wikibias.text.segmentation import Segmenter

# A tag that stands at more places than this is not looked up at all of them.
_MOST_PLACES = 20


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
        self, matcher: Matcher, tagset: TagSet, rules: Rules, segmenter: Segmenter
    ) -> None:
        self._matcher = matcher
        self._tags = {tag.name: tag for tag in tagset.tags}
        self._rules = rules
        self._segmenter = segmenter

    def targets(self, parsed: ParsedWikitext, tags: Sequence[str]) -> TagTargets:
        """Return the targets of `tags` in a wikitext that carries them."""
        found = self._places(parsed, tags)
        return TagTargets(
            scope=tuple(next((p.scope for p in found[tag]), "") for tag in tags),
            section=tuple(self._clean(next((p.section for p in found[tag]), "")) for tag in tags),
            pointed_at=tuple(
                "\n".join(
                    dict.fromkeys(filter(None, (self._at(parsed.text, p) for p in found[tag])))
                )
                for tag in tags
            ),
        )

    def sentences_within(
        self, parsed: ParsedWikitext, tags: Sequence[str], sentences: list[Sentence]
    ) -> list[Sentence]:
        """Return those of the `sentences` of a wikitext that `tags` are about, in order.

        All of them where a tag is about the article. A sentence belongs to an inline or wrapping
        tag if either contains the other, in normal form.
        """
        text = parsed.text
        places = [place for found in self._places(parsed, tags).values() for place in found]
        if any(place.scope == "article" for place in places):
            return sentences
        in_sections: Counter[str] = Counter()
        targets: list[str] = []
        for place in places:
            if place.scope == "section":
                part = self._clean(text[place.start : place.end])
                in_sections.update(s.norm for s in self._segmenter.split(part))
            elif norm := self._segmenter.normalise(self._at(text, place)):
                targets.append(norm)
        return [
            s
            for s in sentences
            if in_sections[s.norm] or any(t in s.norm or s.norm in t for t in targets)
        ]

    def _places(self, parsed: ParsedWikitext, tags: Sequence[str]) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {tag: [] for tag in tags}
        above = headings(parsed.text)
        for tag, _, call in self._matcher.found(parsed.calls):
            if tag in found and len(found[tag]) < _MOST_PLACES:
                found[tag].append(place_of(parsed.text, above, call, self._tags[tag]))
        return found

    def _at(self, text: str, place: Place) -> str:
        if place.scope == "section":
            return self._clean(place.section)
        if place.scope == "wrapping":
            return " ".join(self._clean(text[place.start : place.end]).split())
        return self._sentence(text, place) if place.scope == "inline" else ""

    def _sentence(self, text: str, place: Place) -> str:
        """Return the sentence that an inline tag stands in, or right behind."""
        before = text[place.start : place.call.start]
        whole = before + text[place.call.end : place.end]
        so_far = self._segmenter.sentences(self._clean(before))
        line = self._segmenter.sentences(self._clean(whole))
        return line[min(max(len(so_far) - 1, 0), len(line) - 1)] if line else ""

    def _clean(self, wikitext: str) -> str:
        try:
            return visible_text(wikitext, self._rules) if wikitext else ""
        except UnreadableError:
            return ""
