"""The stage `build`, over all parts: kept edits to a balanced, split corpus."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.config.signals import FEATURED, names_of_intents
from wikibias.corpus import sampling
from wikibias.corpus.candidates import Choice
from wikibias.corpus.card import write_card
from wikibias.corpus.composition import Composition, tallied
from wikibias.corpus.splits import PageSplits
from wikibias.corpus.writer import write_corpus, write_pairs
from wikibias.errors import UsageError
from wikibias.kits.schemas import CORPUS_TABLE, DIFFS_FORMS, DIFFS_TABLE
from wikibias.messages import counted
from wikibias.pipeline.filter import TWO_CLASSES, kept_by_signal, kept_edits
from wikibias.pipeline.jobs import CorpusJob
from wikibias.pipeline.page_splits import read_splits, write_splits
from wikibias.pipeline.settings import Build, labels_of
from wikibias.records import Edit, NormalForms

# Characters of kept edits; what a few hundred of them have.
_MOST_REMEMBERED = 4_000_000


def run(job: CorpusJob) -> dict[str, Any]:
    """Build what is asked for, and return what the manifest records of it.

    That is the corpus of two classes, and one with several labels; where nothing was looked for
    but intents, the latter alone.

    Raises:
        DiskError: the folder cannot be written to.
        UsageError: only featured articles are to give neutral sentences, and there are none.
    """
    refuse(job)
    labels = labels_of(job.settings)
    known = read_splits(job.folder, job.settings.build, job.summary["inputs"])
    composition, splits = asdict(Composition(splits=dict.fromkeys(SPLITS, 0))), known
    if set(TWO_CLASSES) & set(job.settings.detect.signal):
        composition, splits = _two_classes(job, known)
    if labels is not None:
        from wikibias.pipeline.labelled_build import build_labels  # noqa: PLC0415 (seldom needed)

        composition["labelled"] = build_labels(job, labels, splits, known)
    elif not_used := _not_used(job):
        composition["notes"].append(not_used)
    return composition


def refuse(job: CorpusJob) -> None:
    """Refuse what cannot be built.

    Raises:
        UsageError: see `run`; or nothing was looked for that gives the labels asked for.
    """
    if job.settings.build.negatives == "featured":
        _check_featured(job)
    if (labels := labels_of(job.settings)) is not None:
        from wikibias.pipeline.labelled_build import found_for  # noqa: PLC0415 (seldom needed)

        found_for(job, labels)


def _not_used(job: CorpusJob) -> str | None:
    """Return that edits of intents are kept, and what makes a corpus of them; None of none."""
    names = names_of_intents(job.settings.detect.signal)
    kept = kept_by_signal(job) if names else {}
    found = [counted(kept[name], f"{name} edit") for name in names if kept.get(name)]
    if not found:
        return None
    where = shlex.quote(str(job.folder))
    return f"{', '.join(found)} kept; for their sentences: wikibias build --labels intents {where}"


def _two_classes(job: CorpusJob, known: PageSplits) -> tuple[dict[str, Any], PageSplits]:
    """Write the corpus of two classes; return what the manifest records, and the splits."""
    build, detect = job.settings.build, job.settings.detect
    edits, forms = _sources(job)
    corpus = sampling.build_corpus(
        edits,
        forms,
        choice_of(build),
        build.shares,
        split_by=build.split,
        seed=build.seed,
        known=known,
    )
    # Before the corpus: what a reader may have seen is not dealt again.
    write_splits(job.folder, corpus.splits, build, job.summary["inputs"])
    target = job.folder / CORPUS_TABLE.name
    rows = tallied(corpus.sentences(), corpus.composition)
    write_corpus(target, rows, with_editors=detect.with_editors)
    if build.pairs:
        found = write_pairs(target, corpus.pairs(), with_editors=detect.with_editors)
        corpus.composition.pairs = found
    composition = asdict(corpus.composition)
    write_card(target, {**job.summary, "corpus": composition})
    return composition, corpus.splits


def choice_of(build: Build) -> Choice:
    """Return which sentences may be chosen with these settings."""
    return Choice(
        lengths=range(build.min_tokens, build.max_tokens + 1),
        blocks=build.blocks,
        min_tier=build.min_tier,
        max_per_edit=build.max_per_edit,
        max_share=build.max_share,
        tiers=build.tiers,
        negatives=build.negatives,
    )


def _signals(build: Build) -> tuple[str, ...]:
    """Return the signals of the edits that a corpus of two classes is made of."""
    return (*TWO_CLASSES, *((FEATURED.name,) if choice_of(build).takes_featured else ()))


def _check_featured(job: CorpusJob) -> None:
    """Refuse to take negatives from featured articles where there are none.

    Raises:
        UsageError: the message says what to type.
    """
    if not kept_by_signal(job)[FEATURED.name]:
        raise UsageError(
            "no article here was featured for two weeks, so none can give negatives; run "
            f"`wikibias build --restart {job.folder}` without --negatives, or add dump parts"
        )


def _sources(
    job: CorpusJob,
) -> tuple[Callable[[], Iterable[Edit]], Callable[[], Iterable[NormalForms]]]:
    """Return what gives the kept edits, and what gives their normal forms, at each call."""
    few, signals = _few(job), _signals(job.settings.build)
    if few is not None:
        return lambda: few, partial(map, _forms_of, few)
    return partial(kept_edits, job, DIFFS_TABLE, signals), partial(
        kept_edits, job, DIFFS_FORMS, signals
    )


def _few(job: CorpusJob) -> list[Edit] | None:
    """Return the kept edits where they are short enough to be remembered, not read again."""
    edits, chars = [], 0
    for edit in kept_edits(job, DIFFS_TABLE, _signals(job.settings.build)):
        edits.append(edit)
        for sentences in (edit.removed, edit.added, edit.unchanged):
            chars += sum(len(sentence.text) for sentence in sentences)
        if chars > _MOST_REMEMBERED:
            return None
    return edits


def _forms_of(edit: Edit) -> NormalForms:
    made = edit.provenance
    sides = (edit.removed, edit.added, edit.unchanged)
    forms = [tuple(sentence.norm for sentence in side) for side in sides]
    return NormalForms(made.wiki, made.page_id, *forms)
