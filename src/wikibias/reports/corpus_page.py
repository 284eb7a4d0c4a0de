"""The page of one corpus, or of several side by side."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wikibias.curation.tag_statistics import median
from wikibias.kits.charts import SERIES
from wikibias.kits.document import Block, Document, Section, Table
from wikibias.kits.html import html
from wikibias.kits.plugins import Registry
from wikibias.pipeline.stages import KEPT
from wikibias.reports import corpus_sections, corpus_statistics, run_facts
from wikibias.reports.corpus_sections import ALL
from wikibias.reports.corpus_statistics import numbers, section

GENERATOR = "wikibias report"
"""What a page of this kind says that it is."""
JUDGED = "judged"
OPTIONAL_SECTIONS: Registry[Callable[..., dict[Path, tuple[Section, str]]]] = Registry(
    "section",
    "wikibias.report_sections",
    {JUDGED: "wikibias.research.reports.judged_section:judged_sections"},
)
"""Sections that are made of more than the result: for each folder the section, and its summary."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of the result in a folder.

    Attributes:
        name: of the corpus, different from that of any other on the page.
        manifest: its manifest.
        transitions: None where the table is not there, as with the others.
        lives: of tags, by name.
        edits: the kept ones.
        rejects: by reason.
        sentences: of the corpus.
        labelled: some of each label.
        judged: the section on what annotators said of it; None where nobody was asked.
    """

    name: str
    manifest: Mapping[str, Any]
    transitions: corpus_statistics.Transitions | None
    lives: dict[str, corpus_sections.TagLives] | None
    edits: corpus_statistics.Edits | None
    rejects: corpus_statistics.Rejects | None
    sentences: corpus_statistics.Sentences | None
    labelled: corpus_sections.Samples
    judged: Section | None = None

    @property
    def verdicts(self) -> dict[str, int]:
        """How many edits have which verdict."""
        return numbers(self.manifest.get("verdicts"))

    @property
    def composition(self) -> Mapping[str, Any]:
        """What the manifest says of the corpus; empty where none is built."""
        return section(self.manifest, "corpus")


def page(
    results: Mapping[Path, Mapping[str, Any]],
    seed: int,
    judged: Mapping[Path, Section] | None = None,
) -> str:
    """Return the page of some result folders.

    Args:
        results: the manifest of each folder.
        seed: of the samples of edits.
        judged: the section on what annotators said of the corpus of a folder.

    Raises:
        WikibiasError: a table is damaged.
    """
    names = names_of([*results])
    found = [
        replace(_read(name, folder, manifest, seed), judged=(judged or {}).get(folder))
        for name, (folder, manifest) in zip(names, results.items(), strict=True)
    ]
    one = len(found) == 1
    described = run_facts.title(found[0].manifest)
    lead = "What wikibias found, kept and dropped, from the tables of its result folder."
    return html(
        Document(
            f"The corpus {names[0]}" if one else f"{len(names)} corpora side by side",
            f"{described}." if one and described else lead,
            side_by_side(
                {each.name: _sections(each, seed) for each in found},
                None if one else _comparison(found),
            ),
            contents=True,
            generator=GENERATOR,
        )
    )


def has_section(path: Path, name: str) -> bool:
    """Whether a page that was written before has a section; False without such a page."""
    # As the template of the page writes it; what is of a wiki stands there escaped.
    pattern = re.compile(rf'<h\d id="c\d+-{re.escape(name)}"'.encode())
    with suppress(OSError):
        return path.is_file() and bool(pattern.search(path.read_bytes()))
    return False


def side_by_side(sections: Mapping[str, list[Section]], comparison: Section | None) -> list[Block]:
    """Return the sections of one thing, or those of several, each under its name."""
    for number, of_one in enumerate(sections.values(), 1):
        for each in of_one:
            each.id = f"c{number}-{each.id}"
    if comparison is None:
        return [each for of_one in sections.values() for each in of_one]
    found: list[Block] = [comparison]
    for number, (name, of_one) in enumerate(sections.items(), 1):
        for each in of_one:
            each.aside = f"({name})"
        found.append(Section(name, [*of_one], f"c{number}"))
    return found


def _read(name: str, folder: Path, manifest: Mapping[str, Any], seed: int) -> Found:
    return Found(
        name=name,
        manifest=manifest,
        transitions=corpus_statistics.transitions(folder),
        lives=corpus_sections.tag_durations(folder),
        edits=corpus_statistics.edits(folder, seed),
        rejects=corpus_statistics.rejects(folder, seed),
        sentences=corpus_statistics.sentences(folder),
        labelled=corpus_sections.label_examples(folder, seed),
    )


def _sections(found: Found, seed: int) -> list[Section]:
    """Return the sections, without those on tags and classes that nobody asked for."""
    described = run_facts.labels_described(found.manifest)
    quality = described.quality if described else ()
    with_labels = corpus_sections.labelled(found.composition, found.labelled, quality)
    of_tags = run_facts.asks_tags(found.manifest)
    of_classes = with_labels is None or run_facts.has_two_classes(found.manifest)
    sections = [
        run_facts.about(found.manifest),
        corpus_sections.filters(found.verdicts, of_tags=of_tags),
        corpus_sections.composition(found.composition, found.sentences) if of_classes else None,
        with_labels,
        found.judged,
        corpus_sections.over_the_years(found.transitions) if of_tags else None,
        corpus_sections.durations(found.lives) if of_tags else None,
        corpus_sections.sizes(found.edits, found.sentences, of_classes=of_classes),
        corpus_sections.words(found.sentences) if of_classes else None,
        corpus_sections.kept_edits(found.edits),
        corpus_sections.rejected_edits(found.rejects),
        run_facts.limits(found.manifest),
        run_facts.provenance(found.manifest, seed),
    ]
    return [each for each in sections if each is not None]


def _comparison(found: Sequence[Found]) -> Section:
    """Return what several corpora have in common, number by number."""
    columns = [_numbers(each) for each in found]
    names = dict.fromkeys(name for of in columns for name in of)
    rows = [[name, *(of.get(name, "–") for of in columns)] for name in names]
    table = Table(["", *(each.name for each in found)], rows, title="Numbers", stacks=True)
    figures = []
    shown = found[:SERIES]
    changed = {each.name: each.transitions for each in shown if each.transitions is not None}
    if any(of.years for of in changed.values()):
        figures.append(corpus_sections.removals_chart(changed))
    if any(each.verdicts for each in found):
        kept = {e.name: (e.verdicts.get(KEPT, 0), sum(e.verdicts.values())) for e in found}
        figures.append(corpus_sections.kept_chart(kept))
    lives = {e.name: e.lives[ALL] for e in shown if e.lives and e.lives[ALL].lives}
    if lives:
        figures.append(corpus_sections.durations_chart(lives))
    says = [f"The curves and years are those of the first {SERIES}."] if found[SERIES:] else []
    return Section("Side by side", [*says, *figures, table], "comparison")


def _numbers(found: Found) -> dict[str, str]:
    """Return the numbers of a corpus that are compared, by what they are."""
    counts, verdicts, made = (
        numbers(found.manifest.get("counts")),
        found.verdicts,
        found.composition,
    )
    roles, of_all = numbers(made), sum(verdicts.values())
    lives = found.lives[ALL] if found.lives else None
    half = median(lives.lives.curve())[0] if lives else None
    lengths = [
        found.sentences.median(each) if found.sentences else None for each in ("biased", "neutral")
    ]
    total = sum(roles.get(role, 0) for role in ("removed", "added", "unchanged", "featured"))
    of_tiers = section(made, "tiers")
    high = sum(numbers(of_tiers.get("high")).values()) if "high" in of_tiers else None
    kept = verdicts.get(KEPT, 0)
    return {
        **run_facts.in_short(found.manifest),
        "pages read": _or_dash(counts.get("pages")),
        "revisions read": _or_dash(counts.get("revisions")),
        "edits that put tags in": _or_dash(counts.get("added")),
        "edits that took tags out": _or_dash(counts.get("removed")),
        "edits compared": _or_dash(of_all if verdicts else None),
        "edits kept": f"{kept:,} ({kept / of_all:.0%})" if of_all else _or_dash(None),
        "sentences": _or_dash(total if run_facts.has_two_classes(found.manifest) else None),
        **({"sentences with labels": of_labels} if (of_labels := _with_labels(made)) else {}),
        "biased": _or_dash(roles.get("removed")),
        "sentences of the high tier": _or_dash(high),
        "median words, biased": _or_dash(lengths[0]),
        "median words, neutral": _or_dash(lengths[1]),
        "tags that still stood": _or_dash(lives.standing if lives else None),
        "half of the tags are gone after": corpus_statistics.in_days(half)
        if half is not None
        else "–",
    }


def _with_labels(made: Mapping[str, Any]) -> str:
    number = numbers(section(made, "labelled")).get("positives")
    return "" if number is None else f"{number:,}"


def _or_dash(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def names_of(folders: Sequence[Path]) -> list[str]:
    """Return the name of each folder; the path where two have the same."""
    names = [folder.name or folder.resolve().name for folder in folders]
    return [
        name if names.count(name) == 1 else str(folder)
        for name, folder in zip(names, folders, strict=True)
    ]
