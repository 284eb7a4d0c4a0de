"""The stages `detect` and `diff`: a dump to transitions and, in the same reading, to edits.

Reading goes on while other processes enrich what was found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.config.choices import FEATURED, Reader, RuleSet, names_of_intents, no_texts
from wikibias.config.languages import Language, languages
from wikibias.dumps.checksums import is_confirmed
from wikibias.dumps.compression import bzip2_blocks
from wikibias.dumps.compression.formats import untold
from wikibias.dumps.iteration import (
    Sources,
    Tally,
    identity,
    iterate_pages,
    older_than,
    open_dump,
    open_indexed,
    traced,
)
from wikibias.dumps.page_index import PageIndexer, find_index, is_worth_it
from wikibias.dumps.xml import fast_reader, mwxml_reader
from wikibias.dumps.xml.revision_parser import compiled
from wikibias.errors import BUG, DumpError, cause_of, counted
from wikibias.execution.pool import WorkerPool, call
from wikibias.kits import parquet, schemas
from wikibias.mediawiki import Namespaces
from wikibias.pipeline.enrichment_task import Enriched, EnrichmentTask, batches, without_texts
from wikibias.pipeline.jobs import PartJob, RowCounts
from wikibias.pipeline.settings import ARTICLES, intents_of, language_of, tagset_of
from wikibias.records import LONGEST_TEXT, Edit, Page, Revision, Site, Transition
from wikibias.tags.matcher import Matcher
from wikibias.tags.prefilter import names_pattern
from wikibias.tags.scanner import FeaturedMatcher, TagScanner
from wikibias.tags.tagset import TagSet
from wikibias.transitions import detection, pending
from wikibias.transitions.summaries import summary_source

if TYPE_CHECKING:
    from wikibias.config.intents import Intent
    from wikibias.edits.sentence_diff import Comparison


def compare(job: PartJob) -> None:
    """Do the stage `diff`: compare the revisions of the transitions that are asked for."""
    # It loads what cleans and splits.
    from wikibias.pipeline.enrichment import compare_rows, compared_in_vain  # noqa: PLC0415

    task = EnrichmentTask.of(job.settings, job.facts_of(schemas.TRANSITIONS_TABLE), compare=True)
    edits = Edits(job)
    rows = batches(job.read(schemas.TRANSITIONS_TABLE))
    lost = partial(compared_in_vain, task)
    for _, comparisons in job.pool.in_order(partial(compare_rows, task), rows, lost):
        for comparison in comparisons:
            edits.write(comparison)


class Edits:
    """Writes the edits of a part, names what could not be compared, and has all judged.

    The job is that of the stage `diff`; with it goes the stage `filter`, where that is asked for.
    """

    def __init__(self, job: PartJob) -> None:
        self._job = job
        self._judge: Callable[[Edit], None] | None = None
        if "filter" in job.joined:
            from wikibias.pipeline.filter import Verdicts  # noqa: PLC0415 (no filters, no need)

            self._judge = Verdicts(job.joined["filter"]).give

    def write(self, comparison: Comparison | None) -> None:
        """Write one edit; None where none is asked for."""
        if comparison is None:
            return
        edit, cause = comparison.edit, comparison.cause
        try:
            self._job.write(schemas.DIFFS_TABLE, edit)
        except parquet.RowError as error:
            from wikibias.edits.sentence_diff import without_sentences  # noqa: PLC0415 (as above)

            edit, cause = without_sentences(edit), cause or str(error)
            self._job.write(schemas.DIFFS_TABLE, edit)
        if cause is not None:
            self._job.skip(edit.provenance, cause)
        if self._judge is not None:
            self._judge(edit)


# What becomes of summaries that name the policy, in the order of the rule.
SUMMARY_COUNTS = ("matched", "reverts", "pover", "kept")


@dataclass(slots=True)
class Findings:
    """What was seen of a part while it was read, for the metadata of its output.

    `tally` names what could not be read of it, `rows` counts the transitions of those `intents` and
    of all else.
    """

    tally: Tally = field(default_factory=Tally)
    rows: RowCounts = field(default_factory=RowCounts)
    intents: Sequence[str] = ()
    summaries: Mapping[str, int] = field(default_factory=dict)
    about: dict[str, Any] = field(
        default_factory=lambda: {"wiki": None, "namespaces": {}, "warnings": [], "input": None}
    )

    def meta(self, lost: Tally) -> dict[str, Any]:
        """Return everything, as it stands in the file's metadata.

        Args:
            lost: the transitions that could not be worked out: the reading is ahead of them, by as
                much as there are workers.
        """
        tally = replace(self.tally, first_unreadable=list(self.tally.first_unreadable))
        tally.add_unreadable(lost)
        newest = tally.newest.isoformat() if tally.newest else None
        summaries = {name: self.summaries.get(name, 0) for name in SUMMARY_COUNTS}
        counts = self.rows.by_kind() | {"summaries": summaries} | self.rows.by_intent(self.intents)
        return asdict(tally) | {"newest": newest} | counts | self.about


NO_TAGS = (
    "is a stub dump, so that no tags, intents or featured marks can be found in it; edits were "
    "found by their summaries alone"
)
UNCHECKED = (
    "holds no checksums, neither of its texts nor as an archive: damage inside of texts goes unseen"
)

STREAMS = (
    "is packed in several streams, not checked: that one of them is missing, or there twice, goes "
    "unseen; put the list of checksums of whoever offers it beside it, such as SHA256SUMS"
)


def of_texts(tally: Tally) -> Iterator[str]:
    """Warn of texts that were passed over, and of pages that begin in the middle."""
    if tally.too_long_texts:
        passed_over = counted(tally.too_long_texts, "revision")
        yield (
            f"passed over the text of {passed_over} of more than {LONGEST_TEXT:,} characters, "
            "which no wiki saves; tags in it are not seen"
        )
    # Single pages may have been imported so.
    if tally.without_beginning * 2 > tally.pages:
        yield (
            f"{tally.without_beginning:,} of {counted(tally.pages, 'page')} begin in the middle of "
            "their history, as in a dump of additions and changes, which cannot be joined with "
            "earlier ones; take the dump of the full history (pages-meta-history)"
        )


def of_language(site: Site, language: Language, tagset: TagSet | None) -> Iterator[str]:
    """Warn where the wiki has another language, or the tags are not checked."""
    if site.language not in ("", language.code):
        known = site.language in languages()
        remedy = f"--lang {site.language}" if known else "wikibias docs add-a-language"
        yield (
            f"{site.wiki} says that its language is {site.language!r}; the tags and sentence rules "
            f"of {language.code!r} were used (if that is a mistake: {remedy})"
        )
    if tagset is not None and not tagset.verified:
        yield (
            f"the tag set {tagset.name!r} for {tagset.lang!r} has not been checked against the "
            f"wiki; to see it: wikibias tags show --lang {tagset.lang} --tagset {tagset.name}"
        )


def of_intents(intents: Iterable[Intent], rule_set: RuleSet, language: Language) -> list[str]:
    """Warn of rules that can hold nowhere, for want of words of the language."""
    return [
        f"no edit can have the intent {each.name!r}: its rule {rule.name!r} has no pattern for "
        f"{language.code!r}; add one to by_language, or `matches` for all languages"
        for each in intents
        for rule in each.rules(rule_set)
        if rule.is_mute(language)
    ]


_EVERY_NAMESPACE = range(-(1 << 31), 1 << 31)


def run(job: PartJob) -> None:
    """Write the transitions of a part and, where they are wanted as well, its edits.

    Damage ends the part; what came before it is written. A page or a transition that cannot be
    worked out is passed over and named.
    """
    findings, comparing = Findings(), job.joined.get("diff")
    edits = None if comparing is None else Edits(comparing)
    for transition, done in _found(job, findings):
        made = transition.provenance
        try:
            job.write(schemas.TRANSITIONS_TABLE, replace(transition, context=done.context))
        except parquet.RowError as error:
            job.skip(made, str(error))
            continue
        findings.rows.count(made.kind, made.pairing, made.signal, undone=made.reverted)
        if done.cause is not None:
            job.skip(made, done.cause)
        if edits is not None:
            edits.write(done.comparison)
    job.facts |= findings.meta(job.lost)


def _found(job: PartJob, findings: Findings) -> Iterator[tuple[Transition, Enriched]]:
    """Yield the transitions of a part, enriched, up to its end or to its damage."""
    part, settings, pool = job.part, job.settings, job.pool
    tally, about, language = findings.tally, findings.about, language_of(settings)
    # A dry run does not read its input to the end, and must not do so for the checksum.
    complete = settings.detect.limit is None
    try:
        tags = tagset_of(settings) if "tag" in settings.detect.signal else None
        with _dump_of(job, language, tags, tally) as (dump, source):
            about["wiki"], about["namespaces"] = dump.site.wiki, dict(dump.site.namespaces)
            about["warnings"] = [
                *of_language(dump.site, language, tags),
                *of_intents(intents_of(settings), settings.detect.rules, language),
            ]

            def post() -> None:
                found = findings.rows.kinds.total()
                job.post(part.name, "detect", source.read_bytes, tally.pages, found)

            task = EnrichmentTask.of(settings, about, compare="diff" in job.joined)
            yield from _enriched(_transitions(job, findings, dump, post), task, pool)
            about["input"] = identity(part, source, whole=complete)
        if not (complete and tally.error is None and is_confirmed(part.files, source.known)):
            if tally.has_texts and not (tally.has_checksums or source.are_checked):
                about["warnings"].append(UNCHECKED)
            if source.have_streams:
                about["warnings"].append(STREAMS)
    except DumpError as error:
        tally.error = str(error)
    tally.finish()
    if tally.newest is not None:
        tally.newest = min(tally.newest, _end(job) or tally.newest)
    about["warnings"] += of_texts(tally)
    if tally.is_stub and tally.error is None:
        if "summary" not in settings.detect.signal or "diff" in job.joined:
            tally.error = no_texts(settings.detect.signal)
        elif len(settings.detect.signal) > 1:
            about["warnings"].append(NO_TAGS)
    if about["input"] is None:
        about["input"] = identity(part, None, whole=complete)


@contextmanager
def _dump_of(
    job: PartJob, language: Language, tagset: TagSet | None, tally: Tally
) -> Iterator[tuple[mwxml_reader.Dump, Sources]]:
    """Open the dump of a part, by its index if it can be; in the end, write one if there is none.

    By an index, only pages are read that may have a tag, which is enough where nothing else is
    looked for; the `tally` is in the end that of all pages.
    """
    settings, wanted, (path, *more) = job.settings, job.settings.detect, job.part.files
    whole = wanted.limit is None and not wanted.verify and settings.reader == "fast"
    index, indexer = None, None
    if whole and not more and is_worth_it(path) and bzip2_blocks.is_there():
        if wanted.signal == ("tag",):
            index = find_index(Path(path), wanted.namespaces)
        indexer = PageIndexer() if index is None else None
    read = reader_of(
        language,
        tagset,
        settings.reader,
        tally.skip,
        with_marks=FEATURED.name in wanted.signal,
        per_place=wanted.per == "place",
        on_odd=untold if indexer is None else indexer.give_up,
    )
    if index is not None and tagset is not None:
        with open_indexed(index, read, partial(_calls, language, tagset)) as (dump, source):
            yield dump, source
        if tally.error is None:
            tally.as_in(index.about["tally"])
        return
    with open_dump(job.part, read, job.pool.size, indexer) as (dump, source):
        yield dump, source
        known = source.known(path)
    if indexer is not None and known is not None and tally.is_flawless():
        about = {"sha256": known[0], "size": known[1], "streams": source.have_streams}
        about |= {"namespaces": sorted(wanted.namespaces), "tally": tally.counts()}
        indexer.write(Path(path), about)


def _calls(language: Language, tagset: TagSet, site: Site) -> Callable[[bytes], bool]:
    namespaces = Namespaces.of(site.namespaces, language.namespaces)
    pattern = compiled(names_pattern(tagset, namespaces))
    return lambda call: pattern.match(call) is not None


def _enriched(
    found: Iterable[Transition], task: EnrichmentTask, pool: WorkerPool
) -> Iterator[tuple[Transition, Enriched]]:
    """Yield transitions with what enrichment finds, which is next to nothing of some.

    These go to no other process with their texts.
    """
    waiting: deque[Transition] = deque()

    def sent() -> Iterator[Transition]:
        for transition in found:
            waiting.append(transition)
            yield transition if task.needs_texts(transition) else without_texts(transition)

    # Loaded only in the processes that do it.
    enrich = partial(call, "wikibias.pipeline.enrichment:enrich", task)
    lost = partial(call, "wikibias.pipeline.enrichment:not_enriched", task)
    for _, enriched in pool.in_order(enrich, batches(sent()), lost):
        for done in enriched:
            yield waiting.popleft(), done


def reader_of(
    language: Language,
    tagset: TagSet | None,
    reader: Reader = "fast",
    report: mwxml_reader.Report = mwxml_reader.end_part,
    *,
    with_marks: bool = False,
    per_place: bool = False,
    on_odd: Callable[[], None] = untold,
) -> Callable[[BufferedIOBase], mwxml_reader.Dump]:
    """Return what reads the XML of a dump; the fast reader finds the tags of a set on the way.

    Without a set no tags are looked for; with `with_marks`, so are the marks of featured articles;
    `per_place` is that of `Matcher`, `on_odd` that of `fast_reader.read`.
    `report` takes the pages that cannot be worked out; without it, such a page ends the part.
    """
    blank = language.blank_summaries
    if reader == "mwxml":
        return partial(mwxml_reader.read, blank_summaries=blank, report=report)
    read = partial(fast_reader.read, blank_summaries=blank, report=report, on_odd=on_odd)
    if tagset is None and not with_marks:
        return read

    def scanner(site: Site) -> fast_reader.Scanner:
        namespaces = Namespaces.of(site.namespaces, language.namespaces)
        tags = []
        if tagset is not None:
            here = tagset.on(site.lang)
            tags.append(TagScanner(here, Matcher(here, namespaces, per_place=per_place)))
        if with_marks:
            return FeaturedMatcher(language.code, language.featured, namespaces).scanner(tags)
        return tags[0]

    return partial(read, scanner_for=scanner)


def _transitions(
    job: PartJob, findings: Findings, dump: mwxml_reader.Dump, post: Callable[[], None]
) -> Iterator[Transition]:
    settings, wanted, tally = job.settings, job.settings.detect, findings.tally
    language, tagset = language_of(settings), tagset_of(settings)
    namespaces = Namespaces.of(dump.site.namespaces, language.namespaces)
    matcher = marks = summaries = intents = None
    if "tag" in wanted.signal:
        here = tagset.on(dump.site.lang)
        matcher = Matcher(here, namespaces, per_place=wanted.per == "place")
    if "summary" in wanted.signal:
        summaries = summary_source(wanted.summary_rule, language, namespaces)
        findings.summaries = summaries.counts
    if FEATURED.name in wanted.signal:
        marks = FeaturedMatcher(language.code, language.featured, namespaces)
    findings.intents = names_of_intents(wanted.signal)
    if findings.intents:
        from wikibias.edits.intents.rules import intent_source  # noqa: PLC0415 (seldom asked)

        intents = intent_source(intents_of(settings), wanted.rules, language, namespaces)
    origin = pending.Origin(
        site=dump.site,
        lang=wanted.lang,
        part=job.part.name,
        tagset_version=tagset.version,
        namespaces=namespaces,
        with_editors=wanted.with_editors,
        tag_namespaces=None if wanted.namespaces else ARTICLES,
        end=_end(job),
    )
    pages = iterate_pages(
        dump,
        tally,
        # A rule that goes by the titles of pages has none.
        namespaces=wanted.namespaces or _EVERY_NAMESPACE,
        limit=wanted.limit,
        on_progress=post,
        verify=wanted.verify,
    )
    if origin.end is not None:
        pages = older_than(origin.end, pages)

    def skip_text(page: Page, revision: Revision) -> None:
        if not wanted.verify:  # then it is counted already
            tally.skip_text(page, revision)

    # Where damage shows it ends, so that what was found before is still enriched.
    try:
        yield from detection.transitions(
            traced(pages, job.pool.trace, tally),
            origin,
            matcher,
            per=wanted.per,
            reverts=wanted.reverts,
            skip=tally.skip,
            spans=wanted.span_policy if "tagged-span" in wanted.pairing else None,
            on_damage=skip_text,
            summaries=summaries,
            intents=intents,
            marks=marks,
        )
    except DumpError as error:
        tally.error = str(error)
    except Exception as error:  # a reader is not to fail, whatever the dump holds
        tally.error = f"cannot be read any further: {cause_of(error)} {BUG}"


def _end(job: PartJob) -> datetime | None:
    """Return from when on revisions do not count."""
    before = job.settings.detect.before
    return None if before is None else datetime.fromisoformat(before).replace(tzinfo=UTC)
