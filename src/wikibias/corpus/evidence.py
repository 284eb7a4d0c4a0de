"""Label evidence: what one edit tells of the labels of a sentence.

It comes from three sources: edits of tags and summaries tell which sentences are biased or neutral,
edits with an intent what was found wanting in a sentence, and inline tags point at sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple, get_args

from wikibias import records
from wikibias.config.choices import signal_of
from wikibias.config.thresholds import Tiers
from wikibias.edits import confidence as confidences
from wikibias.tags.tagset import TagSet
from wikibias.text.segmentation import normalise

ROLES: tuple[records.Role, ...] = get_args(records.Role)
REMOVED, ADDED, UNCHANGED, FEATURED = range(len(ROLES))
NEGATIVES: tuple[records.NegativeKind | None, ...] = (None, "edited", "unchanged", "featured")
"""What a sentence of each role is a negative of: those that were removed are positives."""
NO_CONTEXT = records.SentenceContext("", "", "", has_reference=False, follows_reference=False)
"""Of a sentence of which nobody noted what stands around it."""
_BIASED = ("biased",)


class LabelEvidence(NamedTuple):
    """A sentence, and what one edit tells of it.

    Attributes:
        name: of the sentence in its edit.
        sentence: itself.
        role: the number of its role in ROLES; REMOVED of any positive.
        labels: what was found wanting in it; none of a negative.
        judged: the labels of which anything is known.
        edit: that tells it.
        link: what became of it; None where that is not known.
        rank: where several tell of a sentence the least tells most of it.
        context: what stands around it.
        days_stood: how long the tag stood; None where there was none, or that is not known.
        of_edit: what the edit tells of the labels of all its sentences; None where labels have no
            tiers.
        sure: how sure its label is, of a paragraph; None where `of_edit` tells.
        why_not: why a paragraph may not be chosen, in EXCLUSIONS; "" where it may.
    """

    name: str
    sentence: records.Sentence
    role: int
    labels: tuple[str, ...]
    judged: tuple[str, ...]
    edit: records.Edit
    link: records.Link | None = None
    rank: int = 0
    context: records.SentenceContext = NO_CONTEXT
    days_stood: float | None = None
    of_edit: confidences.Evidence | None = None
    sure: confidences.Confidence | None = None
    why_not: str = ""

    @property
    def sentence_id(self) -> str:
        """What names the sentence in a corpus."""
        return f"{edit_id(self.edit.provenance)}-{self.name}"

    @property
    def has_tiers(self) -> bool:
        """Whether its label has a tier."""
        return self.sure is not None or self.of_edit is not None

    @property
    def reasons(self) -> tuple[str, ...]:
        """What holds of a paragraph, or of the edit of a sentence, by name."""
        if self.sure is not None:
            return self.sure.reasons
        return () if self.of_edit is None else self.of_edit.of_edit

    def confidence(self, tiers: Tiers) -> confidences.Confidence | None:
        """Return the tier of its label, and the reasons; None where labels have no tiers."""
        if self.sure is not None or self.of_edit is None:
            return self.sure
        role = ROLES[self.role]
        return confidences.confidence(self.of_edit, role, self.sentence, self.link, tiers)

    @property
    def telling(self) -> tuple[str, ...]:
        """What says most of how sure its label is; none where labels have no tiers."""
        if self.of_edit is None:
            return ()
        return (*confidences.telling(self.of_edit, ROLES[self.role], self.sentence, self.link),)


EvidenceSource = Callable[[], Iterable[LabelEvidence]]
"""What gives the evidence, at each call in one order."""


def edit_id(source: records.Provenance) -> str:
    """Return what names an edit: its newer revision, and the pairing if it is not the usual one.

    An edit may have several intents.
    """
    if source.pairing == "removal-edit":
        return f"{source.wiki}-{source.after_rev_id}"
    found = (
        f"{source.pairing}-{source.signal}" if source.pairing == "intent-edit" else source.pairing
    )
    return f"{source.wiki}-{found}-{source.before_rev_id}-{source.after_rev_id}"


def two_class_evidence(edits: Iterable[records.Edit], tiers: Tiers) -> Iterator[LabelEvidence]:
    """Yield all sentences of edits: removed ones are biased, and all others are not."""
    for edit in edits:
        known = confidences.evidence(edit, tiers)
        left = FEATURED if signal_of(edit.provenance.signal).gives == "negatives" else UNCHANGED
        sides: tuple[
            tuple[int, tuple[records.Sentence, ...], Iterable[records.Link | None]], ...
        ] = (
            (REMOVED, edit.removed, edit.links or repeat(None)),
            (ADDED, edit.added, edit.added_links or repeat(None)),
            (left, edit.unchanged, repeat(None)),
        )
        for role, sentences, links in sides:
            labels, name = _BIASED if role == REMOVED else (), ROLES[role]
            around = _contexts(edit) if role == FEATURED else repeat(NO_CONTEXT)
            of_side = zip(sentences, links, around, strict=False)
            for at, (sentence, link, context) in enumerate(of_side):
                yield LabelEvidence(
                    f"{name}-{at}", sentence, role, labels, _BIASED, edit, link, 0, context, None,
                    known,
                )  # fmt: skip


def _contexts(edit: records.Edit) -> Iterable[records.SentenceContext]:
    return edit.contexts or repeat(NO_CONTEXT)


CITATION = "citation"
"""The intent that a reference answers."""
_POSITIVE, _OF_FEATURED, _MADE, _LEFT = range(4)


def intent_evidence(
    edits: Iterable[records.Edit], labels: Sequence[str]
) -> Iterator[LabelEvidence]:
    """Yield the sentences of edits, those of other signals left out.

    Args:
        edits: of any signal, in order.
        labels: the names of the intents.
    """
    for edit in edits:
        signal = edit.provenance.signal
        if signal_of(signal).gives == "negatives":
            yield from _featured_evidence(edit, labels)
        elif signal in labels:
            yield from _edit_evidence(edit, (signal,))


def _edit_evidence(edit: records.Edit, label: tuple[str]) -> Iterator[LabelEvidence]:
    made_of = {}
    of_side = zip(edit.removed, edit.links or repeat(None), _contexts(edit), strict=False)
    for at, (sentence, link, context) in enumerate(of_side):
        if link is not None and link.relation == "rewritten":
            made_of[link.counterpart] = context
        yield LabelEvidence(
            f"removed-{at}", sentence, REMOVED, label, label, edit, link, _POSITIVE, context
        )
    for at, sentence in enumerate(edit.added):
        # Of one that is joined or new nobody can say that it answers the intent.
        if sentence.text in made_of:
            around = made_of[sentence.text]
            yield LabelEvidence(
                f"added-{at}", sentence, ADDED, (), label, edit, rank=_MADE, context=around
            )
    for at, sentence in enumerate(edit.unchanged):
        yield LabelEvidence(f"unchanged-{at}", sentence, UNCHANGED, (), label, edit, rank=_LEFT)


def _featured_evidence(edit: records.Edit, labels: Sequence[str]) -> Iterator[LabelEvidence]:
    every = tuple(labels)
    but_citation = tuple(name for name in every if name != CITATION)
    of_side = zip(edit.unchanged, _contexts(edit), strict=False)
    for at, (sentence, context) in enumerate(of_side):
        judged = but_citation if context.has_reference else every
        if judged:
            yield LabelEvidence(
                f"featured-{at}", sentence, FEATURED, (), judged, edit, None, _OF_FEATURED, context
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


def tag_evidence(edits: Iterable[records.Edit], tags: InlineTags) -> Iterator[LabelEvidence]:
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
            yield LabelEvidence(
                f"tagged-{at}",
                sentence,
                REMOVED,
                labels,
                every if is_clean else labels,
                edit,
                target.link,
                _RANKS[made.pairing],
                NO_CONTEXT._replace(section=target.section),
                made.days_tagged,
            )
        if is_clean and targets:
            forms = {sentence.norm for sentence in targets}
            for at, sentence in enumerate(edit.unchanged):
                if sentence.norm not in forms:
                    yield LabelEvidence(
                        f"unchanged-{at}", sentence, UNCHANGED, (), every, edit, rank=_NEGATIVE
                    )


@dataclass(slots=True)
class _Target:
    """What points at a sentence, under which heading, and what became of it."""

    families: set[str]
    section: str
    link: records.Link | None


def _targets(edit: records.Edit, tags: InlineTags) -> dict[records.Sentence, _Target]:
    """Return the sentences that the tags of an edit point at, in order."""
    from wikibias.tags.matcher import without_number  # noqa: PLC0415 (labels of tags alone need it)

    found: dict[records.Sentence, _Target] = {}
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

    def __init__(self, edit: records.Edit, tags: InlineTags) -> None:
        self._tags = tags
        self._made: records.Provenance = edit.provenance
        links: Iterable[records.Link | None] = edit.links or [None] * len(edit.removed)
        self._by_form: dict[str, tuple[records.Sentence, records.Link | None]] = {}
        for sentence, link in zip(edit.removed, links, strict=False):
            self._by_form.setdefault(sentence.norm, (sentence, self._known(link)))
        for sentence in edit.unchanged:
            same = records.Link("", sentence.text, "same_text", 100.0, "")
            self._by_form.setdefault(sentence.norm, (sentence, self._known(same)))

    def _known(self, link: records.Link | None) -> records.Link | None:
        """Return what became of a sentence; of one that was just tagged that is still to come."""
        return link if self._made.kind == "removed" else None

    def at(self, text: str, scope: str) -> list[tuple[records.Sentence, records.Link | None]]:
        """Return the sentences that a text is, or that it wraps or lies in."""
        form = self._tags.norm(text)
        if not form:
            return []
        if form in self._by_form:
            return [self._by_form[form]]
        if scope == "inline":
            return [(records.Sentence(text, form), None)]
        if len(form) > _LONGEST_TARGET:
            return []
        return [
            found
            for norm, found in self._by_form.items()
            if norm and (form in norm or norm in form)
        ]
