"""What a manifest tells of a run, for a page: what it is, its limits, where it comes from."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from wikibias.corpus.description import Description, describe
from wikibias.dumps.parts import dump_date
from wikibias.messages import counted
from wikibias.rendering.html import Table
from wikibias.reports.reading import numbers, section, text, texts
from wikibias.reports.sections import Section

_STATES = {"whole": "whole", "failed": "failed", "missing": "not all stages done"}
_SHOWN_INPUTS = 200
_CHECKSUM = 16  # characters of it that are shown


def described(manifest: Mapping[str, Any]) -> Description | None:
    """Return a corpus in words; None where its manifest lacks what these are made from."""
    try:
        return describe(manifest)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def about(manifest: Mapping[str, Any]) -> Section:
    """What the corpus is, in words, and the facts of its run."""
    found, has_corpus = described(manifest), bool(section(manifest, "corpus"))
    says = [found.summary] if found and has_corpus else []
    if found is None:
        says.append("Another version of wikibias wrote its manifest, which tells less than today.")
    facts = [*in_short(manifest).items()]
    if found and found.period:
        facts.append(("revisions from", " to ".join(day.isoformat() for day in found.period)))
    for meaning in found.meanings if found and has_corpus else ():
        facts += [
            (f"biased ({meaning.pairing})", meaning.biased),
            (f"neutral ({meaning.pairing})", meaning.neutral),
        ]
        if meaning.caution:
            facts.append(("mind", meaning.caution))
    return Section("about", "What this is", [*says, _read(manifest)], facts=facts)


def in_short(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return wiki, language, dates of dumps, tag set and pairing."""
    detect = section(manifest, "settings", "detect")
    families = texts(detect.get("families"))
    tags = text(detect.get("tagset")) + (f", only {', '.join(families)}" if families else "")
    filters = section(manifest, "settings", "filter").get("filters")
    return {
        "wiki": ", ".join(_wikis(manifest)) or "–",
        "language": text(detect.get("lang")) or text(manifest.get("lang")) or "–",
        "dump of": ", ".join(_dates(manifest)) or "–",
        "edits found by": ", ".join(texts(detect.get("signal"))) or "tag",
        "tag set": tags or "–",
        "revisions paired": ", ".join(texts(detect.get("pairing"))) or "–",
        "filters": text(filters) or "–",
    }


def limits(manifest: Mapping[str, Any]) -> Section:
    """What one may not expect of the corpus, and what went wrong in the run."""
    found, corpus = described(manifest), section(manifest, "corpus")
    notes = [f"{note[:1].upper()}{note[1:]}." for note in texts(corpus.get("notes"))]
    for entry in _inputs(manifest):
        name = text(entry.get("part"))
        notes += [f"{name}: {warning}." for warning in texts(entry.get("warnings"))]
        if error := text(entry.get("error")):
            notes.append(f"{name} failed: {error}.")
    counts = numbers(manifest.get("counts"))
    if lost := counts.get("unknown_texts", 0):
        notes.append(f"{counted(lost, 'revision')} had no text: suppressed, or lost by the dump.")
    if unread := counts.get("unreadable", 0):
        notes.append(f"{unread:,} pages or revisions could not be worked out.")
    if not manifest.get("complete"):
        notes.append("The run is not complete: a part failed, or the corpus is not built.")
    if found and corpus:
        notes += [*found.limits, *found.quality]
    return Section("limits", "Notes and limits", notes=notes)


def provenance(manifest: Mapping[str, Any], seed: int) -> Section:
    """Inputs, settings, versions and commands."""
    inputs = [*_files(manifest)]
    tables = [
        Table(
            ["file", "bytes", "SHA-256 begins", "state"],
            [[name, size, sha, state] for name, size, sha, state in inputs[:_SHOWN_INPUTS]],
            title="Inputs",
            stacks=True,
        )
    ]
    versions = section(manifest, "versions")
    own = text(manifest.get("wikibias"))
    programs = [["wikibias", own]] if own else []
    programs += [[str(name), text(value)] for name, value in versions.items()]
    settings = [*_flat(section(manifest, "settings"))]
    commands = dict.fromkeys(
        shlex.join(typed) for typed in map(texts, section(manifest, "commands").values()) if typed
    )
    says = [f"The samples on this page were drawn with the seed {seed}."]
    found = described(manifest)
    if found and section(manifest, "corpus"):
        says = [f"Licence of the text: {' '.join(found.licence.sentences)}", *says]
    if inputs[_SHOWN_INPUTS:]:
        says.append(f"Of {len(inputs):,} files the first {_SHOWN_INPUTS:,} are listed.")
    folded = {
        "Settings": Table(["setting", "value"], settings, 2, stacks=True),
        "Versions": Table(["program", "version"], programs, 2),
    }
    return Section(
        "provenance",
        "Where it comes from",
        says,
        tables=tables,
        folded={name: table for name, table in folded.items() if table.rows},
        commands=[*commands],
    )


def _read(manifest: Mapping[str, Any]) -> str:
    """Say what was read and what came of it."""
    counts, verdicts = numbers(manifest.get("counts")), numbers(manifest.get("verdicts"))
    said = (
        f"{counted(counts.get('pages', 0), 'page')} with "
        f"{counted(counts.get('revisions', 0), 'revision')} were read: "
        f"{counted(counts.get('removed', 0), 'edit')} took tags out and "
        f"{counts.get('added', 0):,} put tags in"
    )
    if verdicts:
        kept = verdicts.get("kept", 0)
        said += f"; of {counted(sum(verdicts.values()), 'pair')} of revisions {kept:,} were kept"
    corpus = numbers(manifest.get("corpus"))
    if corpus:
        total = sum(corpus.get(role, 0) for role in ("removed", "added", "unchanged", "featured"))
        said += f", which gave a corpus of {counted(total, 'sentence')}"
    return f"{said}."


def _inputs(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    inputs = manifest.get("inputs")
    return [e for e in inputs if isinstance(e, Mapping)] if isinstance(inputs, list) else []


def _wikis(manifest: Mapping[str, Any]) -> list[str]:
    return sorted({text(entry.get("wiki")) for entry in _inputs(manifest)} - {""})


def _dates(manifest: Mapping[str, Any]) -> list[str]:
    """Return the dates in the names of the dumps; of many the first and the last."""
    named = {dump_date(text(entry.get("part"))) or "" for entry in _inputs(manifest)}
    dates = [f"{day[:4]}-{day[4:6]}-{day[6:]}" for day in sorted(named) if day]
    return dates if len(dates) < 4 else [f"{dates[0]} to {dates[-1]}"]


def _files(manifest: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    for entry in _inputs(manifest):
        files = entry.get("files")
        for file in files if isinstance(files, list) else [entry]:
            if isinstance(file, Mapping):
                size = numbers(file).get("size")
                yield (
                    _file_name(text(file.get("path"))) or text(entry.get("part")),
                    "–" if size is None else f"{size:,}",
                    text(file.get("sha256"))[:_CHECKSUM] or "–",
                    _STATES.get(text(entry.get("state")), "–"),
                )


def _file_name(path: str) -> str:
    """Return the name of a file without its folders, which are nobody else's business."""
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name


def _flat(settings: Mapping[str, Any], path: str = "") -> Iterator[list[str]]:
    for name, value in settings.items():
        where = f"{path}{name}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{where}.")
        else:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield [where, "–" if value is None else shown or "–"]
