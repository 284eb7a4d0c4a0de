"""The second half of the stage `build`: a corpus with several labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from itertools import chain
from typing import Any

from wikibias.config.choices import LabelsBy, Negatives
from wikibias.corpus.candidates import WITH_FEATURED
from wikibias.corpus.card import write_labelled_card
from wikibias.corpus.composition import tallied_labels
from wikibias.corpus.labelled.evidence import Find, InlineTags, intent_finds, tag_finds
from wikibias.corpus.labelled.sampling import LabelledChoice, build_labelled
from wikibias.corpus.labelled.sentences import KINDS
from wikibias.corpus.splits import Dealt, PageSplits
from wikibias.corpus.writer import write_labelled
from wikibias.edits.filters import FILTERS, filter_names
from wikibias.errors import UsageError
from wikibias.kits.schemas import DIFFS_TABLE, LABELLED_TABLE
from wikibias.pipeline.filter import judged, kept_edits
from wikibias.pipeline.jobs import CorpusJob
from wikibias.pipeline.page_splits import write_splits
from wikibias.pipeline.settings import intents_of, language_of, tagset_of
from wikibias.pipeline.signals import names_of_intents
from wikibias.records import FEATURED_SIGNAL, Edit, NegativeKind

# Filters that ask what an edit did to the text. An inline tag that is answered with a reference
# changes no word of it, and others may stand at other sentences.
_OF_TEXT = frozenset(
    (
        "tag_swapped",
        "tags_left",
        "tag_only",
        "number_only",
        "punctuation_case",
        "deletions_only",
        "insertions_only",
        "spelling",
    )
)


def build_labels(
    job: CorpusJob, by: LabelsBy, splits: PageSplits, before: PageSplits
) -> dict[str, Any]:
    """Write the corpus with several labels, and return what the manifest records of it.

    Args:
        job: the folder and its parts.
        by: what the labels are.
        splits: of pages that are dealt, in this build or an earlier one.
        before: of those of an earlier one.

    Raises:
        UsageError: nothing was looked for that gives such labels.
        DiskError: the folder cannot be written to.
    """
    build = job.settings.build
    finds, labels = found_for(job, by)
    choice = LabelledChoice(
        labels,
        lengths=range(build.min_tokens, build.max_tokens + 1),
        blocks=build.blocks,
        negatives=_kinds(build.negatives),
        split_by=build.split,
        seed=build.seed,
    )
    made = build_labelled(finds, choice, build.shares, by, splits)
    dealt = {**splits, **_of_this_build(made.splits, before)}
    # Before the corpus: what a reader may have seen is not dealt again.
    write_splits(job.folder, dealt, build, job.summary["inputs"])
    if by == "intents":
        # The file of an intent may be gone since its edits were found.
        with suppress(UsageError):
            made.composition.about = {each.name: each.about for each in intents_of(job.settings)}
    target = job.folder / LABELLED_TABLE.name
    rows = tallied_labels(made.rows(), made.composition)
    write_labelled(target, rows, with_editors=job.settings.detect.with_editors)
    composition = asdict(made.composition)
    write_labelled_card(target, job.summary, composition)
    return composition


def _of_this_build(splits: PageSplits, before: PageSplits) -> PageSplits:
    """Return the splits, those that no earlier build has dealt as dealt in this one."""
    build = 1 + max((dealt.build for dealt in before.values()), default=0)
    return {
        page: dealt if page in before else Dealt(dealt.split, build)
        for page, dealt in splits.items()
    }


def _kinds(negatives: Negatives | None) -> tuple[NegativeKind, ...]:
    """Return what negatives may be taken from."""
    return KINDS if negatives is None or negatives == "mixed" else (negatives,)


Finds = tuple[Callable[[], Iterator[Find]], tuple[str, ...]]


def found_for(job: CorpusJob, by: LabelsBy) -> Finds:
    """Return what gives the finds of some labels, and the names of these.

    Raises:
        UsageError: nothing was looked for that gives such labels.
    """
    return (_of_intents if by == "intents" else _of_tags)(job)


def _of_intents(job: CorpusJob) -> Finds:
    labels = tuple(sorted(names_of_intents(job.settings.detect.signal)))
    if not labels:
        raise UsageError(
            "no intent was looked for, so there are no labels of intents; run `wikibias detect` "
            "with --signal and the name of one"
        )
    wanted = (*labels, FEATURED_SIGNAL)
    return lambda: intent_finds(kept_edits(job, DIFFS_TABLE, wanted), labels), labels


def _of_tags(job: CorpusJob) -> Finds:
    tags = InlineTags.of(
        tagset_of(job.settings), keep_apostrophes=language_of(job.settings).keep_apostrophes
    )
    if "tag" not in job.settings.detect.signal or not tags.families:
        raise UsageError(
            "no tag that stands at a sentence was looked for; run `wikibias extract` with --tagset "
            "inline-cleanup, or another set with inline tags"
        )
    labels = tuple(tags.labels)
    if job.settings.build.negatives not in WITH_FEATURED:
        return lambda: tag_finds(_standing(job), tags), labels
    return lambda: chain(
        tag_finds(_standing(job), tags),
        intent_finds(kept_edits(job, DIFFS_TABLE, [FEATURED_SIGNAL]), labels),
    ), labels


def _standing(job: CorpusJob) -> Iterator[Edit]:
    """Yield the edits of tags that no filter drops but those that ask what became of the text."""
    chosen = job.settings.filter
    off = {*_OF_TEXT, *(["reverted"] if chosen.reverts == "keep" else ())}
    filters = [FILTERS[name] for name in filter_names(chosen.filters) if name not in off]
    is_dropped = partial(judged, limits=chosen.limits, filters=filters)
    for part in job.parts:
        for edit in job.read(DIFFS_TABLE, part):
            if edit.provenance.signal == "tag" and is_dropped(edit)[0] is None:
                yield edit
