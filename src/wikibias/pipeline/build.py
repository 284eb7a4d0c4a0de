"""The stage `build`, over all parts: from kept edits to corpora, by the source of their labels.

Edits of tags and summaries give the corpus of two classes; edits with an intent, or the inline tags
that edits take out, give that of several labels.

Last month's test set is still last month's: a file beside the corpus, which is written anew, tells
which split each page was dealt to, and outlasts a kill between the two. Its first line tells the
seed, the shares and the parts of the last build; then there is a line for each page: the wiki, the
id, the split, and in which build, counted from 1, it was dealt. A build of the same parts again, or
after one of which a part was damaged, does the last deal over.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.config.choices import BIASED, FEATURED, SPLITS, LabelsBy, names_of_intents
from wikibias.corpus import candidates, card, evidence, paragraphs, sampling
from wikibias.corpus.composition import Composition, tallied, tallied_labels
from wikibias.corpus.rows import split_files, write_corpus, write_pairs, write_splits
from wikibias.corpus.splits import Dealt, PageSplits
from wikibias.edits.filters import FILTERS, filter_names
from wikibias.errors import UsageError, counted, quoted
from wikibias.kits import files, parquet, schemas
from wikibias.kits.files import ascii_json, from_json
from wikibias.pipeline.enrichment_task import EnrichmentTask
from wikibias.pipeline.filter import judged, kept_by_signal, kept_edits, kept_with_texts
from wikibias.pipeline.jobs import PAGE_SPLITS, CorpusJob, recorded
from wikibias.pipeline.settings import Build, intents_of, labels_of, language_of, tagset_of
from wikibias.pipeline.stages import named
from wikibias.records import Edit
from wikibias.text.scripts import scripts_of

if TYPE_CHECKING:
    from wikibias.edits.sentence_diff import Part

_MOST_BUILDS = 1 << 31


def read_splits(folder: Path, build: Build, inputs: Sequence[Mapping[str, Any]]) -> PageSplits:
    """Return the splits that stay; none where they were dealt with other shares or another seed.

    Where the file is gone, or damaged by a power failure, the corpus tells.
    """
    if build.split != "page":
        return {}
    path = folder / PAGE_SPLITS
    # A pipe of this name would be waited for.
    if not path.is_file():
        return {} if path.exists() else _written(folder)
    try:
        with path.open(encoding="utf-8") as lines:
            head, now = from_json(next(lines, "")), _head(build, inputs)
            if any(head[name] != now[name] for name in ("seed", "shares")):
                return {}
            found = dict(map(_page, lines))
            is_binding = head["whole"] and head["parts"] != now["parts"]
    except (OSError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
        return _written(folder)
    last = max((dealt.build for dealt in found.values()), default=0)
    return {page: dealt for page, dealt in found.items() if is_binding or dealt.build < last}


def write_page_splits(
    folder: Path, splits: PageSplits, build: Build, inputs: Sequence[Mapping[str, Any]]
) -> None:
    """Record the splits, in the order of wikis and page ids; nothing where there are none.

    Raises:
        DiskError: the folder cannot be written to.
    """
    if not splits:
        with files.disk_errors(folder):
            (folder / PAGE_SPLITS).unlink(missing_ok=True)
        return
    pages = (
        [wiki, page, SPLITS[dealt.split], dealt.build]
        for (wiki, page), dealt in sorted(splits.items())
    )
    lines: Iterable[object] = (_head(build, inputs), *pages)
    files.write_text(folder / PAGE_SPLITS, "".join(f"{ascii_json(line)}\n" for line in lines))


def _head(build: Build, inputs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "seed": build.seed,
        "shares": asdict(build.shares),
        "whole": not any(entry["error"] for entry in inputs),
        "parts": [entry["part"] for entry in inputs],
    }


def _page(line: str) -> tuple[tuple[str, int], Dealt]:
    wiki, page, split, build = from_json(line)
    if not 0 < build < _MOST_BUILDS:
        raise ValueError("no number of a build")
    return (str(wiki), int(page)), Dealt(SPLITS.index(split), int(build))


def _written(folder: Path) -> PageSplits:
    """Return the splits of a corpus without a record of them; earlier versions wrote none."""
    paths = [folder / schemas.CORPUS_TABLE.name / f"{split}.parquet" for split in SPLITS]
    if not all(path.is_file() for path in paths):
        return {}
    return {
        (row["wiki"], row["page_id"]): Dealt(number, 1)
        for number, path in enumerate(paths)
        for row in parquet.read_table(path, ["wiki", "page_id"])
    }


# Characters of kept edits; what a few hundred of them have.
_MOST_REMEMBERED = 4_000_000
# Filters that ask what an edit did to the text. An inline tag that is answered with a reference
# changes no word of it, and others may stand at other sentences.
_OF_TEXT = frozenset(
    "tag_swapped tags_left tag_only number_only punctuation_case deletions_only insertions_only "
    "spelling".split()
)


def run(job: CorpusJob) -> dict[str, Any]:
    """Build what is asked for, and return what the manifest records of it.

    That is the corpus of two classes, and one with several labels; where nothing was looked for
    but intents, the latter alone.

    Raises:
        DiskError: the folder cannot be written to.
        UsageError: only featured articles are to give neutral sentences, and there are none.
    """
    refuse(job)
    by = labels_of(job.settings)
    known = read_splits(job.folder, job.settings.build, job.summary["inputs"])
    composition, splits = asdict(Composition(splits=dict.fromkeys(SPLITS, 0))), known
    if set(BIASED) & set(job.settings.detect.signal):
        composition, splits = _two_classes(job, known)
    if by is not None:
        composition["labelled"] = _several_labels(job, by, splits, known)
    elif not_used := _not_used(job):
        composition["notes"].append(not_used)
    return composition


def refuse(job: CorpusJob) -> None:
    """Refuse what cannot be built.

    Raises:
        UsageError: see `run`; or nothing was looked for that gives the labels asked for.
    """
    if job.settings.build.unit == "paragraph" and not {*BIASED} & {*job.settings.detect.signal}:
        raise UsageError(
            "--unit paragraph goes with biased and neutral text, and nobody has looked for any "
            "here; run `wikibias detect --signal tag` on the dumps, into a folder of its own"
        )
    if job.settings.build.negatives == "featured":
        _check_featured(job)
    if (by := labels_of(job.settings)) is not None:
        _labels_source(job, by)


def choice_of(build: Build, lang: str) -> candidates.Choice:
    """Return which sentences of a language may be chosen with these settings."""
    return candidates.Choice(
        lengths=range(build.min_tokens, build.max_tokens + 1),
        scripts=scripts_of(lang),
        blocks=build.blocks,
        min_tier=build.min_tier,
        min_confidence=build.min_confidence,
        max_per_edit=build.max_per_edit,
        tiers=build.tiers,
        negatives=build.negatives,
        shares=build.shares,
        split_by=build.split,
        seed=build.seed,
    )


def _two_classes(job: CorpusJob, known: PageSplits) -> tuple[dict[str, Any], PageSplits]:
    """Write the corpus of two classes; return what the manifest records, and the splits."""
    build, with_editors = job.settings.build, job.settings.detect.with_editors
    choice = choice_of(build, job.settings.detect.lang)
    target = job.folder / schemas.CORPUS_TABLE.name
    with _two_class_source(job) as source:
        corpus = sampling.build_corpus(source, choice, known)
        # Before the corpus: what a reader may have seen is not dealt again.
        write_page_splits(job.folder, corpus.splits, build, job.summary["inputs"])
        rows, made = tallied(corpus.rows(), corpus.composition), corpus.composition
        write_corpus(target, rows, job.folder / "text", with_editors=with_editors)
        if build.pairs:
            aligned = job.folder / "aligned"
            made.pairs = write_pairs(aligned, corpus.pairs(), with_editors=with_editors)
    composition = asdict(corpus.composition)
    card.write_card(job.folder, {**job.summary, "corpus": composition})
    return composition, corpus.splits


def _several_labels(
    job: CorpusJob, by: LabelsBy, splits: PageSplits, before: PageSplits
) -> dict[str, Any]:
    """Write the corpus with several labels, and return what the manifest records of it.

    Args:
        job: the folder and its parts.
        by: what the labels are.
        splits: of pages that are dealt, in this build or an earlier one.
        before: of those of an earlier one.
    """
    build, with_editors = job.settings.build, job.settings.detect.with_editors
    source, labels = _labels_source(job, by)
    choice = choice_of(build, job.settings.detect.lang)
    corpus = sampling.build_labelled(source, labels, choice, by, splits)
    dealt = {**splits, **_of_this_build(corpus.splits, before)}
    # Before the corpus: what a reader may have seen is not dealt again.
    write_page_splits(job.folder, dealt, build, job.summary["inputs"])
    if by == "intents":
        # The file of an intent may be gone since its edits were found.
        with suppress(UsageError):
            corpus.composition.about = {each.name: each.about for each in intents_of(job.settings)}
    target = job.folder / schemas.LABELLED_TABLE.name
    rows = tallied_labels(corpus.rows(), corpus.composition)
    write_splits(split_files(target), schemas.LABELLED_TABLE, rows, with_editors=with_editors)
    composition = asdict(corpus.composition)
    card.write_card(target, job.summary, composition)
    return composition


def _of_this_build(splits: PageSplits, before: PageSplits) -> PageSplits:
    """Return the splits, those that no earlier build has dealt as dealt in this one."""
    build = 1 + max((dealt.build for dealt in before.values()), default=0)
    return {
        page: dealt if page in before else Dealt(dealt.split, build)
        for page, dealt in splits.items()
    }


def _not_used(job: CorpusJob) -> str | None:
    """Return that edits of intents are kept, and what makes a corpus of them; None of none."""
    names = names_of_intents(job.settings.detect.signal)
    kept = kept_by_signal(job) if names else {}
    found = [counted(kept[name], f"{name} edit") for name in names if kept.get(name)]
    if not found:
        return None
    where = quoted(str(job.folder))
    return f"{', '.join(found)} kept; for their sentences: wikibias build --labels intents {where}"


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


@contextmanager
def _two_class_source(job: CorpusJob) -> Iterator[evidence.EvidenceSource]:
    """Give the evidence of the kept edits of tags and summaries, and of featured articles."""
    build = job.settings.build
    signals = (*BIASED, *((FEATURED.name,) if build.negatives in candidates.WITH_FEATURED else ()))
    if build.unit == "paragraph":
        found = (
            paragraphs.judged(edit, *in_paragraphs, build.tiers)
            for edit, in_paragraphs in _paragraphs_of_kept(job, signals)
        )
        with_editors = job.settings.detect.with_editors
        with paragraphs.spooled(found, job.folder, build.tiers, with_editors) as source:
            yield source
        return
    few = _few(kept_edits(job, signals))
    yield lambda: evidence.two_class_evidence(
        kept_edits(job, signals) if few is None else few, build.tiers
    )


def _paragraphs_of_kept(
    job: CorpusJob, signals: Sequence[str]
) -> Iterator[tuple[Edit, "tuple[Edit, list[list[Part]]]"]]:
    """Yield the kept edits, each with what its two texts tell of their paragraphs."""
    # It loads what cleans and splits.
    from wikibias.pipeline.enrichment import in_paragraphs  # noqa: PLC0415

    for part in job.parts:
        facts = recorded(job.folder, named("detect"), part.name) or {}
        task = EnrichmentTask.of(job.settings, facts, compare=True)
        for edit, transition in kept_with_texts(job, part, signals):
            yield edit, in_paragraphs(task, transition, edit)


def _few(kept: Iterable[Edit]) -> list[Edit] | None:
    """Return edits where they are short enough to be remembered, not read again."""
    edits, chars = [], 0
    for edit in kept:
        edits.append(edit)
        for sentences in (edit.removed, edit.added, edit.unchanged):
            chars += sum(len(sentence.text) for sentence in sentences)
        if chars > _MOST_REMEMBERED:
            return None
    return edits


def _labels_source(job: CorpusJob, by: LabelsBy) -> tuple[evidence.EvidenceSource, tuple[str, ...]]:
    """Return the evidence of some labels, and the names of these.

    Raises:
        UsageError: nothing was looked for that gives such labels.
    """
    if by == "intents":
        labels = tuple(sorted(names_of_intents(job.settings.detect.signal)))
        if not labels:
            raise UsageError(
                "no intent was looked for, so there are no labels of intents; run `wikibias "
                "detect` with --signal and the name of one"
            )
        signals = (*labels, FEATURED.name)
        return lambda: evidence.intent_evidence(kept_edits(job, signals), labels), labels
    tags = evidence.InlineTags.of(
        tagset_of(job.settings), keep_apostrophes=language_of(job.settings).keep_apostrophes
    )
    if "tag" not in job.settings.detect.signal or not tags.families:
        raise UsageError(
            "no tag that stands at a sentence was looked for; run `wikibias extract` with --tagset "
            "inline-cleanup, or another set with inline tags"
        )
    labels = tuple(tags.labels)
    featured = (FEATURED.name,) if job.settings.build.negatives in candidates.WITH_FEATURED else ()
    return lambda: chain(
        evidence.tag_evidence(_standing(job), tags),
        evidence.intent_evidence(kept_edits(job, featured) if featured else (), labels),
    ), labels


def _standing(job: CorpusJob) -> Iterator[Edit]:
    """Yield the edits of tags that no filter drops but those that ask what became of the text."""
    chosen = job.settings.filter
    off = {*_OF_TEXT, *(["reverted"] if chosen.reverts == "keep" else ())}
    filters = [FILTERS[name] for name in filter_names(chosen.filters) if name not in off]
    is_dropped = partial(judged, limits=chosen.limits, filters=filters)
    for part in job.parts:
        for edit in job.read(schemas.DIFFS_TABLE, part):
            if edit.provenance.signal == "tag" and is_dropped(edit)[0] is None:
                yield edit
