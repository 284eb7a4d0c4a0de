"""The stages on one part: detect, diff, filter. Each reads one kind of file and writes the next.

An output appears only when it is whole. Its metadata tells the settings it was made with, what
was counted, and, for a damaged part, the damage; so a later run knows what is left to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from wikibias import tables
from wikibias.config import Language, Text, languages, load_language, load_mediawiki
from wikibias.dumps.download import is_url
from wikibias.dumps.parts import Part
from wikibias.dumps.reader import read
from wikibias.dumps.streams import STDIN, Source, open_part, sha256_file
from wikibias.dumps.walk import Tally, walk
from wikibias.edits import edits
from wikibias.errors import DumpError, FetchError, WikibiasError
from wikibias.filters import KEPT, REASONS, verdict
from wikibias.pointing import Pointer
from wikibias.records import Edit, Page, Pairing, Site, Transition
from wikibias.sentences import Segmenter
from wikibias.settings import Settings
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import TagSet, load_tagset
from wikibias.titles import Namespaces, key
from wikibias.transitions import Origin, transitions
from wikibias.wikitext import Rules, redirect_pattern

OUTPUTS = {
    "detect": ("transitions",),
    "diff": ("diffs",),
    # The last one is written last, and so says that the stage is done.
    "filter": ("rejects", "edits"),
}
# What a part has done so far: its name, the stage it is in, bytes read, pages, transitions.
Report = Callable[[str, str, int, int, int], None]


def output(folder: Path, kind: str, part: str) -> Path:
    """Return where a part's output of one kind lies, such as `transitions/x.xml.bz2.parquet`."""
    return folder / kind / f"{part}.parquet"


def state(folder: Path, stage: str, part: str) -> dict[str, Any] | None:
    """Return the metadata of a stage's output of a part, or None when there is none."""
    found = [tables.read_meta(output(folder, kind, part)) for kind in OUTPUTS[stage]]
    return None if None in found else found[-1]


def run_stage(stage: str, folder: Path, part: Part, settings: Settings, report: Report) -> None:
    """Do one stage on one part.

    Raises:
        DiskError: the output cannot be written.
    """
    if stage == "detect":
        detect(folder, part, settings, report)
    elif stage == "diff":
        diff(folder, part, settings)
    else:
        filter_edits(folder, part, settings)


def detect(folder: Path, part: Part, settings: Settings, report: Report) -> None:
    """Dump part to `transitions`. Damage ends the part; what came before it is written."""
    tally, counts = Tally(), Counter[str]()
    about: dict[str, Any] = {"wiki": None, "namespaces": {}, "warnings": [], "input": None}
    rows = _detected(part, settings, tally, counts, about, report)
    tables.write_table(
        output(folder, "transitions", part.name),
        tables.TRANSITIONS,
        rows,
        lambda: {
            "settings": settings.fingerprint("detect"),
            **asdict(tally),
            **{kind: counts[kind] for kind in ("removed", "added", "reverted", "spans")},
            **about,
        },
        with_editors=settings.detect.with_editors,
    )


def _detected(
    part: Part,
    settings: Settings,
    tally: Tally,
    counts: Counter[str],
    about: dict[str, Any],
    report: Report,
) -> Iterator[tables.Row]:
    try:
        with open_part(part.path, settings.threads) as (stream, source):
            language = load_language(settings.detect.lang)
            dump = read(stream, language.blank_summaries)
            about["wiki"], about["namespaces"] = dump.site.wiki, dict(dump.site.namespaces)
            tagset = _tagset(settings)
            about["warnings"] = _warnings(dump.site, language, tagset)
            pages = walk(
                dump,
                tally,
                namespaces=settings.detect.namespaces,
                limit=settings.detect.limit,
                report=lambda: report(
                    part.name, "detect", source.read_bytes, tally.pages, counts.total()
                ),
            )
            for transition in _transitions(pages, dump.site, part, language, tagset, settings):
                made = transition.provenance
                counts[made.kind if made.pairing != "tagged-span" else "spans"] += 1
                counts["reverted"] += made.reverted
                yield tables.transition_row(transition)
            about["input"] = _input(part, source, settings)
    except DumpError as error:
        tally.error = str(error)
    if about["input"] is None:
        about["input"] = _input(part, None, settings)


def _transitions(
    pages: Iterable[Page],
    site: Site,
    part: Part,
    language: Language,
    tagset: TagSet,
    settings: Settings,
) -> Iterator[Transition]:
    wanted = settings.detect
    namespaces = Namespaces.of(site.namespaces, language.namespaces)
    origin = Origin(
        site=site,
        lang=wanted.lang,
        part=part.name,
        tagset_version=tagset.version,
        namespaces=namespaces,
        with_editors=wanted.with_editors,
    )
    matcher = Matcher(tagset, namespaces)
    rules = cleaning_rules(language, namespaces, tagset, Text().max_wikitext)
    return transitions(
        pages,
        origin,
        matcher,
        per=wanted.per,
        reverts=wanted.reverts,
        spans=wanted.span_policy if "tagged-span" in wanted.pairing else None,
        pointer=Pointer(matcher, tagset, rules, _segmenter(wanted.lang, Text())),
    )


def _tagset(settings: Settings) -> TagSet:
    wanted = settings.detect
    return load_tagset(wanted.tagset, wanted.lang).only(wanted.families)


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


def _input(part: Part, source: Source | None, settings: Settings) -> dict[str, Any]:
    """Return size, time and checksum of an input, as far as they can be had."""
    identity: dict[str, Any] = {"size": None, "mtime_ns": None, "sha256": None}
    # A dry run does not read its input to the end, and must not do so for the checksum.
    whole = settings.detect.limit is None
    if part.path != STDIN and not is_url(part.path):
        with suppress(OSError):
            stat = Path(part.path).stat()
            identity |= {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
            if whole:
                identity["sha256"] = source.sha256() if source else sha256_file(Path(part.path))
    elif source and whole:
        with suppress(FetchError):
            identity |= {"sha256": source.sha256(), "size": source.read_bytes}
    return identity


def diff(folder: Path, part: Part, settings: Settings) -> None:
    """`transitions` to `diffs`: the pairs asked for, as differences of sentences."""
    wanted = settings.detect
    language, mediawiki = load_language(wanted.lang), load_mediawiki()
    declared = (state(folder, "detect", part.name) or {}).get("namespaces", {})
    namespaces = Namespaces.of({int(n): name for n, name in declared.items()}, language.namespaces)
    tagset = _tagset(settings)
    rules = cleaning_rules(language, namespaces, tagset, settings.diff.text.max_wikitext)
    segmenter = _segmenter(wanted.lang, settings.diff.text)
    redirect = redirect_pattern(mediawiki.redirect_words)
    pointer = Pointer(Matcher(tagset, namespaces), tagset, rules, segmenter)
    within = pointer.within if settings.diff.scope == "tagged" else None
    pairs = _pairs(folder, part, wanted.pairing)
    found = edits(pairs, rules, segmenter, redirect, within)
    tables.write_table(
        output(folder, "diffs", part.name),
        tables.DIFFS,
        (tables.edit_row(edit) for edit in found),
        lambda: {"settings": settings.fingerprint("diff")},
        with_editors=wanted.with_editors,
    )


@cache
def _segmenter(lang: str, limits: Text) -> Segmenter:
    """Return the segmenter of a language; making one takes as long as a small part."""
    return Segmenter(load_language(lang), limits)


def _pairs(folder: Path, part: Part, pairing: Collection[Pairing]) -> Iterator[Transition]:
    """Yield the transitions of the pairings asked for that have a revision on both sides."""
    for row in tables.read_table(output(folder, "transitions", part.name)):
        if row["pairing"] in pairing and (row["kind"] == "removed" or row["before_rev_id"]):
            yield tables.transition_of(row)


def cleaning_rules(
    language: Language, namespaces: Namespaces, tagset: TagSet, max_chars: int
) -> Rules:
    """Return how the wikitext of a wiki is cleaned; wrapping tags show what they wrap."""
    texts = {key(name, ignore_case=True): p for name, p in language.text_templates.items()}
    for tag in tagset.tags:
        if tag.text:
            texts |= {key(name, ignore_case=True): tag.text for name in (tag.name, *tag.aliases)}
    return Rules(
        namespaces=namespaces,
        interlanguage=frozenset(load_mediawiki().interlanguage),
        text_templates=texts,
        max_chars=max_chars,
    )


def filter_edits(folder: Path, part: Part, settings: Settings) -> None:
    """`diffs` to `rejects` and `edits`, each with its verdict."""
    verdicts: Counter[str] = Counter()

    def rows(*, kept: bool) -> Iterator[tables.Row]:
        for edit in _edits(output(folder, "diffs", part.name)):
            reason = verdict(edit, settings.filter.limits, settings.filter.reverts)
            if (reason == KEPT) is kept:
                verdicts[reason] += 1
                yield tables.edit_row(edit, reason)

    for kind, columns in (("rejects", tables.REJECTS), ("edits", tables.EDITS)):
        tables.write_table(
            output(folder, kind, part.name),
            columns,
            rows(kept=kind == "edits"),
            lambda: {
                "settings": settings.fingerprint("filter"),
                "verdicts": {reason: verdicts[reason] for reason in (*REASONS, KEPT)},
            },
            with_editors=settings.detect.with_editors,
        )


def _edits(path: Path) -> Iterator[Edit]:
    return (tables.edit_of(row) for row in tables.read_table(path))


def kept_edits(folder: Path, parts: Iterable[Part]) -> Iterator[Edit]:
    """Yield the kept edits of all parts, in order.

    Raises:
        WikibiasError: a part's file is gone.
    """
    for part in parts:
        path = output(folder, "edits", part.name)
        if not path.is_file():
            raise WikibiasError(f"{path} is gone; run the same command again")
        yield from _edits(path)
