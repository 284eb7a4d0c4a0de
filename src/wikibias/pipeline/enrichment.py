"""Enriches a transition: tag location, edit scope, sentence diff. Runs in any worker process.

This is the costly part of the pipeline. It needs nothing but the transition and the settings.
"""

import gc
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from wikibias.config.choices import Positive
from wikibias.config.languages import Language, load_language, load_mediawiki
from wikibias.config.signals import FEATURED, signal_of
from wikibias.config.thresholds import Text, load_config
from wikibias.edits.positives import featured_sentences, positive_sentences
from wikibias.edits.sentence_context import ReferenceFinder
from wikibias.edits.sentence_diff import Comparison, compare, not_compared
from wikibias.execution.pool import DEADLY
from wikibias.mediawiki.revisions import SummaryWords
from wikibias.mediawiki.titles import Namespaces, redirect_pattern
from wikibias.messages import cause_of
from wikibias.pipeline.enrichment_task import Enriched, EnrichmentTask
from wikibias.pipeline.settings import Settings, language_of, positives_of, tagset_of
from wikibias.records import Edit, Kind, Provenance, TagContext, Transition
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import TagSet, load_tagset, tagset_languages
from wikibias.tags.template_parser import ParsedWikitext, parse
from wikibias.text.cleaning import Rules
from wikibias.text.markup_tree import TemplateForms
from wikibias.text.segmentation import Segmenter
from wikibias.text.tidying import heading_key
from wikibias.transitions.tag_targets import TargetFinder, edit_scope

# Some megabytes.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000


def prepare(settings: Settings) -> None:
    """Load what no dump need be known for, while its head is read."""
    tagset_of(settings)
    _segmenter(language_of(settings))


def enrich(task: EnrichmentTask, transitions: Sequence[Transition]) -> list[Enriched]:
    """Enrich some transitions, in order; what one of them raises is its cause."""
    tools = _tools(task)
    return [_enriched(task, tools, transition) for transition in transitions]


def not_enriched(task: EnrichmentTask, transition: Transition) -> Enriched:
    """Return what is known of a transition that ends the process that enriches it."""
    comparison = compared_in_vain(task, transition)
    return Enriched(_no_context(transition), comparison and Comparison(comparison.edit), DEADLY)


def compared_in_vain(task: EnrichmentTask, row: Transition) -> Comparison | None:
    """Return what is known of an edit that ends the process that compares its sentences."""
    if not (task.compare and _is_asked_for(task.settings, row.provenance)):
        return None
    return Comparison(not_compared(row, row.context or _no_context(row)), DEADLY)


def compare_rows(task: EnrichmentTask, rows: Sequence[Transition]) -> list[Comparison | None]:
    """Compare the sentences of transitions that are enriched, in order; None as in `Enriched`."""
    tools = _tools(task)
    return [_compared(task, tools, row, row.context or _no_context(row)) for row in rows]


@dataclass(frozen=True, slots=True)
class _Tools:
    """What the work on all transitions of one wiki needs.

    `context_targets` finds the targets that are recorded, which do not depend on the settings of
    the later stage `diff`; `targets` follows those settings.
    """

    matcher: Matcher
    context_targets: TargetFinder
    targets: TargetFinder
    rules: Rules
    segmenter: Segmenter
    redirect: re.Pattern[str]
    summaries: SummaryWords
    references: ReferenceFinder
    positives: Mapping[str, Positive]


@cache
def _tools(task: EnrichmentTask) -> _Tools:
    settings = task.settings
    language = language_of(settings)
    namespaces = Namespaces.of(dict(task.declared), language.namespaces)
    tagset = tagset_of(settings)
    matcher = Matcher(tagset, namespaces)

    def rules_for(most: int) -> Rules:
        return cleaning_rules(language, namespaces, tagset, most)

    most, default = settings.diff.max_wikitext, Text().max_wikitext
    rules, segmenter = rules_for(most), _segmenter(language)
    targets = TargetFinder(matcher, tagset, rules, segmenter)
    # Cleaning makes many objects, next to none in circles; what stays need not be looked through.
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    return _Tools(
        matcher=matcher,
        context_targets=targets
        if most == default
        else TargetFinder(matcher, tagset, rules_for(default), segmenter),
        targets=targets,
        rules=rules,
        segmenter=segmenter,
        redirect=redirect_pattern(load_mediawiki().redirect_words),
        summaries=SummaryWords(language),
        references=ReferenceFinder(language.intents.citation),
        positives=positives_of(settings),
    )


@cache
def _segmenter(language: Language) -> Segmenter:
    """Return the segmenter of a language; making one takes as long as a small part."""
    return Segmenter(language)


def _enriched(task: EnrichmentTask, tools: _Tools, transition: Transition) -> Enriched:
    cause = None
    try:
        context = _context(task, tools, transition)
    except Exception as error:  # whatever a stranger's wikitext may cause
        context, cause = _no_context(transition), cause_of(error)
    return Enriched(context, _compared(task, tools, transition, context), cause)


def _no_context(transition: Transition) -> TagContext:
    nothing = ("",) * len(transition.provenance.tags)
    return TagContext(nothing, nothing, nothing, edited_text=None, only_tags=None)


def _context(task: EnrichmentTask, tools: _Tools, transition: Transition) -> TagContext:
    made = transition.provenance
    if made.signal != "tag":
        return _no_context(transition)
    other = _side(transition, "added") if task.settings.detect.per == "place" else None
    found = tools.context_targets.targets(_side(transition, "removed"), made.tags, other)
    # The last edit says little of a span, which many edits lie in.
    scope = None
    if made.pairing != "tagged-span":
        base = transition.session_base_text
        scope = edit_scope(
            parse(transition.before_text or ""),
            parse(transition.after_text or ""),
            tools.matcher,
            None if base is None else parse(base),
        )
    return TagContext(
        scope=found.scope,
        section=found.section,
        pointed_at=found.pointed_at,
        edited_text=scope.edited_text if scope else None,
        only_tags=scope.only_tags if scope else None,
    )


def _side(transition: Transition, kind: Kind) -> ParsedWikitext:
    """Return the older text of a transition of this kind, and the newer one of others."""
    is_older = transition.provenance.kind == kind
    return parse((transition.before_text if is_older else transition.after_text) or "")


def _compared(
    task: EnrichmentTask, tools: _Tools, transition: Transition, context: TagContext
) -> Comparison | None:
    made = transition.provenance
    if not (task.compare and _is_asked_for(task.settings, made)):
        return None
    try:
        return _compare(task, tools, transition, context)
    except Exception as error:  # as above
        return Comparison(not_compared(transition, context), cause_of(error))


def _compare(
    task: EnrichmentTask, tools: _Tools, transition: Transition, context: TagContext
) -> Comparison:
    if signal_of(transition.provenance.signal).gives != "biased":
        compared = _positives(tools, transition, context)
        return replace(compared, edit=_with_summary(tools.summaries, compared.edit))
    target_filter, tags = None, transition.provenance.tags
    if task.settings.diff.scope == "tagged":
        target_filter = partial(tools.targets.sentences_within, _side(transition, "removed"), tags)
    found = compare(
        transition, context, tools.rules, tools.segmenter, tools.redirect, target_filter
    )
    return replace(found, edit=_with_summary(tools.summaries, found.edit))


def _positives(tools: _Tools, transition: Transition, context: TagContext) -> Comparison:
    """Return the sentences of an edit with an intent, or of the state of a featured article."""
    how = tools.rules, tools.segmenter, tools.references
    if signal_of(transition.provenance.signal) is FEATURED:
        return featured_sentences(transition, context, *how)
    wanted = tools.positives.get(transition.provenance.signal, "changed")
    return positive_sentences(transition, context, wanted, *how)


def _with_summary(words: SummaryWords, edit: Edit) -> Edit:
    """Return an edit with what its summary says."""
    summary = edit.provenance.comment
    return replace(
        edit,
        policy_words=words.policy_words(summary),
        summary_reverts=words.says_revert(summary),
    )


def _is_asked_for(settings: Settings, made: Provenance) -> bool:
    """Return whether a transition is of a pairing asked for, and has a revision on both sides."""
    if signal_of(made.signal) is FEATURED:
        return True
    asked = made.signal != "tag" or made.pairing in settings.detect.pairing
    return asked and made.before_rev_id is not None


def rules_of(lang: str) -> Rules:
    """Return how the wikitext of a language is cleaned where no dump declares its namespaces.

    Raises:
        UsageError: an unknown language.
    """
    language = load_language(lang)
    tagset = load_tagset("npov", lang) if lang in tagset_languages("npov") else None
    namespaces = Namespaces.of({}, language.namespaces)
    return cleaning_rules(language, namespaces, tagset, load_config().text.max_wikitext)


def cleaning_rules(
    language: Language, namespaces: Namespaces, tagset: TagSet | None, max_chars: int
) -> Rules:
    """Return how the wikitext of a wiki is cleaned; wrapping tags show what they wrap."""
    tags = [
        (t.text, name) for t in (tagset.tags if tagset else ()) for name in (t.name, *t.aliases)
    ]
    return Rules(
        namespaces=namespaces,
        interlanguage=frozenset(load_mediawiki().interlanguage),
        templates=TemplateForms(
            namespaces,
            {**language.text_templates, **{name: text for text, name in tags if text}},
            (*language.silent_templates.get("names", ()), *(name for _, name in tags)),
            language.quotation_templates.get("names", ()),
        ),
        sections={
            heading_key(name): kind for kind, names in language.sections.items() for name in names
        },
        max_chars=max_chars,
    )
