"""What is worked out of a transition, away from the reading: of its tags, and of its edit.

This is the costly part, and needs nothing but the transition and the settings; so it can be done
in any process.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain

from wikibias.config.languages import Language
from wikibias.config.mediawiki_facts import load_mediawiki
from wikibias.config.thresholds import Text
from wikibias.edits.sentence_diff import compare
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.mediawiki.redirects import redirect_pattern
from wikibias.mediawiki.titles import key
from wikibias.pipeline.settings import Settings, language_of, tagset_of
from wikibias.records import Edit, Provenance, Transition
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import TagSet
from wikibias.text.cleaning import Rules
from wikibias.text.segmentation import Segmenter
from wikibias.transitions.edit_scope import edit_scope
from wikibias.transitions.tag_targets import TargetFinder

# Neighbouring revisions share most of their paragraphs, which one process remembers.
_TOGETHER = 8
_CHARS_TOGETHER = 2_000_000


@dataclass(frozen=True, slots=True)
class Task:
    """What to work out: where the tags stood and what was done beside, the edit, or both.

    `declared` are the namespaces that the dump declares, by number.
    """

    settings: Settings
    declared: tuple[tuple[int, str], ...]
    point: bool
    compare: bool

    @classmethod
    def of(
        cls,
        settings: Settings,
        declared: Mapping[int, str],
        *,
        point: bool = False,
        compare: bool = False,
    ) -> Task:
        """Return a task for a wiki that declares these namespaces."""
        return cls(settings, tuple(sorted(declared.items())), point, compare)


@dataclass(frozen=True, slots=True)
class Enriched:
    """A transition's provenance, complete, and its edit; None where there is none to be made."""

    provenance: Provenance
    edit: Edit | None


def enrich(task: Task, transitions: Sequence[Transition]) -> list[Enriched]:
    """Work out some transitions, in order."""
    tools = _tools(task)
    return [_enrich(task, tools, transition) for transition in transitions]


def batches(transitions: Iterable[Transition]) -> Iterator[list[Transition]]:
    """Yield transitions in lists of a bounded number and length."""
    taken: list[Transition] = []
    chars = 0
    for transition in transitions:
        taken.append(transition)
        chars += len(transition.before_text) + len(transition.after_text)
        chars += len(transition.row_text or "")
        if len(taken) >= _TOGETHER or chars >= _CHARS_TOGETHER:
            yield taken
            taken, chars = [], 0
    if taken:
        yield taken


@dataclass(frozen=True, slots=True)
class _Tools:
    """What the work on all transitions of one wiki needs."""

    matcher: Matcher
    pointer: TargetFinder
    within: TargetFinder
    rules: Rules
    segmenter: Segmenter
    redirect: re.Pattern[str]


@cache
def _tools(task: Task) -> _Tools:
    settings = task.settings
    language = language_of(settings)
    namespaces = Namespaces.of(dict(task.declared), language.namespaces)
    tagset = tagset_of(settings)
    matcher = Matcher(tagset, namespaces)

    def rules_for(limits: Text) -> Rules:
        return cleaning_rules(language, namespaces, tagset, limits.max_wikitext)

    limits = settings.diff.text
    rules = rules_for(limits)
    within = TargetFinder(matcher, tagset, rules, _segmenter(language, limits))
    # Cleaning makes many objects; what stays need not be looked through each time Python tidies up.
    gc.freeze()
    # What is recorded of a tag does not depend on the settings of a later stage.
    usual = Text()
    return _Tools(
        matcher=matcher,
        pointer=within
        if limits == usual
        else TargetFinder(matcher, tagset, rules_for(usual), _segmenter(language, usual)),
        within=within,
        rules=rules,
        segmenter=_segmenter(language, limits),
        redirect=redirect_pattern(load_mediawiki().redirect_words),
    )


@cache
def _segmenter(language: Language, limits: Text) -> Segmenter:
    """Return the segmenter of a language; making one takes as long as a small part."""
    return Segmenter(language, limits)


def _enrich(task: Task, tools: _Tools, transition: Transition) -> Enriched:
    made = transition.provenance
    if task.point:
        tagged = transition.before_text if made.kind == "removed" else transition.after_text
        pointed = tools.pointer.point(tagged, made.tags)
        made = replace(
            made, scope=pointed.scope, section=pointed.section, pointed_at=pointed.pointed_at
        )
        # What the last edit did says little of a pair that many edits lie between.
        if made.pairing != "tagged-span":
            done = edit_scope(transition, tools.matcher)
            made = replace(made, edited_text=done.edited_text, only_tags=done.only_tags)
    if not (task.compare and _is_asked_for(task.settings, made)):
        return Enriched(made, None)
    within = tools.within.within if task.settings.diff.scope == "tagged" else None
    whole = replace(transition, provenance=made)
    return Enriched(made, compare(whole, tools.rules, tools.segmenter, tools.redirect, within))


def _is_asked_for(settings: Settings, made: Provenance) -> bool:
    """Tell whether a transition is of a pairing asked for, and has a revision on both sides."""
    both = made.kind == "removed" or made.before_rev_id is not None
    return both and made.pairing in settings.detect.pairing


def cleaning_rules(
    language: Language, namespaces: Namespaces, tagset: TagSet | None, max_chars: int
) -> Rules:
    """Return how the wikitext of a wiki is cleaned; wrapping tags show what they wrap."""
    shown = chain(
        language.text_templates.items(),
        (
            (n, t.text)
            for t in (tagset.tags if tagset else ())
            if t.text
            for n in (t.name, *t.aliases)
        ),
    )
    return Rules(
        namespaces=namespaces,
        interlanguage=frozenset(load_mediawiki().interlanguage),
        text_templates={key(name, ignore_case=True): parameter for name, parameter in shown},
        max_chars=max_chars,
    )
