"""What a manifest tells of a run, for a page: what it is, its limits, where it comes from."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from wikibias.config.signals import names_of_intents
from wikibias.corpus.card import LabelledDescription, describe_labelled
from wikibias.corpus.description import Description, describe
from wikibias.dumps.parts import dump_date
from wikibias.kits.document import Facts, Notes, Section, Table, Text
from wikibias.messages import counted
from wikibias.reports.corpus_sections import folded
from wikibias.reports.corpus_statistics import numbers, section, text, texts

_STATES = {"whole": "whole", "failed": "failed", "missing": "not all stages done"}
_SHOWN_INPUTS = 200
_CHECKSUM = 16  # characters of it that are shown


def described(manifest: Mapping[str, Any]) -> Description | None:
    """Return a corpus in words; None where its manifest lacks what these are made from."""
    try:
        return describe(manifest)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def labels_described(manifest: Mapping[str, Any]) -> LabelledDescription | None:
    """Return a corpus of labels in words; None where there is none, or its manifest lacks them."""
    made = section(manifest, "corpus", "labelled")
    try:
        return describe_labelled(manifest, made) if made else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def has_two_classes(manifest: Mapping[str, Any]) -> bool:
    """Return whether a corpus is built whose sentences are biased or neutral."""
    corpus = section(manifest, "corpus")
    return bool(corpus) and (bool(_total(corpus)) or not section(corpus, "labelled"))


def asks_tags(manifest: Mapping[str, Any]) -> bool:
    """Return whether a run looked for edits that change tags."""
    return "tag" in signals_of(section(manifest, "settings", "detect"))


def title(manifest: Mapping[str, Any]) -> str:
    """Return what a result is, in a line; "" where its manifest does not tell."""
    of_labels = labels_described(manifest)
    if of_labels and not has_two_classes(manifest):
        return of_labels.title
    found = described(manifest)
    return found.title if found else ""


def about(manifest: Mapping[str, Any]) -> Section:
    """What the corpus is, in words, and the facts of its run."""
    found, of_labels = described(manifest), labels_described(manifest)
    has_corpus = has_two_classes(manifest)
    says = [found.summary] if found and has_corpus else []
    says += [of_labels.summary] if of_labels else []
    if found is None:
        says.append("Another version of wikibias wrote its manifest, which tells less than today.")
    asked_nothing = [] if asks_tags(manifest) else ["tag set", "revisions paired"]
    facts = [
        (name, value) for name, value in in_short(manifest).items() if name not in asked_nothing
    ]
    period = (found and found.period) or (of_labels and of_labels.period)
    if period:
        facts.append(("revisions from", " to ".join(day.isoformat() for day in period)))
    for meaning in found.meanings if found and has_corpus else ():
        facts += [
            (f"biased ({meaning.pairing})", meaning.biased),
            (f"neutral ({meaning.pairing})", meaning.neutral),
        ]
        if meaning.caution:
            facts.append(("mind", meaning.caution))
    return Section("What this is", [*says, _read(manifest), Facts(facts)], "about")


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
        **_rules(detect),
    }


def signals_of(detect: Mapping[str, Any]) -> list[str]:
    """Return what edits were found by; an older version knew nothing but tags."""
    return texts(detect.get("signal")) or ["tag"]


def _rules(detect: Mapping[str, Any]) -> dict[str, str]:
    return {"rules of intents": text(detect.get("rules")) or "–"} if _intents(detect) else {}


def _intents(detect: Mapping[str, Any]) -> list[str]:
    return names_of_intents(texts(detect.get("signal")))


def limits(manifest: Mapping[str, Any]) -> Section:
    """What one may not expect of the corpus, and what went wrong in the run."""
    found, corpus = described(manifest), section(manifest, "corpus")
    of_labels = labels_described(manifest)
    told = [*texts(corpus.get("notes")), *texts(section(corpus, "labelled").get("notes"))]
    notes = [f"{note[:1].upper()}{note[1:]}." for note in told]
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
    if found and has_two_classes(manifest):
        notes += [*found.limits, *found.quality]
    if of_labels:
        notes += of_labels.limits
    return Section("Notes and limits", [Notes(notes)], "limits")


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
    of_two = described(manifest) if has_two_classes(manifest) else None
    found = of_two or labels_described(manifest)
    if found:
        says = [f"Licence of the text: {' '.join(found.licence.sentences)}", *says]
    if inputs[_SHOWN_INPUTS:]:
        says.append(f"Of {len(inputs):,} files the first {_SHOWN_INPUTS:,} are listed.")
    return Section(
        "Where it comes from",
        [
            *says,
            *tables,
            *(Text(command, "command") for command in commands),
            *folded("Settings", Table(["setting", "value"], settings, 2, stacks=True)),
            *folded("Versions", Table(["program", "version"], programs, 2)),
        ],
        "provenance",
    )


def _read(manifest: Mapping[str, Any]) -> str:
    """Say what was read and what came of it."""
    counts, verdicts = numbers(manifest.get("counts")), numbers(manifest.get("verdicts"))
    said = (
        f"{counted(counts.get('pages', 0), 'page')} with "
        f"{counted(counts.get('revisions', 0), 'revision')} were read"
    )
    if found := [*_found(manifest)]:
        said += f": {', '.join(found)}"
    if verdicts:
        kept, of_all = verdicts.get("kept", 0), sum(verdicts.values())
        several = " An edit with several intents counts for each." if _several(manifest) else ""
        what = f"{counted(of_all, 'pair')} of revisions"
        what = what if asks_tags(manifest) else f"these {of_all:,},"
        said += f"; of {what} {kept:,} were kept"
    else:
        several = ""
    corpus = section(manifest, "corpus")
    gave = []
    if has_two_classes(manifest):
        gave.append(f"a corpus of {counted(_total(corpus), 'sentence')}")
    if of_labels := numbers(section(corpus, "labelled")).get("sentences"):
        gave.append(f"{counted(of_labels, 'sentence')} with labels or judged to lack them")
    if gave:
        said += f", which gave {' and '.join(gave)}"
    return f"{said}.{several}"


def _found(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield how many edits were found, by what they were found by."""
    counts, asked = (
        numbers(manifest.get("counts")),
        signals_of(section(manifest, "settings", "detect")),
    )
    if "tag" in asked:
        yield (
            f"{counted(counts.get('removed', 0), 'edit')} took tags out and "
            f"{counts.get('added', 0):,} put tags in"
        )
    if "summary" in asked:
        yield f"{counted(counts.get('summary_edits', 0), 'edit')} named neutrality in the summary"
    if "featured" in asked:
        yield counted(counts.get("featured_spans", 0), "featured article")
    for intent, number in numbers(manifest.get("intents")).items():
        yield counted(number, f"{intent} edit")


def _several(manifest: Mapping[str, Any]) -> bool:
    return len(_intents(section(manifest, "settings", "detect"))) > 1


def _total(corpus: Mapping[str, Any]) -> int:
    """Return how many sentences a corpus of two classes has."""
    of_roles = numbers(corpus)
    return sum(of_roles.get(role, 0) for role in ("removed", "added", "unchanged", "featured"))


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
