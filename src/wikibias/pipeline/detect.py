"""The stage `detect`: a dump to transitions and, in the same reading, to edits.

Reading goes on while other processes enrich what was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from io import BufferedIOBase
from typing import Any

from wikibias.config.choices import Reader
from wikibias.config.languages import Language, languages
from wikibias.dumps.iteration import Tally, iterate_pages
from wikibias.dumps.parts import Part
from wikibias.dumps.sources import identity, open_dump
from wikibias.dumps.xml import fast_reader, mwxml_reader
from wikibias.dumps.xml.damage import Report, end_part
from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError
from wikibias.execution.trace import DEADLY, Trace
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.messages import BUG, cause_of, counted
from wikibias.pipeline.diff import Edits
from wikibias.pipeline.enriching import enrich, not_enriched
from wikibias.pipeline.enrichment_task import Enriched, EnrichmentTask, batches, unreadable
from wikibias.pipeline.jobs import PartJob
from wikibias.pipeline.settings import Settings, language_of, tagset_of
from wikibias.records import (
    LONGEST_TEXT,
    Page,
    Revision,
    Site,
    Transition,
    TransitionRow,
    Unreadable,
)
from wikibias.storage.parquet import RowError
from wikibias.storage.schemas import TRANSITIONS_TABLE
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import TagScanner
from wikibias.tags.tagset import TagSet
from wikibias.transitions.detection import Origin, transitions

_UNCHECKED = (
    "holds no checksums, neither of its texts nor as an archive: damage inside of texts goes unseen"
)


# What becomes of summaries that name the policy, in the order of the rule.
SUMMARY_COUNTS = ("matched", "reverts", "pover", "kept")


@dataclass(slots=True)
class Findings:
    """What was seen of a part while it was read, for the metadata of its output.

    `tally` names what could not be read of it, `lost` the transitions that could not be worked
    out: the reading is ahead of them, by as much as there are workers.
    """

    tally: Tally = field(default_factory=Tally)
    lost: Tally = field(default_factory=Tally)
    counts: Counter[str] = field(default_factory=Counter)
    summaries: Counter[str] = field(default_factory=Counter)
    about: dict[str, Any] = field(
        default_factory=lambda: {"wiki": None, "namespaces": {}, "warnings": [], "input": None}
    )

    def count(self, transition: Transition) -> None:
        """Count one transition that has been found."""
        made = transition.provenance
        self.counts[made.kind if made.pairing != "tagged-span" else "spans"] += 1
        self.counts["reverted"] += made.reverted

    def meta(self) -> dict[str, Any]:
        """Return everything, as it stands in the file's metadata."""
        kinds = ("removed", "added", "reverted", "spans")
        tally = replace(self.tally, first_unreadable=list(self.tally.first_unreadable))
        tally.add_unreadable(self.lost)
        newest = tally.newest.isoformat() if tally.newest else None
        counts = {kind: self.counts[kind] for kind in kinds}
        summaries = {name: self.summaries[name] for name in SUMMARY_COUNTS}
        return asdict(tally) | {"newest": newest} | counts | {"summaries": summaries} | self.about


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
            job.write(
                TRANSITIONS_TABLE,
                TransitionRow(
                    made,
                    done.context,
                    transition.before_text,
                    transition.after_text,
                    transition.history,
                    transition.before_sha1,
                    transition.after_sha1,
                ),
            )
        except RowError as error:
            findings.lost.skip(unreadable(made, str(error)))
            continue
        findings.count(transition)
        if done.cause is not None:
            findings.lost.skip(unreadable(made, done.cause))
        if edits is not None:
            edits.write(done.comparison)
    job.facts |= findings.meta()
    if edits is not None:
        edits.end()


def _found(job: PartJob, findings: Findings) -> Iterator[tuple[Transition, Enriched]]:
    """Yield the transitions of a part, enriched, up to its end or to its damage."""
    part, settings, pool = job.part, job.settings, job.pool
    tally, counts, about = findings.tally, findings.counts, findings.about
    language, tagset = language_of(settings), tagset_of(settings)
    # A dry run does not read its input to the end, and must not do so for the checksum.
    complete = settings.detect.limit is None
    try:
        read = reader_of(language, tagset, settings.reader, tally.skip)
        with open_dump(part, read, threads=pool.size) as (dump, source):
            about["wiki"], about["namespaces"] = dump.site.wiki, dict(dump.site.namespaces)
            about["warnings"] = _warnings(dump.site, language, tagset)

            def post() -> None:
                job.post(part.name, "detect", source.read_bytes, tally.pages, counts.total())

            found = _transitions(dump, part, language, tagset, settings, tally, post, pool.trace)
            compare = "diff" in job.joined
            task = EnrichmentTask.of(settings, dump.site.namespaces, compare=compare)
            lost = partial(not_enriched, task)
            for batch, enriched in pool.in_order(partial(enrich, task), batches(found), lost):
                yield from zip(batch, enriched, strict=True)
            about["input"] = identity(part, source, whole=complete)
            if tally.revisions and not (tally.has_checksums or source.are_checked):
                about["warnings"].append(_UNCHECKED)
    except DumpError as error:
        tally.error = str(error)
    tally.finish()
    about["warnings"] += [*_too_long(tally), *_cut_off(tally)]
    if about["input"] is None:
        about["input"] = identity(part, None, whole=complete)


def reader_of(
    language: Language, tagset: TagSet, reader: Reader = "fast", report: Report = end_part
) -> Callable[[BufferedIOBase], Dump]:
    """Return what reads the XML of a dump; the fast reader finds the tags of a set on the way.

    `report` takes the pages that cannot be worked out; without it, such a page ends the part.
    """
    blank = language.blank_summaries
    if reader == "mwxml":
        return partial(mwxml_reader.read, blank_summaries=blank, report=report)

    def scanner(site: Site) -> TagScanner:
        namespaces = Namespaces.of(site.namespaces, language.namespaces)
        return TagScanner(tagset, Matcher(tagset, namespaces))

    return partial(fast_reader.read, blank_summaries=blank, scanner_for=scanner, report=report)


def _transitions(
    dump: Dump,
    part: Part,
    language: Language,
    tagset: TagSet,
    settings: Settings,
    tally: Tally,
    post: Callable[[], None],
    trace: Trace,
) -> Iterator[Transition]:
    wanted = settings.detect
    namespaces = Namespaces.of(dump.site.namespaces, language.namespaces)
    origin = Origin(
        site=dump.site,
        lang=wanted.lang,
        part=part.name,
        tagset_version=tagset.version,
        namespaces=namespaces,
        with_editors=wanted.with_editors,
    )
    pages = iterate_pages(
        dump,
        tally,
        namespaces=wanted.namespaces,
        limit=wanted.limit,
        on_progress=post,
        verify=wanted.verify,
    )

    def skip_text(page: Page, revision: Revision) -> None:
        if not wanted.verify:  # then it is counted already
            tally.skip_text(page, revision)

    found = transitions(
        _traced(pages, trace, tally),
        origin,
        Matcher(tagset, namespaces),
        per=wanted.per,
        reverts=wanted.reverts,
        skip=tally.skip,
        spans=wanted.span_policy if "tagged-span" in wanted.pairing else None,
        on_damage=skip_text,
    )
    return _up_to_damage(found, tally)


def _traced(pages: Iterable[Page], trace: Trace, tally: Tally) -> Iterator[Page]:
    """Say which page is read; pass over those that ended the process before."""
    for number, page in enumerate(pages, 1):
        if trace.at(f"page {number}"):
            yield page
        else:
            tally.skip(Unreadable(page.title, page.id, None, DEADLY))


def _up_to_damage(found: Iterable[Transition], tally: Tally) -> Iterator[Transition]:
    """End where damage shows, so that what was found before it is still enriched."""
    try:
        yield from found
    except DumpError as error:
        tally.error = str(error)
    except Exception as error:  # a reader is not to fail, whatever the dump holds
        tally.error = f"cannot be read any further: {cause_of(error)} {BUG}"


def _too_long(tally: Tally) -> list[str]:
    if not tally.too_long_texts:
        return []
    passed_over = counted(tally.too_long_texts, "revision")
    return [
        f"passed over the text of {passed_over} of more than {LONGEST_TEXT:,} characters, which no "
        "wiki saves; tags in it are not seen"
    ]


def _cut_off(tally: Tally) -> list[str]:
    """Warn of pages that begin in the middle; single ones may have been imported so."""
    if tally.without_beginning * 2 <= tally.pages:
        return []
    return [
        f"{tally.without_beginning:,} of {counted(tally.pages, 'page')} begin in the middle of "
        "their history, as in a dump of additions and changes, which cannot be joined with earlier "
        "ones; take the dump of the full history (pages-meta-history)"
    ]


def _warnings(site: Site, language: Language, tagset: TagSet) -> list[str]:
    found = []
    declared = (site.lang or "").split("-")[0]
    if declared not in ("", language.code):
        known = declared in languages()
        remedy = f"--lang {declared}" if known else "wikibias docs add-a-language"
        found.append(
            f"{site.wiki} says that its language is {declared!r}; the tags and sentence rules of "
            f"{language.code!r} were used (if that is a mistake: {remedy})"
        )
    if not tagset.verified:
        found.append(
            f"the tag set {tagset.name!r} for {tagset.lang!r} has not been checked against the "
            f"wiki; to see it: wikibias tags show --lang {tagset.lang} --tagset {tagset.name}"
        )
    return found
