"""The stage `build`, over all parts: kept edits to a balanced, split corpus."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, TypeVar, get_args

from wikibias.corpus.candidates import FEATURED_SIGNAL, Choice
from wikibias.corpus.card import write_card
from wikibias.corpus.sampling import build_corpus
from wikibias.corpus.tally import tallied
from wikibias.corpus.writer import write_corpus, write_pairs
from wikibias.errors import UsageError, WikibiasError
from wikibias.pipeline.jobs import CorpusJob
from wikibias.pipeline.page_splits import read_splits, write_splits
from wikibias.pipeline.settings import Build
from wikibias.records import BiasSignal, Edit, NormalForms
from wikibias.storage.schemas import CORPUS_TABLE, DIFFS_FORMS, DIFFS_TABLE, EDITS_TABLE, Table

R = TypeVar("R")
# Characters of kept edits; what a few hundred of them have.
_MOST_REMEMBERED = 4_000_000


@dataclass(frozen=True, slots=True)
class _Pair:
    """What names an edit in `edits` and in `diffs`: its two revisions, and why they are paired."""

    signal: str
    pairing: str
    page_id: int
    before_rev_id: int
    after_rev_id: int


_EDITS_PAIRS, _DIFFS_PAIRS = Table(EDITS_TABLE.name, _Pair), Table(DIFFS_TABLE.name, _Pair)


def run(job: CorpusJob) -> dict[str, Any]:
    """Build the corpus, and return what the manifest records of it.

    Raises:
        DiskError: the folder cannot be written to.
        UsageError: only featured articles are to give neutral sentences, and there are none.
    """
    build, detect = job.settings.build, job.settings.detect
    choice = choice_of(build)
    if build.negatives == "featured":
        _check_featured(job)
    few = _few(job)
    corpus = build_corpus(
        partial(_kept, job, DIFFS_TABLE) if few is None else lambda: few,
        partial(_kept, job, DIFFS_FORMS) if few is None else partial(map, _forms_of, few),
        choice,
        build.shares,
        split_by=build.split,
        seed=build.seed,
        known=read_splits(job.folder, build, job.summary["inputs"]),
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
    return composition


def _is_again(kept: _Pair, before: _Pair | None) -> bool:
    """Return whether an edit found by its summary took tags out as well: then it is there twice.

    The row of the tags comes first, and is the one that counts: it says more of the edit.
    """
    return kept.signal == "summary" and before == replace(
        kept, signal="tag", pairing="removal-edit"
    )


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


def _check_featured(job: CorpusJob) -> None:
    edits = (edit for part in job.parts for edit in job.read(_EDITS_PAIRS, part))
    if any(edit.signal == FEATURED_SIGNAL for edit in edits):
        return
    if FEATURED_SIGNAL in job.settings.detect.signal:
        raise UsageError(
            "no article here was featured for two weeks, so none can give negatives; leave "
            "--negatives out, or add dump parts"
        )
    raise UsageError(
        f"{job.folder} holds no featured articles to take negatives from; look for them with "
        "`wikibias detect --signal featured` beside the other signals, into another folder"
    )


def _few(job: CorpusJob) -> list[Edit] | None:
    """Return the kept edits where they are short enough to be remembered, not read again."""
    edits, chars = [], 0
    for edit in _kept(job, DIFFS_TABLE):
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


def _kept(job: CorpusJob, table: Table[R]) -> Iterator[R]:
    """Yield the kept edits of all parts, in order: rows of `diffs`, as records of `table`.

    Edits with an intent make another corpus; featured articles are there where they are asked for.

    Raises:
        WikibiasError: a part's file is gone, or `edits` and `diffs` do not belong together.
    """
    signals = {*get_args(BiasSignal)}
    if choice_of(job.settings.build).takes_featured:
        signals.add(FEATURED_SIGNAL)
    for part in job.parts:
        # Both tables hold the edits in one order.
        compared = enumerate(job.read(_DIFFS_PAIRS, part))
        rows = array("q")
        last: _Pair | None = None
        for kept in job.read(_EDITS_PAIRS, part):
            if kept.signal not in signals:
                continue
            last, before = kept, last
            if _is_again(kept, before):
                continue
            row = next((number for number, pair in compared if pair == kept), None)
            if row is None:
                raise WikibiasError(
                    f"{part.name}: `edits` holds an edit that `diffs` lacks; redo it with "
                    f"`wikibias filter --restart {job.folder}`"
                )
            rows.append(row)
        if rows:
            yield from job.read(table, part, rows)
