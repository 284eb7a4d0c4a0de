"""The first stage on one part: a dump to `transitions` and, in the same go, to `diffs`.

Reading goes on while what was found is worked out in other processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from io import BufferedIOBase
from typing import Any

from wikibias.config.languages import Language, languages, load_language
from wikibias.dumps.iteration import Tally, iterate_pages
from wikibias.dumps.parts import Part
from wikibias.dumps.sources import identity, open_dump
from wikibias.dumps.xml import fast_reader, mwxml_reader
from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.progress import ProgressCallback
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.messages import counted
from wikibias.pipeline.enrichment import Enriched, Task, batches, enrich
from wikibias.pipeline.settings import Settings, tagset_of
from wikibias.records import LONGEST_TEXT, Site, Transition
from wikibias.storage import parquet, schemas
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import TagScanner
from wikibias.tags.tagset import TagSet
from wikibias.transitions.detection import Origin, transitions


@dataclass(slots=True)
class Findings:
    """What was seen of a part while it was read, for the metadata of its output."""

    tally: Tally = field(default_factory=Tally)
    counts: Counter[str] = field(default_factory=Counter)
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
        return asdict(self.tally) | {kind: self.counts[kind] for kind in kinds} | self.about


def detect(
    part: Part,
    settings: Settings,
    found: AbstractContextManager[parquet.TableWriter],
    diffs: AbstractContextManager[parquet.TableWriter] | None,
    findings: Findings,
    report: ProgressCallback,
    crew: WorkerPool,
) -> None:
    """Write the transitions of a dump part and, where there are `diffs`, its edits.

    Damage ends the part; what came before it is written. `findings` are filled on the way.
    """
    with ExitStack() as files:
        # What is entered last ends first: `diffs` tells that both are whole.
        edits = files.enter_context(diffs) if diffs is not None else None
        rows = files.enter_context(found)
        for transition, done in _found(
            part, settings, findings, report, crew, compare=edits is not None
        ):
            whole = replace(transition, provenance=done.provenance)
            rows.write(schemas.transition_row(whole))
            if edits is not None and done.edit is not None:
                edits.write(schemas.edit_row(done.edit))


def _found(
    part: Part,
    settings: Settings,
    findings: Findings,
    report: ProgressCallback,
    crew: WorkerPool,
    *,
    compare: bool,
) -> Iterator[tuple[Transition, Enriched]]:
    """Yield the transitions of a part, worked out, up to its end or to its damage."""
    tally, counts, about = findings.tally, findings.counts, findings.about
    language, tagset = load_language(settings.detect.lang), tagset_of(settings)
    # A dry run does not read its input to the end, and must not do so for the checksum.
    whole = settings.detect.limit is None
    try:
        read = _reader(language, tagset, settings)
        with open_dump(part, read, threads=crew.size) as (dump, source):
            about["wiki"], about["namespaces"] = dump.site.wiki, dict(dump.site.namespaces)
            about["warnings"] = _warnings(dump.site, language, tagset)

            def tell() -> None:
                report(part.name, "detect", source.read_bytes, tally.pages, counts.total())

            found = _transitions(dump, part, language, tagset, settings, tally, tell)
            task = Task.of(settings, dump.site.namespaces, point=True, compare=compare)
            for batch, worked_out in crew.in_order(partial(enrich, task), batches(found)):
                for transition, done in zip(batch, worked_out, strict=True):
                    findings.count(transition)
                    yield transition, done
            about["input"] = identity(part, source, whole=whole)
    except DumpError as error:
        tally.error = str(error)
    about["warnings"] += _too_long(tally)
    if about["input"] is None:
        about["input"] = identity(part, None, whole=whole)


def _reader(
    language: Language, tagset: TagSet, settings: Settings
) -> Callable[[BufferedIOBase], Dump]:
    if settings.reader == "mwxml":
        return partial(mwxml_reader.read, blank_summaries=language.blank_summaries)

    def scanner(site: Site) -> TagScanner:
        namespaces = Namespaces.of(site.namespaces, language.namespaces)
        return TagScanner(tagset, Matcher(tagset, namespaces))

    return partial(fast_reader.read, blank_summaries=language.blank_summaries, scanner_for=scanner)


def _transitions(
    dump: Dump,
    part: Part,
    language: Language,
    tagset: TagSet,
    settings: Settings,
    tally: Tally,
    tell: Callable[[], None],
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
        dump, tally, namespaces=wanted.namespaces, limit=wanted.limit, on_progress=tell
    )
    found = transitions(
        pages,
        origin,
        Matcher(tagset, namespaces),
        per=wanted.per,
        reverts=wanted.reverts,
        spans=wanted.span_policy if "tagged-span" in wanted.pairing else None,
    )
    return _up_to_damage(found, tally)


def _up_to_damage(found: Iterable[Transition], tally: Tally) -> Iterator[Transition]:
    """End where damage shows, so that what was found before it is still worked out."""
    try:
        yield from found
    except DumpError as error:
        tally.error = str(error)


def _too_long(tally: Tally) -> list[str]:
    if not tally.too_long_texts:
        return []
    passed_over = counted(tally.too_long_texts, "revision")
    return [
        f"passed over the text of {passed_over} of more than {LONGEST_TEXT:,} characters, which no "
        "wiki saves; tags in it are not seen"
    ]


def _warnings(site: Site, language: Language, tagset: TagSet) -> list[str]:
    found = []
    declared = (site.lang or "").split("-")[0]
    if declared not in ("", language.code):
        known = declared in languages()
        remedy = f"--lang {declared} --restart" if known else "docs/how-to/add-a-language.md"
        found.append(
            f"{site.wiki} says that its language is {declared!r}; the tags and sentence rules of "
            f"{language.code!r} were used (if that is a mistake: {remedy})"
        )
    if not tagset.verified:
        found.append(
            f"the tag set {tagset.name!r} for {tagset.lang!r} has not been checked against the "
            f"wiki; see tagsets/{tagset.name}/{tagset.lang}.toml"
        )
    return found
