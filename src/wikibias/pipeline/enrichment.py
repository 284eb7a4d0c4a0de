"""Enriches a transition: tag location, edit scope, sentence diff. Runs in any worker process.

This is the costly part of the pipeline. It needs nothing but the transition and the settings.
"""

import gc
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

from wikibias.config import choices, languages, thresholds
from wikibias.edits import sentence_diff
from wikibias.edits.sentence_context import ReferenceFinder, Tools
from wikibias.edits.sentence_diff import Comparison
from wikibias.errors import cause_of
from wikibias.execution.pool import DEADLY
from wikibias.mediawiki import Namespaces, SummaryWords, redirect_pattern
from wikibias.pipeline.enrichment_task import Enriched, EnrichmentTask
from wikibias.pipeline.settings import Settings, language_of, positives_of, tagset_of
from wikibias.records import Edit, Kind, Provenance, TagContext, Transition
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import TagSet, load_tagset, tagset_languages
from wikibias.tags.template_parser import ParsedWikitext, parse
from wikibias.text import cleaning, markup_tree, segmentation, tidying
from wikibias.transitions.tag_targets import TargetFinder, edit_scope

# Some megabytes.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000


def prepare(settings: Settings) -> None:
    """Load what no dump need be known for, while its head is read."""
    tagset_of(settings)
    _segmenter(language_of(settings))


def enrich(task: EnrichmentTask, transitions: Sequence[Transition]) -> list[Enriched]:
    """Enrich some transitions, in order; what one of them raises is its cause."""
    return [*map(_enricher(task).enriched, transitions)]


def not_enriched(task: EnrichmentTask, transition: Transition) -> Enriched:
    """Return what is known of a transition that ends the process that enriches it."""
    comparison = compared_in_vain(task, transition)
    return Enriched(_no_context(transition), comparison and Comparison(comparison.edit), DEADLY)


def compared_in_vain(task: EnrichmentTask, row: Transition) -> Comparison | None:
    """Return what is known of an edit that ends the process that compares its sentences."""
    if not _is_asked_for(task, row.provenance):
        return None
    return Comparison(sentence_diff.not_compared(row, row.context or _no_context(row)), DEADLY)


def compare_rows(task: EnrichmentTask, rows: Sequence[Transition]) -> list[Comparison | None]:
    """Compare the sentences of transitions that are enriched, in order; None as in `Enriched`."""
    work = _enricher(task)
    return [work.compared(row, row.context or _no_context(row)) for row in rows]


def in_paragraphs(
    task: EnrichmentTask, transition: Transition, edit: Edit
) -> tuple[Edit, list[list[sentence_diff.Part]]]:
    """Return a compared edit paragraph by paragraph; see `sentence_diff.in_paragraphs`."""
    return sentence_diff.in_paragraphs(transition, edit, *_enricher(task).how)


class _Enricher:
    """The work on the transitions of one wiki, with the tools that it needs.

    `_context_targets` finds the targets that are recorded, which do not depend on the settings of
    the later stage `diff`; `_targets` follows those settings.
    """

    def __init__(self, task: EnrichmentTask) -> None:
        self._task, settings = task, task.settings
        language, tagset = language_of(settings), tagset_of(settings)
        namespaces = Namespaces.of(dict(task.declared), language.namespaces)
        self._matcher, self._segmenter = Matcher(tagset, namespaces), _segmenter(language)

        def targets(rules: cleaning.Rules) -> TargetFinder:
            return TargetFinder(self._matcher, tagset, rules, self._segmenter)

        most, default = settings.diff.max_wikitext, thresholds.Text().max_wikitext
        self._rules = cleaning_rules(language, namespaces, tagset, most)
        self._context_targets = self._targets = targets(self._rules)
        if most != default:
            self._context_targets = targets(replace(self._rules, max_chars=default))
        self.how = self._rules, self._segmenter
        self._redirect = redirect_pattern(languages.load_mediawiki().redirect_words)
        self._summaries = SummaryWords(language)
        finder = ReferenceFinder(language.intents.citation)
        self._tools = Tools(self._rules, self._segmenter, finder)
        self._positives = positives_of(settings)
        # Cleaning makes many objects, next to none in circles; what stays need not be looked
        # through.
        gc.freeze()
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)

    def enriched(self, transition: Transition) -> Enriched:
        """Return where the tags of a transition stand, and its comparison."""
        cause = None
        try:
            context = self._context(transition)
        except Exception as error:  # whatever a stranger's wikitext may cause
            context, cause = _no_context(transition), cause_of(error)
        return Enriched(context, self.compared(transition, context), cause)

    def compared(self, transition: Transition, context: TagContext) -> Comparison | None:
        """Return the comparison of a transition; None where none is asked for."""
        if not _is_asked_for(self._task, transition.provenance):
            return None
        try:
            found, said = self._compare(transition, context), transition.provenance.comment
            words, reverts = self._summaries.policy_words(said), self._summaries.says_revert(said)
            edit = replace(found.edit, policy_words=words, summary_reverts=reverts)
            return replace(found, edit=edit)
        except Exception as error:  # as above
            return Comparison(sentence_diff.not_compared(transition, context), cause_of(error))

    def _context(self, transition: Transition) -> TagContext:
        made = transition.provenance
        if made.signal != "tag":
            return _no_context(transition)
        other = _side(transition, "added") if self._task.settings.detect.per == "place" else None
        removed = _side(transition, "removed")
        found = self._context_targets.targets(removed, made.tags, other)
        # The last edit says little of a span, which many edits lie in.
        scope = None
        if made.pairing != "tagged-span":
            before, after = parse(transition.before_text or ""), parse(transition.after_text or "")
            base = transition.session_base_text
            earlier = None if base is None else parse(base)
            scope = edit_scope(before, after, self._matcher, earlier)
        return TagContext(
            scope=found.scope,
            section=found.section,
            pointed_at=found.pointed_at,
            edited_text=scope.edited_text if scope else None,
            only_tags=scope.only_tags if scope else None,
        )

    def _compare(self, transition: Transition, context: TagContext) -> Comparison:
        made = transition.provenance
        if choices.signal_of(made.signal) is choices.FEATURED:
            return sentence_diff.featured_sentences(transition, context, self._tools)
        if choices.signal_of(made.signal).gives != "biased":
            wanted = self._positives.get(made.signal, "changed")
            return sentence_diff.positive_sentences(transition, context, wanted, self._tools)
        target_filter = None
        if self._task.settings.diff.scope == "tagged":
            removed = _side(transition, "removed")
            target_filter = partial(self._targets.sentences_within, removed, made.tags)
        how = *self.how, self._redirect
        return sentence_diff.compare(transition, context, *how, target_filter)


_enricher = cache(_Enricher)


# Making one takes as long as a small part.
_segmenter = cache(segmentation.Segmenter)


def _no_context(transition: Transition) -> TagContext:
    nothing = ("",) * len(transition.provenance.tags)
    return TagContext(nothing, nothing, nothing, edited_text=None, only_tags=None)


def _side(transition: Transition, kind: Kind) -> ParsedWikitext:
    """Return the older text of a transition of this kind, and the newer one of others."""
    is_older = transition.provenance.kind == kind
    return parse((transition.before_text if is_older else transition.after_text) or "")


def _is_asked_for(task: EnrichmentTask, made: Provenance) -> bool:
    """Return whether a transition is compared: of a pairing asked for, with both revisions."""
    if choices.signal_of(made.signal) is choices.FEATURED:
        return task.compare
    asked = made.signal != "tag" or made.pairing in task.settings.detect.pairing
    return task.compare and asked and made.before_rev_id is not None


def rules_of(lang: str) -> cleaning.Rules:
    """Return how the wikitext of a language is cleaned where no dump declares its namespaces.

    Raises:
        UsageError: an unknown language.
    """
    language = languages.load_language(lang)
    tagset = load_tagset("npov", lang) if lang in tagset_languages("npov") else None
    namespaces = Namespaces.of({}, language.namespaces)
    return cleaning_rules(language, namespaces, tagset, thresholds.load_config().text.max_wikitext)


def cleaning_rules(
    language: languages.Language, namespaces: Namespaces, tagset: TagSet | None, max_chars: int
) -> cleaning.Rules:
    """Return how the wikitext of a wiki is cleaned; wrapping tags show what they wrap."""
    tags = [
        (t.text, name) for t in (tagset.tags if tagset else ()) for name in (t.name, *t.aliases)
    ]
    return cleaning.Rules(
        namespaces=namespaces,
        interlanguage=frozenset(languages.load_mediawiki().interlanguage),
        templates=markup_tree.TemplateForms(
            namespaces,
            {**language.text_templates, **{name: text for text, name in tags if text}},
            (*language.silent_templates.get("names", ()), *(name for _, name in tags)),
            language.quotation_templates.get("names", ()),
        ),
        sections={
            tidying.heading_key(name): kind
            for kind, names in language.sections.items()
            for name in names
        },
        max_chars=max_chars,
    )
