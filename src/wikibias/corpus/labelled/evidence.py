"""Label evidence: what one edit tells of the labels of a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

from wikibias.config.signals import FEATURED
from wikibias.records import (
    Edit,
    Link,
    NegativeKind,
    Provenance,
    Relation,
    Sentence,
    SentenceContext,
)
from wikibias.tags.matcher import without_number
from wikibias.tags.tagset import TagSet
from wikibias.text.normalisation import normalise

NO_CONTEXT = SentenceContext("", "", "", has_reference=False, follows_reference=False)
"""Of a sentence of which nobody noted what stands around it."""


class Find(NamedTuple):
    """A sentence, and what one edit tells of it.

    Attributes:
        name: of the sentence in its edit.
        sentence: itself.
        labels: what was found wanting in it; none of a negative.
        judged: the labels of which anything is known.
        negative: what a negative is taken from; None for a positive.
        rank: of several finds of a sentence the least tells most of it.
        provenance: of the edit.
        context: what stands around it.
        link: what became of it; None where that is not known.
        days_stood: how long the tag stood; None where there was none, or that is not known.
    """

    name: str
    sentence: Sentence
    labels: tuple[str, ...]
    judged: tuple[str, ...]
    negative: NegativeKind | None
    rank: int
    provenance: Provenance
    context: SentenceContext = NO_CONTEXT
    link: Link | None = None
    days_stood: float | None = None

    @property
    def counterpart(self) -> str | None:
        """What the sentence became; "" where it was deleted."""
        return None if self.link is None else self.link.counterpart

    @property
    def relation(self) -> Relation | None:
        """How it relates to that."""
        return None if self.link is None else self.link.relation


CITATION = "citation"
"""The intent that a reference answers."""
_POSITIVE, _OF_FEATURED, _MADE, _LEFT = range(4)


def intent_finds(edits: Iterable[Edit], labels: Sequence[str]) -> Iterator[Find]:
    """Yield the sentences of edits, those of other signals left out.

    Args:
        edits: of any signal, in order.
        labels: the names of the intents.
    """
    for edit in edits:
        signal = edit.provenance.signal
        if signal == FEATURED.name:
            yield from _of_featured(edit, labels)
        elif signal in labels:
            yield from _of_edit(edit, (signal,))


def _of_edit(edit: Edit, label: tuple[str]) -> Iterator[Find]:
    source, made_of = edit.provenance, {}
    contexts: Iterable[SentenceContext] = edit.contexts or repeat(NO_CONTEXT)
    links = edit.links or repeat(None)
    for at, (sentence, link, context) in enumerate(
        zip(edit.removed, links, contexts, strict=False)
    ):
        if link is not None and link.relation == "rewritten":
            made_of[link.counterpart] = context
        yield Find(f"removed-{at}", sentence, label, label, None, _POSITIVE, source, context, link)
    for at, sentence in enumerate(edit.added):
        # Of one that is joined or new nobody can say that it answers the intent.
        if sentence.text in made_of:
            around = made_of[sentence.text]
            yield Find(f"added-{at}", sentence, (), label, "edited", _MADE, source, around)
    for at, sentence in enumerate(edit.unchanged):
        yield Find(f"unchanged-{at}", sentence, (), label, "unchanged", _LEFT, source)


def _of_featured(edit: Edit, labels: Sequence[str]) -> Iterator[Find]:
    source, every = edit.provenance, tuple(labels)
    but_citation = tuple(name for name in every if name != CITATION)
    contexts: Iterable[SentenceContext] = edit.contexts or repeat(NO_CONTEXT)
    for at, (sentence, context) in enumerate(zip(edit.unchanged, contexts, strict=False)):
        judged = but_citation if context.has_reference else every
        if judged:
            yield Find(
                f"featured-{at}", sentence, (), judged, "featured", _OF_FEATURED, source, context
            )


_SCOPES = ("inline", "wrapping")
# A removal tells what the sentence became; of a span many edits lie between the two.
_RANKS = {"removal-edit": 0, "tagged-span": 1, "addition-edit": 2}
_NEGATIVE = 3
_LONGEST_TARGET = 20_000
"""Characters of a wrapped text that is still looked for among the sentences."""


@dataclass(frozen=True, slots=True)
class InlineTags:
    """The tags of a set that stand at a sentence: the family of each.

    Attributes:
        families: by the canonical name of a tag.
        keep_apostrophes: as the language has it.
    """

    families: Mapping[str, str]
    keep_apostrophes: bool = False

    @classmethod
    def of(cls, tagset: TagSet, *, keep_apostrophes: bool = False) -> InlineTags:
        """Return those of a tag set."""
        return cls(
            {tag.name: tag.family for tag in tagset.tags if tag.scope in _SCOPES}, keep_apostrophes
        )

    @property
    def labels(self) -> list[str]:
        """The families, sorted."""
        return sorted(set(self.families.values()))

    def norm(self, text: str) -> str:
        """Return the normal form of a text."""
        return normalise(text, keep_apostrophes=self.keep_apostrophes)


def tag_finds(edits: Iterable[Edit], tags: InlineTags) -> Iterator[Find]:
    """Yield the sentences at which the tags of edits point, and unchanged ones of clean pages.

    A sentence is judged for the families of its tags. Where no tag of the set is left on the page,
    all that stood there are known: then it is judged for every family, and the sentences that the
    edit left alone and no tag points at are negatives.
    """
    for edit in edits:
        made = edit.provenance
        if made.signal != "tag" or made.pairing not in _RANKS:
            continue
        targets = _targets(edit, tags)
        is_clean = made.kind == "removed" and not edit.history.tags_left
        every = tuple(tags.labels)
        for at, (sentence, target) in enumerate(targets.items()):
            labels = tuple(sorted(target.families))
            yield Find(
                f"tagged-{at}",
                sentence,
                labels,
                every if is_clean else labels,
                None,
                _RANKS[made.pairing],
                made,
                _context(target.section),
                target.link,
                made.days_tagged,
            )
        if is_clean and targets:
            forms = {sentence.norm for sentence in targets}
            for at, sentence in enumerate(edit.unchanged):
                if sentence.norm not in forms:
                    yield Find(f"unchanged-{at}", sentence, (), every, "unchanged", _NEGATIVE, made)


@dataclass(slots=True)
class _Target:
    """What points at a sentence, under which heading, and what became of it."""

    families: set[str]
    section: str
    link: Link | None


def _targets(edit: Edit, tags: InlineTags) -> dict[Sentence, _Target]:
    """Return the sentences that the tags of an edit point at, in order."""
    found: dict[Sentence, _Target] = {}
    sentences = _Sentences(edit, tags)
    around = edit.context
    for tag, scope, section, pointed_at in zip(
        edit.provenance.tags, around.scope, around.section, around.pointed_at, strict=False
    ):
        family = tags.families.get(without_number(tag))
        if family is None or scope not in _SCOPES:
            continue
        for text in filter(None, pointed_at.split("\n")):
            for sentence, link in sentences.at(text, scope):
                found.setdefault(sentence, _Target(set(), section, link)).families.add(family)
    return found


class _Sentences:
    """The sentences of the tagged revision of an edit, to be found by what a tag points at."""

    def __init__(self, edit: Edit, tags: InlineTags) -> None:
        self._tags = tags
        self._made: Provenance = edit.provenance
        links: Iterable[Link | None] = edit.links or [None] * len(edit.removed)
        self._by_form: dict[str, tuple[Sentence, Link | None]] = {}
        for sentence, link in zip(edit.removed, links, strict=False):
            self._by_form.setdefault(sentence.norm, (sentence, self._known(link)))
        for sentence in edit.unchanged:
            same = Link("", sentence.text, "same_text", 100.0, "")
            self._by_form.setdefault(sentence.norm, (sentence, self._known(same)))

    def _known(self, link: Link | None) -> Link | None:
        """Return what became of a sentence; of one that was just tagged that is still to come."""
        return link if self._made.kind == "removed" else None

    def at(self, text: str, scope: str) -> list[tuple[Sentence, Link | None]]:
        """Return the sentences that a text is, or that it wraps or lies in."""
        form = self._tags.norm(text)
        if not form:
            return []
        if form in self._by_form:
            return [self._by_form[form]]
        if scope == "inline":
            return [(Sentence(text, form), None)]
        if len(form) > _LONGEST_TARGET:
            return []
        return [
            found
            for norm, found in self._by_form.items()
            if norm and (form in norm or norm in form)
        ]


def _context(section: str) -> SentenceContext:
    return NO_CONTEXT._replace(section=section)
